import type { JsonObject, Mutant, MutantContext } from '../mutant.ts'
import { filterOf } from './filter-of.ts'

/** Milliseconds that an index lags behind the newest block. */
const LAG = 900

/** Tells whether a height became the newest just now, as those saw it who asked for latest. */
function newestWatch({ clock }: MutantContext) {
  let newest: { number: unknown; hash: unknown; since: number } | undefined
  return {
    look(latest: JsonObject) {
      const { number, hash } = latest
      if (newest?.hash !== hash) newest = { number, hash, since: clock.now() }
    },
    isNew: (number: unknown, hash: unknown) =>
      newest !== undefined &&
      clock.now() - newest.since < LAG &&
      (newest.number === number || newest.hash === hash),
  }
}

/** Answers of one method are empty while what they are about has just become the newest block. */
export const lagging =
  (method: string, empty: unknown): Mutant['apply'] =>
  (context) => {
    const watch = newestWatch(context)
    return {
      response(response, { method: asked, params }) {
        const { result } = response
        if (asked === 'eth_getBlockByNumber' && params[0] === 'latest' && result)
          watch.look(result as JsonObject)
        if (asked !== method || !('result' in response)) return response
        const { blockHash, toBlock = params[0] } = filterOf(params)
        return watch.isNew(toBlock, blockHash) ? { ...response, result: empty } : response
      },
    }
  }
