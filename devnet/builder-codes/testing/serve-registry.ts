import { seededRng } from '#protocol/random/rng'
import { openCodeRegistry } from '../code-registry.ts'
import { startBuilderCodeApi } from '../start-builder-code-api.ts'

/** `node serve-registry.ts FILE SEED`: a builder-code API of its own process, to be killed. */
const [path, seed] = process.argv.slice(2)
const registry = openCodeRegistry(path!, seededRng(seed!))
const { url } = await startBuilderCodeApi({ registry, host: '127.0.0.1', port: 0 })
process.stdout.write(`${url}\n`)
