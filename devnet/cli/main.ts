import { useCompileCache } from './compile-cache.ts'

// Before anything else is loaded.
useCompileCache()
const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
