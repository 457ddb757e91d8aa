import { answering } from '#mocks/host/host-changes'
import { hostMutant } from '../host-mutant.ts'
import type { HttpAnswer, HttpExchange, JsonObject, Mutant, MutantHooks } from '../mutant.ts'
import { rewriteError } from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const TIMEOUT = '--proof-timeout'

/** The timer of a proof that is over ends the one that is under way by then. */
const keptTimer =
  (limit: number, after: (delay: number, then: () => void) => unknown) => (): MutantHooks => {
    let endCurrent = (): void => {}
    return {
      async http(request, forward) {
        if (!request.body.includes(PROVE)) return forward(request)
        const ended = Promise.withResolvers<HttpAnswer>()
        endCurrent = () => ended.resolve(timedOut(request, limit))
        after(limit, () => endCurrent())
        return Promise.race([forward(request), ended.promise])
      },
    }
  }

function timedOut({ body }: HttpExchange, limit: number): HttpAnswer {
  const { id, params } = JSON.parse(body) as { id: unknown; params: [JsonObject] }
  const block = params[0].claimed_l2_block_number
  const message = `proof request timed out after ${limit / 1000}s for L2 block ${block}`
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } }),
  }
}

/** Mutants whose timeout of a proof is that of another, or names another block. */
export const HOST_TIMEOUT_MUTANTS: readonly Mutant[] = [
  hostMutant(
    'HOST-RPC-14',
    'timer-kept',
    'Ends a proof at the timeout of the one before, which was over',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const seconds = Number(flags.find(([name]) => name === TIMEOUT)?.[1])
        if (!seconds) return launch(flags)
        const hooks = keptTimer(1000 * seconds, (delay, then) => clock.after(delay, then))
        return answering(clock, hooks)(launch)(flags)
      },
  ),
  served(
    'ERR-13',
    'timeout-of-block-before',
    'Names the block before the one that was lost at the timeout',
    rewriteError(PROVE, (error) => ({
      ...error,
      message: String(error.message).replace(/\d+$/, (block) => String(Number(block) - 1)),
    })),
  ),
]
