/** `node print-small-world.ts SEED [LOG LEVEL]` prints the events of a small world; logs go to stderr. */
import type { LogLevel } from '#devnet/base/create-logger'
import { runSmallWorld } from './run-small-world.ts'

const [seed = '0', level = 'silent'] = process.argv.slice(2)
process.stdout.write(await runSmallWorld(Number(seed), undefined, level as LogLevel))
