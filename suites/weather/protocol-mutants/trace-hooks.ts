/** Loaded into a process before its first file: the protocol does as it does, and tells to which drawn places it comes. */
import { registerHooks } from 'node:module'
import { type Draw, drawMutants } from './draw-mutants.ts'
import { tracedSource } from './traced-source.ts'

const mutations = drawMutants(JSON.parse(process.env.ROLLBED_PROTOCOL_DRAW!) as Draw).map(
  ({ mutation }) => mutation,
)
const byFile = Map.groupBy(mutations, ({ file }) => file)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const own = [...byFile].find(([file]) => url.endsWith(`/${file}`))?.[1]
    return own ? { ...loaded, source: tracedSource(String(loaded.source), own) } : loaded
  },
})
