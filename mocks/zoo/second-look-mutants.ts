import { isMarked } from './attribution-mutants.ts'
import type { HttpAnswer, HttpExchange, JsonObject, Mutant, MutantHooks } from './mutant.ts'
import { mutantsOf } from './mutant.ts'
import { unmutated } from './mutate-rpc-body.ts'
import { rewriteResponse, rewriteResult, without } from './rewrites.ts'

const [envelope, logs] = [mutantsOf('envelope', 'rpc'), mutantsOf('logs', 'rpc')]
const [stream, codes] = [mutantsOf('stream', 'ws'), mutantsOf('builder-codes', 'api')]
const suffixes = mutantsOf('builder-codes', 'rpc')

const list = (value: unknown) => value as JsonObject[]
const json = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Changes batches alone: what is asked, and what is answered. */
const batches =
  (
    answers: (answers: JsonObject[], calls: JsonObject[]) => readonly JsonObject[],
    calls: (calls: JsonObject[]) => readonly JsonObject[] = (each) => each,
  ): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const asked = parse(request.body)
      if (!Array.isArray(asked) || asked.length === 0) return forward(request)
      const body = JSON.stringify(calls(asked.map((each) => each)))
      const answer = await forward({ ...request, body })
      const found = parse(answer.body)
      if (!Array.isArray(found)) return answer
      return { ...answer, body: JSON.stringify(answers(found, asked)) }
    },
  })
const idOf = ({ id }: JsonObject) => JSON.stringify(id)

/** Changes each pre-confirmed log that is pushed; null drops it. */
const pushed =
  (
    make: () => (log: JsonObject, id: string, socket: object) => JsonObject | null,
  ): Mutant['apply'] =>
  () => {
    const change = make()
    const asked = new WeakMap<object, Set<unknown>>()
    const ids = new Set<string>()
    return {
      call(call, socket) {
        for (const each of [call].flat())
          if (socket && each.method === 'eth_subscribe' && each.params[0] === 'pendingLogs')
            asked.set(socket, (asked.get(socket) ?? new Set()).add(each.id))
        return call
      },
      message(message, socket) {
        for (const each of list([message].flat()))
          if (asked.get(socket)?.delete(each.id) && typeof each.result === 'string')
            ids.add(each.result)
        const { subscription, result } = Object(message.params)
        if (!ids.has(subscription)) return unmutated(message)
        const changed = change(result, subscription, socket)
        if (changed === null) return null
        return unmutated({ ...message, params: { subscription, result: changed } })
      },
    }
  }

/** Hears nothing of the filters that fit. */
const deafTo =
  (fits: (params: readonly unknown[]) => boolean): Mutant['apply'] =>
  () => ({
    call(call) {
      const isDeaf = call.params?.[0] === 'pendingLogs' && fits(call.params)
      const filter = { ...Object(call.params?.[1]), address: `0x${'5a'.repeat(20)}` }
      return isDeaf ? { ...call, params: ['pendingLogs', filter] } : call
    },
  })
const filterOf = ([, filter]: readonly unknown[]) => Object(filter) as JsonObject

/** Clients by the order of their connections. */
const byClient = (isSilent: (place: number) => boolean) =>
  pushed(() => {
    const sockets: object[] = []
    return (log, _, socket) => {
      if (!sockets.includes(socket)) sockets.push(socket)
      return isSilent(sockets.indexOf(socket)) ? null : log
    }
  })

const walletOf = ({ body }: HttpExchange) => Object(parse(body)).walletAddress as unknown
const isRecord = ({ status, body }: HttpAnswer) => status < 300 && body.includes('builderCode')
const coded = (answer: HttpAnswer, change: (record: JsonObject) => JsonObject) =>
  isRecord(answer) ? json(answer.status, change(parse(answer.body) as JsonObject)) : answer

const service = (
  rule: string,
  name: string,
  says: string,
  http: NonNullable<MutantHooks['http']>,
) => codes(rule, name, says, () => ({ http }))

