import { type JsonObject, type Mutant, mutantsOf, type RpcCall } from '../mutant.ts'
import { isHeight, isLowerCaseHeight } from '../parts/block-selectors.ts'

const selectors = mutantsOf('selectors', 'rpc')

/** Keeps what was answered to the same parameters first, and never asks again. */
const kept =
  (method: string, isKept: (result: unknown, params: readonly unknown[]) => boolean) => () => {
    const answers = new Map<string, unknown>()
    return {
      call(asked: RpcCall) {
        const key = JSON.stringify(asked.params)
        if (asked.method !== method || !answers.has(key)) return asked
        return { reply: { jsonrpc: '2.0', id: asked.id, result: answers.get(key) } }
      },
      response(response: JsonObject, { method: asked, params }: RpcCall) {
        const { result } = response
        if (asked === method && isKept(result, params)) answers.set(JSON.stringify(params), result)
        return response
      },
    }
  }

/** What was answered first to a question at a height is its answer from then on. */
const keptByHeight =
  (method: string, at: number): Mutant['apply'] =>
  () => {
    const kept = new Map<string, unknown>()
    return {
      response(response, { method: asked, params }) {
        if (asked !== method || !isHeight(params[at]) || !('result' in response)) return response
        const question = JSON.stringify(params)
        if (!kept.has(question)) kept.set(question, response.result)
        return { ...response, result: kept.get(question) }
      },
    }
  }

/** Mutants that keep what they answered at a height, over a reorganization too. */
export const KEPT_BY_HEIGHT_MUTANTS: readonly Mutant[] = [
  selectors(
    'RPC-SEL-01',
    'height-kept',
    'Keeps blocks by their height, over a reorganization too',
    kept(
      'eth_getBlockByNumber',
      (block, [height]) => isLowerCaseHeight(height) && Object(block).hash,
    ),
  ),
  selectors(
    'RPC-LOG-10',
    'logs-of-height-kept',
    'Keeps the logs of a height, over a reorganization too',
    kept('eth_getLogs', (_, [filter]) => isLowerCaseHeight(Object(filter).toBlock)),
  ),
  selectors(
    'RPC-CALL-18',
    'calls-of-height-kept',
    'Keeps what calls return at a height, over a reorganization too',
    keptByHeight('eth_call', 1),
  ),
  selectors(
    'RPC-STOR-07',
    'slots-of-height-kept',
    'Keeps what slots hold at a height, over a reorganization too',
    keptByHeight('eth_getStorageAt', 2),
  ),
  selectors(
    'RPC-SIM-25',
    'simulations-of-height-kept',
    'Keeps simulations upon a height, over a reorganization too',
    keptByHeight('eth_simulateV1', 1),
  ),
]
