/** Loaded into a process before its first file: one module gets another source, and no file changes. */
import { registerHooks } from 'node:module'
import { mutatedSource } from './mutated-source.ts'
import type { Mutation } from './mutation.ts'

const mutation = JSON.parse(process.env.ROLLBED_PROTOCOL_MUTANT ?? '{}') as Mutation

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith(`/${mutation.file}`)) return loaded
    return { ...loaded, source: mutatedSource(String(loaded.source), mutation) }
  },
})
