import { answering, type HostChange } from '#mocks/host/host-changes'
import { hostMutant } from '../host-mutant.ts'
import type {
  HttpAnswer,
  HttpExchange,
  JsonObject,
  Mutant,
  MutantContext,
  MutantHooks,
} from '../mutant.ts'
import { rewriteError } from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const TIMEOUT = '--proof-timeout'

type After = (delay: number, then: () => void) => unknown
type Timer = (limit: number, after: After) => () => MutantHooks

/** The timer of a proof that is over ends the one that is under way by then. */
const keptTimer: Timer = (limit, after) => () => {
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

/** Only the first proof has a timer. */
const oneTimer: Timer = (limit, after) => () => {
  let isFirst = true
  return {
    async http(request, forward) {
      if (!request.body.includes(PROVE) || !isFirst) return forward(request)
      isFirst = false
      const ended = Promise.withResolvers<HttpAnswer>()
      after(limit, () => ended.resolve(timedOut(request, limit)))
      return Promise.race([forward(request), ended.promise])
    },
  }
}

/** A host with such a timer before it, beside its own or in its place. */
const timedBy =
  (timer: Timer, { keepsOwn }: { keepsOwn: boolean }) =>
  ({ clock }: MutantContext): HostChange =>
  (launch) =>
  (flags) => {
    const seconds = Number(flags.find(([name]) => name === TIMEOUT)?.[1])
    if (!seconds) return launch(flags)
    const hooks = timer(1000 * seconds, (delay, then) => clock.after(delay, then))
    return answering(clock, hooks)(launch)(
      keepsOwn ? flags : flags.filter(([name]) => name !== TIMEOUT),
    )
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

/** Names the block of the request that came last, whichever is lost. */
function namesNewest(): MutantHooks {
  let newest: unknown
  return {
    call(call) {
      if (call.method === PROVE) newest = Object(call.params[0]).claimed_l2_block_number
      return call
    },
    response(response) {
      const { message, ...error } = Object(response.error) as JsonObject
      if (!/timed out/.test(String(message))) return response
      const named = String(message).replace(/\d+$/, String(newest))
      return { ...response, error: { ...error, message: named } }
    },
  }
}

/** Mutants whose timeout of a proof is that of another, or names another block. */
export const HOST_TIMEOUT_MUTANTS: readonly Mutant[] = [
  hostMutant(
    'HOST-RPC-14',
    'timer-kept',
    'Ends a proof at the timeout of the one before, which was over',
    timedBy(keptTimer, { keepsOwn: true }),
  ),
  hostMutant(
    'HOST-RPC-14',
    'first-proof-timed',
    'Has a timeout for the first proof only',
    timedBy(oneTimer, { keepsOwn: false }),
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
  served(
    'ERR-13',
    'timeout-of-newest',
    'Names the block of the request that came last, whichever is lost at the timeout',
    namesNewest,
  ),
]
