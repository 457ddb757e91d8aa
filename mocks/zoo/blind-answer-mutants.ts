import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { without } from './rewrites.ts'

const [call, storage] = [mutantsOf('call', 'rpc'), mutantsOf('storage', 'rpc')]
const [simulate, envelope] = [mutantsOf('simulate', 'rpc'), mutantsOf('envelope', 'rpc')]

const list = (value: unknown) => (Array.isArray(value) ? value : []) as JsonObject[]

/** Changes each answer of a batch. */
const inBatches =
  (change: (answer: JsonObject) => JsonObject): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const answer = await forward(request)
      const isBatch = [request, answer].every(({ body }) => body.trim().startsWith('['))
      if (!isBatch) return answer
      return {
        ...answer,
        body: JSON.stringify((JSON.parse(answer.body) as JsonObject[]).map(change)),
      }
    },
  })

/** By the height of the newest block, what the one before it had; `place` is that of the height. */
const newestIsTheOneBefore =
  (
    method: string,
    place: number,
    join: (result: unknown, before: unknown) => unknown = (_, before) => before,
  ): Mutant['apply'] =>
  ({ ask }) => ({
    async response(response, { method: asked, params }) {
      const height = String(params[place])
      if (asked !== method || !/^0x/.test(height) || !('result' in response)) return response
      const newest = await ask('eth_blockNumber')
      if (newest === null || BigInt(height) !== BigInt(String(newest))) return response
      const before = `0x${(BigInt(height) - 1n).toString(16)}`
      const result = await ask(
        method,
        params.map((each, at) => (at === place ? before : each)),
      )
      return result === null ? response : { ...response, result: join(response.result, result) }
    },
  })

/** Blocks as they are, with the calls of others. */
const withCallsOf = (result: unknown, others: unknown) =>
  list(result).map((block, at) => ({ ...block, calls: list(others)[at]?.calls ?? block.calls }))

/** Milliseconds for which the state of a call is kept. */
const KEPT = 1_000

/** A call at pending that runs on the state that the last one to the same contract has left. */
const oneOnAnother: Mutant['apply'] = ({ ask, clock }) => {
  const before = new Map<unknown, { asked: unknown; at: number }>()
  return {
    async response(response, { method, params: [asked, at, ...rest] }) {
      const isMeant = method === 'eth_call' && at === 'pending' && rest.length === 0
      if (!isMeant || !('result' in response)) return response
      const { to } = Object(asked)
      const last = before.get(to)
      before.set(to, { asked, at: clock.now() })
      if (!last || clock.now() - last.at > KEPT) return response
      const calls = [last.asked, asked]
      const [block] = list(await ask('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, at]))
      const again = list(block?.calls)[1]
      return again?.status === '0x1' ? { ...response, result: again.returnData } : response
    },
  }
}

/** Wrong answers that a second list, written from the specification alone, named and no case looked for. */
export const BLIND_ANSWER_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-09',
    'zero-is-null-in-a-batch',
    'In a batch the id zero comes back as null',
    inBatches((answer) => (answer.id === 0 ? { ...answer, id: null } : answer)),
  ),
  envelope(
    'RPC-ENV-08',
    'bare-errors-in-a-batch',
    'In a batch failures lack the version',
    inBatches((answer) => ('error' in answer ? without(answer, 'jsonrpc') : answer)),
  ),
  envelope(
    'RPC-ENV-10',
    'null-left-out-in-a-batch',
    'In a batch there is no result where it is null',
    inBatches((answer) => (answer.result === null ? without(answer, 'result') : answer)),
  ),
  call(
    'RPC-CALL-16',
    'one-call-on-another',
    'A call at pending runs on what the last one to the contract has written',
    oneOnAnother,
  ),
  call(
    'RPC-CALL-18',
    'newest-height-before',
    'A call at the height of the newest block runs on the one before',
    newestIsTheOneBefore('eth_call', 1),
  ),
  storage(
    'RPC-STOR-07',
    'newest-height-before',
    'A slot at the height of the newest block is that of the one before',
    newestIsTheOneBefore('eth_getStorageAt', 2),
  ),
  simulate(
    'RPC-SIM-02',
    'newest-height-before',
    'Simulated calls at the height of the newest block run on the one before',
    newestIsTheOneBefore('eth_simulateV1', 1, withCallsOf),
  ),
]
