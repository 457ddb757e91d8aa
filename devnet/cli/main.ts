import { useCompileCache } from './compile-cache.ts'
import { bundledUp } from './up-program/bundled-up.ts'

// Before anything else is loaded.
useCompileCache()
const args = process.argv.slice(2)
const bundle = args[0] === 'up' ? bundledUp() : undefined
const run: typeof import('./run.ts').run = bundle
  ? (await import(bundle)).runUp
  : (await import('./run.ts')).run
process.exitCode = await run(args)
