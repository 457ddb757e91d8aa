import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { parseJson } from '../parts/parse-json.ts'
import { without } from '../rewrites.ts'

const envelope = mutantsOf('envelope', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')
const logs = mutantsOf('logs', 'rpc')

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

/** Changes batches alone: what is asked, and what is answered. */
const batches =
  (
    answers: (answers: JsonObject[], calls: JsonObject[]) => readonly JsonObject[],
    calls: (calls: JsonObject[]) => readonly JsonObject[] = (each) => each,
  ): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const asked = parseJson(request.body)
      if (!Array.isArray(asked) || asked.length === 0) return forward(request)
      const body = JSON.stringify(calls(asked.map((each) => each)))
      const answer = await forward({ ...request, body })
      const found = parseJson(answer.body)
      if (!Array.isArray(found)) return answer
      return { ...answer, body: JSON.stringify(answers(found, asked)) }
    },
  })
const idOf = ({ id }: JsonObject) => JSON.stringify(id)

/** Changes each list that a method gives in a batch. */
const resultsInBatches = (method: string, change: (list: JsonObject[]) => readonly JsonObject[]) =>
  batches((answers, calls) =>
    answers.map((each) => {
      const isOf = calls.some((call) => idOf(call) === idOf(each) && call.method === method)
      return isOf && Array.isArray(each.result) ? { ...each, result: change(each.result) } : each
    }),
  )

/** The first two results of a batch are each other's. */
const batchMixed: Mutant['apply'] = () => ({
  async http(request, forward) {
    const answer = await forward(request)
    if (!answer.body.startsWith('[')) return answer
    const [first, second, ...rest] = JSON.parse(answer.body) as JsonObject[]
    if (!first || !second) return answer
    const mixed = [{ ...first, id: second.id }, { ...second, id: first.id }, ...rest]
    return { ...answer, body: JSON.stringify(mixed) }
  },
})

/** Mutants of what is asked and answered in a batch. */
export const BATCH_MUTANTS: readonly Mutant[] = [
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
  envelope(
    'RPC-ENV-09',
    'sixteen-in-a-batch',
    'Answers sixteen of a batch',
    batches((answers) => answers.slice(0, 16)),
  ),
  envelope(
    'RPC-ENV-09',
    'equals-answered-once',
    'Answers equal calls of a batch once',
    batches((answers, calls) => {
      const keyOf = (call?: JsonObject) => JSON.stringify([call?.method, call?.params])
      const firsts = calls.filter(
        (call, at) => calls.findIndex((each) => keyOf(each) === keyOf(call)) === at,
      )
      const ids = firsts.map(idOf)
      return answers.filter((each) => each.id === null || ids.includes(idOf(each)))
    }),
  ),
  envelope(
    'RPC-ENV-06',
    'one-block-for-a-batch',
    'Reads all of a batch at the block of its first',
    batches(
      (answers) => answers,
      (calls) => {
        const at: Record<string, number> = { eth_getStorageAt: 2, eth_call: 1, eth_getBalance: 1 }
        const placeOf = (call: JsonObject) => at[String(Object(call).method)]
        const first = calls.find(placeOf)
        const block = first && asList(first.params)[placeOf(first)!]
        return calls.map((call) => {
          const place = placeOf(call)
          if (!place || !Array.isArray(call.params) || !block) return call
          return { ...call, params: call.params.with(place, block) }
        })
      },
    ),
  ),
  envelope(
    'RPC-ENV-04',
    'version-ignored-in-batches',
    'Never looks at jsonrpc in a batch',
    batches(
      (answers) => answers,
      (calls) =>
        calls.map((call) =>
          typeof call === 'object' && call !== null && 'method' in call
            ? { ...call, jsonrpc: '2.0' }
            : call,
        ),
    ),
  ),
  {
    ...envelope(
      'RPC-ENV-17',
      'simulates-in-batches',
      'Offers eth_simulateV1 without pre-confirmations in a batch',
      batches((answers, calls) =>
        answers.map((each) =>
          calls.some((call) => idOf(call) === idOf(each) && call.method === 'eth_simulateV1')
            ? { jsonrpc: '2.0', id: each.id, result: [{ calls: [] }] }
            : each,
        ),
      ),
    ),
    target: 'rpcPlain',
  },
  envelope(
    'RPC-ENV-09',
    'batch-mixed',
    'Exchanges the ids of the first two answers of a batch',
    batchMixed,
  ),
  envelope('RPC-ENV-10', 'batch-fails-whole', 'One error in a batch is the error of all', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      if (!request.body.startsWith('[') || !answer.body.startsWith('[')) return answer
      const answers = JSON.parse(answer.body) as JsonObject[]
      const failed = answers.find((each) => 'error' in each)
      if (!failed) return answer
      const all = answers.map((each) => ({ ...without(each, 'result'), error: failed.error }))
      return { ...answer, body: JSON.stringify(all) }
    },
  })),
  envelope(
    'RPC-ENV-11',
    'result-beside-error-in-a-batch',
    'In a batch an error has a result null beside it',
    inBatches((answer) => ('error' in answer ? { ...answer, result: null } : answer)),
  ),
  envelope(
    'RPC-ENV-02',
    'no-simulate-in-batches',
    'Does not know eth_simulateV1 in a batch',
    batches((answers, calls) =>
      answers.map((each) =>
        calls.some((call) => idOf(call) === idOf(each) && call.method === 'eth_simulateV1')
          ? { jsonrpc: '2.0', id: each.id, error: { code: -32601, message: 'Method not found' } }
          : each,
      ),
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'ids-by-place',
    'Gives the answers of a batch the ids of its calls by place, notifications too',
    batches((answers, calls) =>
      answers.map((each, at) => ({ ...each, id: calls[at]?.id ?? null })),
    ),
  ),
  envelope('RPC-ENV-09', 'one-as-itself', 'Answers a batch of one by no list', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      const found = parseJson(answer.body)
      const isOne = Array.isArray(found) && found.length === 1
      return isOne ? { ...answer, body: JSON.stringify(found[0]) } : answer
    },
  })),
  simulate(
    'RPC-SIM-33',
    'no-status-in-batches',
    'Leaves status out of simulated calls in a batch',
    resultsInBatches('eth_simulateV1', (blocks) =>
      blocks.map((block) => ({
        ...block,
        calls: (block.calls as JsonObject[]).map((call) => without(call, 'status')),
      })),
    ),
  ),
  logs(
    'RPC-LOG-08',
    'other-transaction-in-batches',
    'Names the transaction of the first log for all logs in a batch',
    resultsInBatches('eth_getLogs', (found) =>
      found.map((log) => ({ ...log, transactionHash: found[0]?.transactionHash })),
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'ids-by-their-text',
    'Keeps the results of a batch by the text of the id: of 1 and "1" the later has both',
    batches((answers, calls) =>
      answers.map((each) => {
        const last = calls.findLast(({ id }) => String(id) === String(each.id))
        const other = answers.find((answer) => last && idOf(answer) === idOf(last))
        return { ...(other ?? each), id: each.id }
      }),
    ),
  ),
]