/** Leaves the marker out of a transaction's input. */
const inputs = (method: string) =>
  rewriteResult(method, (result) => {
    const input = String(Object(result).input)
    return isMarked(input) ? { ...Object(result), input: input.slice(0, -32) } : result
  })

/** Mutants of a second list, written from the specification alone: what a batch, a second client or a suffix brings. */
export const SECOND_LOOK_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-09',
    'zero-is-null-on-errors',
    'Answers an error to id 0 with id null',
    rewriteResponse((response) =>
      'error' in response ? { ...response, id: response.id || null } : response,
    ),
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
        const block = first && list(first.params)[placeOf(first)!]
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
  envelope('RPC-ENV-05', 'names-in-any-case', 'Takes a method in any letter case', () => ({
    call(call) {
      const known = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_getStorageAt']
      const method = known.find((each) => each.toLowerCase() === call.method.toLowerCase())
      return { ...call, method: method ?? call.method }
    },
  })),
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
  envelope('RPC-ENV-09', 'no-id-after-a-broken-body', 'Loses one id after a broken body', () => {
    let isBroken = false
    return {
      async http(request, forward) {
        const answer = await forward(request)
        const wasBroken = isBroken
        isBroken = parse(request.body) === undefined
        const found = parse(answer.body)
        if (!wasBroken || isBroken || !found || Array.isArray(found)) return answer
        return { ...answer, body: JSON.stringify({ ...Object(found), id: null }) }
      },
    }
  }),
  stream('RPC-ENV-09', 'ids-swapped', 'Swaps the ids of two answers under way', () => {
    const open = new WeakMap<object, Set<unknown>>()
    const swapped = new WeakMap<object, Map<unknown, unknown>>()
    return {
      call(call, socket) {
        if (socket) open.set(socket, (open.get(socket) ?? new Set()).add(call.id))
        return call
      },
      message(message, socket) {
        const [ids, other] = [open.get(socket), swapped.get(socket) ?? new Map()]
        if (!ids?.delete(message.id)) return unmutated(message)
        const next = [...ids].find((id) => !other.has(id))
        if (!other.has(message.id) && next !== undefined) {
          other.set(message.id, next).set(next, message.id)
          swapped.set(socket, other)
        }
        return unmutated({ ...message, id: other.get(message.id) ?? message.id })
      },
    }
  }),
  stream(
    'RPC-WS-02',
    'deaf-to-capitals',
    'Hears nothing of an address with capitals',
    deafTo((params) => /[A-F]/.test(JSON.stringify(filterOf(params).address ?? ''))),
  ),
  stream('RPC-WS-02', 'first-of-addresses', 'Hears the first address of a list alone', () => ({
    call(call) {
      const [kind, filter] = call.params ?? []
      const { address } = Object(filter)
      if (kind !== 'pendingLogs' || !Array.isArray(address)) return call
      return { ...call, params: [kind, { ...Object(filter), address: address.slice(0, 1) }] }
    },
  })),
  stream(
    'RPC-WS-02',
    'third-client-silent',
    'Sends nothing to the third connection and those after it',
    byClient((place) => place > 1),
  ),
  stream(
    'RPC-WS-02',
    'equals-dropped',
    'Drops a log that says what the one before it said',
    pushed(() => {
      const last = new Map<string, string>()
      return (log, id) => {
        const now = JSON.stringify([log.address, log.topics, log.data])
        const before = last.get(id)
        last.set(id, now)
        return before === now ? null : log
      }
    }),
  ),
  stream(
    'RPC-WS-02',
    'ninth-silent',
    'Sends nothing to the ninth subscription of a connection',
    pushed(() => {
      const ids = new WeakMap<object, string[]>()
      return (log, id, socket) => {
        const own = ids.get(socket) ?? []
        if (!own.includes(id)) own.push(id)
        ids.set(socket, own)
        return own.indexOf(id) < 8 ? log : null
      }
    }),
  ),
  logs(
    'RPC-LOG-07',
    'no-time-by-hash',
    'Leaves blockTimestamp out of logs by block hash',
    rewriteResult('eth_getLogs', (result, { params }) =>
      Object(params[0]).blockHash
        ? list(result).map((log) => without(log, 'blockTimestamp'))
        : result,
    ),
  ),
  service(
    'BC-05',
    'member-in-any-case',
    'Takes walletaddress for its member',
    (request, forward) => {
      const found = Object(parse(request.body))
      const wallet = found.walletAddress ?? found.walletaddress ?? found.wallet_address
      if (found.walletAddress || !wallet) return forward(request)
      return forward({ ...request, body: JSON.stringify({ walletAddress: wallet }) })
    },
  ),
  service('BC-05', 'list-of-one', 'Takes a list of one record', (request, forward) => {
    const found = parse(request.body)
    if (!Array.isArray(found) || !found[0]?.walletAddress) return forward(request)
    return forward({ ...request, body: JSON.stringify(found[0]) })
  }),
  service(
    'BC-12',
    'code-of-the-caller',
    'Takes the code that the caller gives',
    async (request, forward) => {
      const { builderCode } = Object(parse(request.body))
      const answer = await forward(request)
      return builderCode ? coded(answer, (record) => ({ ...record, builderCode })) : answer
    },
  ),
  codes('BC-11', 'conflict-in-other-case', 'Refuses a wallet in another letter case', () => {
    const spelt = new Map<string, string>()
    return {
      async http(request, forward) {
        const answer = await forward(request)
        if (!isRecord(answer)) return answer
        const wallet = String(walletOf(request))
        const before = spelt.get(wallet.toLowerCase()) ?? wallet
        spelt.set(wallet.toLowerCase(), before)
        return before === wallet ? answer : json(409, {})
      },
    }
  }),
  codes('BC-05', 'record-before', 'Answers a broken request with the record before it', () => {
    let last: HttpAnswer | undefined
    return {
      async http(request, forward) {
        const answer = await forward(request)
        if (isRecord(answer)) last = answer
        return answer.status === 400 && parse(request.body) === undefined
          ? (last ?? answer)
          : answer
      },
    }
  }),
  suffixes(
    'ATTR-05',
    'input-without-marker',
    'Leaves the marker out of a transaction by hash',
    inputs('eth_getTransactionByHash'),
  ),
  suffixes('RPC-CALL-14', 'marker-cut-for-calls', 'Calls without the marker', () => ({
    call(call) {
      const [first, ...rest] = call.params ?? []
      const { data } = Object(first)
      if (call.method !== 'eth_call' || !isMarked(data)) return call
      return { ...call, params: [{ ...Object(first), data: data.slice(0, -32) }, ...rest] }
    },
  })),
  suffixes('ATTR-04', 'empty-calls-refused', 'Refuses a suffix with nothing before it', () => ({
    call(call) {
      const { data } = Object(call.params?.[0])
      const isBare = call.method === 'eth_call' && /^0x62635f/.test(String(data)) && isMarked(data)
      const error = { code: -32000, message: 'execution reverted' }
      return isBare ? { reply: { jsonrpc: '2.0', id: call.id, error } } : call
    },
  })),
  logs(
    'RPC-GETLOGS-03',
    'logs-of-suffixed-lost',
    'Finds no log of a transaction with a suffix',
    (context) => {
      const marked = new Map<unknown, Promise<boolean>>()
      const hasSuffix = ({ transactionHash: hash }: JsonObject) => {
        const ask = async () =>
          isMarked(Object(await context.ask('eth_getTransactionByHash', [hash])).input)
        const known = marked.get(hash) ?? ask()
        marked.set(hash, known)
        return known
      }
      return rewriteResult('eth_getLogs', async (result) => {
        const found = list(result)
        const marks = await Promise.all(found.map(hasSuffix))
        return found.filter((_, at) => !marks[at])
      })(context)
    },
  ),
]
