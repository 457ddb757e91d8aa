import { globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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

// 67 MB of headers come with Node, for those who compile against it: nobody does here.
const headers = globSync('../node/node_modules/node-*/include', { cwd: bin })
for (const folder of headers) rmSync(join(bin, folder), { recursive: true })

// A start is faster with what can be made of the sources once; without, it is made then, or not used.
try {
  await keepUpBundle()
  await cachedProgram()
} catch (error) {
  console.warn(`'rollbed up' will start from its sources: ${(error as Error).message}`)
}
