import type { Hex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { TrackedRequests } from './tracked-requests.ts'

const WHO = 'explorer'

/** Asks what the explorer asks for a page, and tells what was answered to whoever judges it. */
export class PageReader {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  readonly #sent: () => readonly Hex[]

  /** @param sent hashes of what was sent so far */
  constructor(world: World, requests: TrackedRequests, sent: () => readonly Hex[]) {
    this.#world = world
    this.#requests = requests
    this.#sent = sent
    this.#rng = seededRng(`pages ${world.facts.seed}`)
  }

  /** One page of any kind. */
  async read(): Promise<void> {
    await this.#any([() => this.#transaction(), () => this.#account(), () => this.#pool()])()
  }

  #any<T>(all: readonly T[]): T {
    return all[randomInt(this.#rng, all.length)]!
  }

  /** As it was sent, where it stands, and what it called. */
  async #transaction(): Promise<void> {
    const hashes = this.#sent()
    if (hashes.length === 0) return
    const hash = this.#any(hashes)
    await this.#tell('transaction.seen', ['eth_getTransactionByHash', [hash]], (result) => ({
      ...{ hash, transaction: result },
    }))
    const tracer = ['debug_traceTransaction', [hash, { tracer: 'callTracer' }]] as const
    await this.#tell('call.seen', tracer, (frame) => ({ hash, frame: withoutCalls(frame) }))
  }

  /** What it sent, was sent, or logged. */
  async #account(): Promise<void> {
    const { address } = this.#any(this.#world.facts.accounts)
    await this.#tell('past.seen', ['rollbed_transactionsOf', [address]], (result) => {
      const { transactions, before } = result as { transactions: { hash: Hex }[]; before: unknown }
      return { address, hashes: transactions.map(({ hash }) => hash), isAll: before === null }
    })
  }

  async #pool(): Promise<void> {
    await this.#tell('pool.seen', ['txpool_content', []], (result) => {
      const listed = (senders: Record<string, Record<string, { hash: Hex }>> = {}) =>
        Object.values(senders).flatMap((each) => Object.values(each).map(({ hash }) => hash))
      const { pending, queued } = result as Record<string, Parameters<typeof listed>[0]>
      const [next, later] = [listed(pending), listed(queued)]
      return { hashes: [...next, ...later], next }
    })
  }

  async #tell(
    what: string,
    [method, params]: readonly [string, readonly unknown[]],
    read: (result: unknown) => Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const asked = this.#world.recorder.now()
    const { result } = await this.#requests.rpc(WHO, 'l2', method, params)
    if (result !== undefined) this.#world.recorder.record(WHO, what, { ...read(result), asked })
  }
}

/** What the transaction itself did. */
function withoutCalls(frame: unknown): Record<string, unknown> {
  const { type, from, to, value, input, gasUsed, error } = frame as Record<string, unknown>
  return { type, from, to, value, input, gasUsed, isDone: error === undefined }
}
