import { useCompileCache } from './compile-cache.ts'
import { outliveReader } from './outlive-reader.ts'

// Before anything else is loaded.
useCompileCache()
outliveReader()
const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
