import { join } from 'node:path'
import { useCompileCache } from '../compile-cache.ts'
import { outliveReader } from '../outlive-reader.ts'
import { CHECKOUT, isFresh } from './is-fresh.ts'

// What `rollbed up`, `host` and `actors` begin with where there is a bundle. JavaScript: what strips types takes 17 MB.
useCompileCache()
if (isFresh()) {
  outliveReader()
  const { runUp } = await import('./run-up.ts')
  process.exitCode = await runUp(process.argv.slice(2))
} else {
  await import(join(CHECKOUT, 'devnet/cli/main.ts'))
}
