import { type JsonObject, type Mutant, type MutantHooks, mutantsOf, seenIn } from '../mutant.ts'
import { unmutated } from '../mutate-rpc-body.ts'
import { parseJson } from '../parts/parse-json.ts'

const [envelope, stream] = [mutantsOf('envelope', 'rpc'), mutantsOf('stream', 'ws')]

/** Changes the answer to a batch. */
const batches =
  (change: (answers: JsonObject[], calls: unknown[]) => unknown): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const calls = parseJson(request.body)
      const answer = await forward(request)
      const answers = parseJson(answer.body)
      if (!Array.isArray(calls) || !Array.isArray(answers)) return answer
      return { ...answer, body: JSON.stringify(change(answers, calls)) }
    },
  })

const isCall = (value: unknown) => typeof Object(value).method === 'string'

const isLog = ({ method }: JsonObject) => method === 'eth_subscription'
const subscriptionOf = ({ params }: JsonObject) => String(Object(params).subscription)

/** Sends what a subscription is told while it `isHeard`. */
const onlyWhile =
  (isHeard: (count: number, age: number) => boolean): Mutant['apply'] =>
  ({ clock }) => {
    const ofSockets = new WeakMap<object, Map<string, { count: number; since: number }>>()
    return {
      message(message, socket) {
        if (!isLog(message)) return unmutated(message)
        const id = subscriptionOf(message)
        const own = ofSockets.get(socket) ?? new Map<string, { count: number; since: number }>()
        const { count, since } = own.get(id) ?? { count: 0, since: clock.now() }
        ofSockets.set(socket, own.set(id, { count: count + 1, since }))
        return isHeard(count, clock.now() - since) ? unmutated(message) : null
      },
    }
  }

/** Where connections listen to the same, each of them hears for all. */
const heardForAll = (): MutantHooks => {
  const listening = new Map<string, Set<object>>()
  const asked = new Map<object, Map<unknown, string>>()
  const questions = new Map<string, string>()
  return {
    call(call, socket) {
      if (!socket || call.method !== 'eth_subscribe') return call
      const own = asked.get(socket) ?? new Map<unknown, string>()
      asked.set(socket, own.set(call.id, JSON.stringify(call.params)))
      return call
    },
    message(message, socket) {
      const question = asked.get(socket)?.get(message.id)
      if (question && typeof message.result === 'string') {
        questions.set(message.result, question)
        listening.set(question, (listening.get(question) ?? new Set()).add(socket))
      }
      if (!isLog(message)) return unmutated(message)
      const heard = questions.get(subscriptionOf(message)) ?? ''
      return { message, delay: 0, times: listening.get(heard)?.size ?? 1 }
    },
  }
}

const MOST_MESSAGES = 100
/** Milliseconds. */
const LONGEST = 5_000

/** Bugs that real nodes had in batches and in streams. */
export const REAL_NODE_WIRE_MUTANTS: readonly Mutant[] = [
  seenIn(
    ['NethermindEth/nethermind#12485'],
    envelope(
      'RPC-ENV-09',
      'batch-ends-at-what-is-no-call',
      'Of a batch nothing is answered after an element that is no call',
      batches((answers, calls) => {
        const first = calls.findIndex((each) => !isCall(each))
        if (first < 0) return answers
        const ids = calls.slice(first + 1).map((each) => Object(each).id as unknown)
        return answers.filter(({ id }) => id === null || !ids.includes(id))
      }),
    ),
  ),
  seenIn(
    ['ConsenSys-archive/ganache-ui#1211'],
    envelope(
      'RPC-ENV-09',
      'batches-refused',
      'Answers a batch with one error',
      batches(() => {
        const error = { code: -32600, message: 'missing request id' }
        return { jsonrpc: '2.0', id: null, error }
      }),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#2887'],
    stream(
      'RPC-WS-02',
      'silent-after-a-hundred',
      'Falls silent after a hundred messages, and the connection lives',
      onlyWhile((count) => count < MOST_MESSAGES),
    ),
  ),
  seenIn(
    ['ethereum/go-ethereum#2887'],
    stream(
      'RPC-WS-02',
      'silent-after-a-while',
      'Falls silent after five seconds, and the connection lives',
      onlyWhile((_, age) => age < LONGEST),
    ),
  ),
  seenIn(
    ['crypto-org-chain/cronos#356'],
    stream(
      'RPC-WS-02',
      'heard-for-all',
      'Where two connections listen to the same, each hears all of it twice',
      heardForAll,
    ),
  ),
]
