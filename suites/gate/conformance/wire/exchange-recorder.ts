import type { Clock } from '#protocol/clock/clock'
import type { Exchange } from '#reports/model'

/** A failure is read from its exchanges: more than the longest case has. */
const MAX_EXCHANGES = 2_000
/** What shows how a case that did not fail went. */
const ENOUGH = 40
const MAX_CHARACTERS = 6_000
/** Milliseconds; a target that answers nothing for so long is silent, not slow. */
const MOST_SILENCE = 15_000

/** Keeps the last exchanges of one case or scene; bounded in number and size. */
export class ExchangeRecorder {
  readonly exchanges: Exchange[] = []
  dropped = 0
  /** Method → whether the target ever answered it with anything but "method not found". */
  readonly methods = new Map<string, boolean>()
  readonly #underWay = new Set<string>()
  #asking = 0
  #askingSince = 0
  #asked = 0
  #lastAnswer: number | undefined
  readonly #clock: Clock
  readonly #start: number
  readonly #onExchange: (exchange: Exchange) => void

  /** @param onExchange is given each exchange, uncut, with its time as that of the clock */
  constructor(clock: Clock, onExchange: (exchange: Exchange) => void = () => {}) {
    this.#clock = clock
    this.#start = clock.now()
    this.#onExchange = onExchange
  }

  /** Notes whether the target has a JSON-RPC method. */
  noteMethod(method: string, isThere: boolean): void {
    this.methods.set(method, isThere || (this.methods.get(method) ?? false))
  }

  /** What was sent and is not answered, each in a few words. */
  underWay(): string[] {
    return [...this.#underWay].map(
      (request) => /"method":"([^"]+)"/.exec(request)?.[1] ?? cutLine(request),
    )
  }

  /**
   * Whether answers are slow, but come: it waited for them most of the time, and one came a moment ago. Who asks now
   * and then whether something has come about does not wait for answers.
   * @param spent milliseconds that count so far
   */
  isAnswered(spent: number): boolean {
    const now = this.#clock.now()
    const waited = this.#asked + (this.#asking > 0 ? now - this.#askingSince : 0)
    return (
      waited > spent / 2 && this.#lastAnswer !== undefined && now - this.#lastAnswer < MOST_SILENCE
    )
  }

  /** An exchange with the time of the clock, as one of these: what was before has a time below zero. */
  sinceStart(exchange: Exchange): Exchange {
    return { ...exchange, at: exchange.at - this.#start }
  }

  /** Notes what is being sent; call the result with what came back, or null for nothing. */
  begin(transport: Exchange['transport'], url: string, request: string) {
    const at = this.#clock.now() - this.#start
    this.#underWay.add(request)
    if (this.#asking === 0) this.#askingSince = this.#clock.now()
    this.#asking += 1
    return (response: string | null, status?: number) => {
      this.#underWay.delete(request)
      this.#asking -= 1
      if (this.#asking === 0) this.#asked += this.#clock.now() - this.#askingSince
      if (response !== null) this.#lastAnswer = this.#clock.now()
      const exchange: Exchange = {
        transport,
        at,
        duration: this.#clock.now() - this.#start - at,
        url,
        request,
        response,
        ...(status === undefined ? {} : { status }),
      }
      this.#onExchange({ ...exchange, at: at + this.#start })
      this.exchanges.push(cutExchange(exchange))
      if (this.exchanges.length > MAX_EXCHANGES) {
        this.exchanges.shift()
        this.dropped += 1
      }
    }
  }
}

/**
 * The last exchanges of a case that did not fail, and how many are left out. Of one that waits, and asks the same again
 * and again, the last of these: what it waited for would be left out for them.
 */
export function lastOf(exchanges: readonly Exchange[]): { kept: Exchange[]; left: number } {
  if (exchanges.length <= ENOUGH) return { kept: [...exchanges], left: 0 }
  const last = exchanges.filter((each, at) => !isSameQuestion(each, exchanges[at + 1]))
  const kept = last.slice(-ENOUGH)
  return { kept, left: exchanges.length - kept.length }
}

function isSameQuestion(one: Exchange, next: Exchange | undefined): boolean {
  const withoutId = ({ request }: Exchange) => request.replace(/"id":\d+/, '')
  return next !== undefined && one.url === next.url && withoutId(one) === withoutId(next)
}

/** An exchange as a report keeps it: its texts are cut when long. */
export function cutExchange({ request, response, ...exchange }: Exchange): Exchange {
  return { ...exchange, request: cut(request), response: response === null ? null : cut(response) }
}

function cutLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 80)
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, MAX_CHARACTERS)}… (${text.length - MAX_CHARACTERS} more characters)`
}
