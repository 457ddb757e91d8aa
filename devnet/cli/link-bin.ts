import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * npm links the commands of dependencies, not those of the checkout itself; this adds
 * node_modules/.bin/rollbed, so that `npx rollbed` works after `npm ci`. Runs as `npm run prepare`.
 */
const bin = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))
mkdirSync(bin, { recursive: true })
rmSync(`${bin}rollbed`, { force: true })
symlinkSync('../../devnet/cli/rollbed.sh', `${bin}rollbed`)
