import { enableCompileCache } from 'node:module'

// Before anything else is loaded: saves most of the start-up time of later runs.
enableCompileCache()
const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
