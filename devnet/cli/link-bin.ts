import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cachedProgram } from '#enclave/image/cached-program'
import { keepUpBundle } from './up-program/keep-up-bundle.ts'

/**
 * npm links the commands of dependencies, not those of the checkout itself; this adds
 * node_modules/.bin/rollbed, so that `npx rollbed` works after `npm ci`. Runs as `npm run prepare`.
 */
const bin = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))
mkdirSync(bin, { recursive: true })
rmSync(`${bin}rollbed`, { force: true })
symlinkSync('../../devnet/cli/rollbed.sh', `${bin}rollbed`)

// A start is faster with what can be made of the sources once; without, it is made then, or not used.
try {
  await keepUpBundle()
  await cachedProgram()
} catch (error) {
  console.warn(`'rollbed up' will start from its sources: ${(error as Error).message}`)
}
