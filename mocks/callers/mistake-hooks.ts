/** Loaded into a caller before its first file, by `makeMistake`. */
import { registerHooks } from 'node:module'
import type { Mistake } from './make-mistake.ts'

const { file, from, to } = JSON.parse(process.env.ROLLBED_MISTAKE ?? '{}') as Mistake

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith(`/${file}`)) return loaded
    const source = String(loaded.source)
    // A mutant that is none would survive, or be killed for nothing.
    if (!source.includes(from)) throw new Error(`${file} has no longer the text: ${from}`)
    return { ...loaded, source: source.replace(from, to) }
  },
})
