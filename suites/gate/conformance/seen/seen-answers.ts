import type { Exchange } from '#reports/model'
import { parseJson } from '../wire/parse-json.ts'
import { NOTIFICATION } from '../wire/subscription-client.ts'

/** What the node answered a call with, whichever case had asked for it. */
export interface SeenAnswer {
  method: string
  /** In their places; where they were named, in the order in which they were. */
  params: readonly unknown[]
  result: unknown
  /** The member of that name, where there is no result. */
  error?: unknown
  /** Milliseconds of the run's clock. */
  asked: number
  answered: number
  exchange: Exchange
}

/** A call and the answer that has its id, whole; undefined where none has. */
export interface SeenEnvelope {
  id: unknown
  response: Readonly<Record<string, unknown>> | undefined
  exchange: Exchange
}

/** A message that answers no call. */
export interface SeenNotification {
  message: Readonly<Record<string, unknown>>
  exchange: Exchange
}

/** A bound, not a wish: a normal run has some thirty thousand answers. */
export const MOST_ANSWERS = 200_000

/**
 * Every result of one node in the order of arrival: what a rule says of all answers is judged by these,
 * not only by those that its own case had asked for.
 */
export class SeenAnswers {
  readonly #url: string | undefined
  readonly #most: number
  readonly #answers = new Map<string, SeenAnswer[]>()
  readonly #errors = new Map<string, SeenAnswer[]>()
  #count = 0
  #isCut = false
  /** Calls as JSON-RPC has them that were answered in JSON, with what came back for each. */
  readonly envelopes: SeenEnvelope[] = []
  /** What a WebSocket was told without a call. */
  readonly notifications: SeenNotification[] = []
  /** When the gate itself begins to disturb the chain; milliseconds. */
  calmUntil = Number.POSITIVE_INFINITY
  /** When it has done so; what is asked from then on is of the blocks that stay. */
  calmAgain = Number.POSITIVE_INFINITY

  /** @param url of the node; what comes from elsewhere is not taken @param most that are kept, about */
  constructor(url: string | undefined, most = MOST_ANSWERS) {
    this.#url = url
    this.#most = most
  }

  /** Whether more came than is kept: whoever judges all of them judges the first ones. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Takes an exchange, uncut; one that is no answer of JSON-RPC is let go. */
  take(exchange: Exchange): void {
    if (exchange.url !== this.#url || exchange.response === null) return
    if (this.#count >= this.#most) {
      this.#isCut = true
      return
    }
    const [asked, answered] = [parseJson(exchange.request), parseJson(exchange.response)]
    if (exchange.request === NOTIFICATION) {
      this.#count += 1
      for (const message of listOf(answered)) this.notifications.push({ message, exchange })
      return
    }
    const [requests, responses] = [listOf(asked), listOf(answered)]
    // A batch may be refused as a whole, and what is no POST of JSON in other words than JSON-RPC's.
    const isTaken = exchange.transport === 'ws' || exchange.status === 200
    const isAnswered = isTaken && Array.isArray(asked) === Array.isArray(answered)
    for (const request of requests) {
      const { id, method, params } = request
      const response = responses.find((each) => each.id === id)
      const isEnvelope = isAnswered && responses.length > 0 && isWellFormed(request)
      if (isEnvelope) this.envelopes.push({ id, response, exchange })
      const says = response && ('result' in response || 'error' in response)
      if (!says || typeof method !== 'string') {
        if (isEnvelope) this.#count += 1
        continue
      }
      const kept = 'result' in response ? this.#answers : this.#errors
      const own = kept.get(method) ?? []
      kept.set(method, own)
      this.#count += 1
      own.push({
        method,
        params: Array.isArray(params) ? params : Object.values(params ?? {}),
        result: response.result,
        ...('result' in response ? {} : { error: response.error }),
        asked: exchange.at,
        answered: exchange.at + exchange.duration,
        exchange,
      })
    }
  }

  /** Those that results were seen of. */
  methods(): string[] {
    return [...this.#answers.keys()]
  }

  /** Those to one method, in the order of arrival. */
  to(method: string): SeenAnswer[] {
    return [...(this.#answers.get(method) ?? [])]
  }

  /** Those that were errors; their `result` is undefined. */
  errorsTo(method: string): SeenAnswer[] {
    return [...(this.#errors.get(method) ?? [])]
  }

  /** Likewise, those that are of blocks that stay: not asked while the gate itself replaced blocks. */
  ofLasting(method: string): SeenAnswer[] {
    return this.to(method).filter(
      ({ answered }) => answered < this.calmUntil || answered >= this.calmAgain,
    )
  }

  /** Likewise, those before the gate itself replaced blocks. */
  inCalm(method: string): SeenAnswer[] {
    return this.to(method).filter(({ answered }) => answered < this.calmUntil)
  }

  /** Likewise, errors. */
  errorsInCalm(method: string): SeenAnswer[] {
    return this.errorsTo(method).filter(({ answered }) => answered < this.calmUntil)
  }
}

function isWellFormed({ jsonrpc, id, method, params }: Readonly<Record<string, unknown>>): boolean {
  // JSON-RPC 2.0 advises against fractions: a node may refuse one with id null.
  const hasId = Number.isInteger(id) || typeof id === 'string'
  return jsonrpc === '2.0' && hasId && typeof method === 'string' && Array.isArray(params)
}

/** The objects of a call or a batch. */
function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((each) => typeof each === 'object' && each !== null)
}
