import type { World } from '#devnet/rollup/world/world'
import type { TrackedRequests } from './tracked-requests.ts'

interface BlockJson {
  number: string | null
  hash: string | null
  parentHash: string
  transactionsRoot: string
  transactions: string[]
}

interface ReceiptJson {
  blockNumber: string
  transactionIndex: string
  cumulativeGasUsed: string
}

/** Blocks looked up in one round, where it was cut off for long. */
const MOST_BLOCKS = 64

/** Looks at the chain as a client would, and tells the recorder what it saw. */
export class Observer {
  readonly #world: World
  readonly #requests: TrackedRequests
  readonly #heads = new Map<string, string>()
  #last = -1
  #lastHash = ''

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
  }

  /** One look at everything. */
  async look(): Promise<void> {
    const pending = await this.#block('pending')
    if (pending) {
      this.#tell('pending.seen', {
        parent: pending.parentHash,
        root: pending.transactionsRoot,
        transactions: pending.transactions,
      })
    }
    await this.#receipts()
    await this.#blocks()
    for (const tag of ['safe', 'finalized']) await this.#head(tag)
  }

  async health(): Promise<void> {
    const { result, error } = await this.#requests.rpc('observer', 'host', 'healthz', [], 15_000)
    // No answer is no word on its health.
    const isAnswer = result !== undefined || error?.name === 'RpcRefused'
    if (isAnswer) this.#tell('health.seen', { isWell: result !== undefined })
  }

  async #receipts(): Promise<void> {
    const receipts = await this.#ask<ReceiptJson[]>('eth_getBlockReceipts', ['pending'])
    if (!receipts?.length) return
    this.#tell('receipts.seen', {
      blocks: receipts.map(({ blockNumber }) => Number(blockNumber)),
      indices: receipts.map(({ transactionIndex }) => Number(transactionIndex)),
      cumulative: receipts.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed)),
    })
  }

  /** Every block since the last that was seen, and again those that were replaced. */
  async #blocks(): Promise<void> {
    const latest = await this.#block('latest')
    if (!latest) return
    const head = Number(latest.number)
    let from = this.#last < 0 ? head : this.#last + 1
    if (this.#last >= 0) from = (await this.#forkFrom(Math.min(this.#last, head))) + 1
    for (let number = Math.max(from, head - MOST_BLOCKS); number <= head; number++) {
      const block = number === head ? latest : await this.#block(`0x${number.toString(16)}`)
      if (!block) return
      await this.#seen(block)
    }
  }

  /** The newest number at which the chain is still the one that was seen. */
  async #forkFrom(known: number): Promise<number> {
    const block = await this.#block(`0x${known.toString(16)}`)
    if (!block || known !== this.#last || block.hash === this.#lastHash) return this.#last
    this.#tell('reorg.seen', { number: known, hash: block.hash })
    return Math.max(-1, known - MOST_BLOCKS)
  }

  async #seen(block: BlockJson): Promise<void> {
    const { hash, parentHash, transactions } = block
    const number = Number(block.number)
    this.#tell('block.seen', { number, hash, parent: parentHash, transactions })
    this.#last = number
    this.#lastHash = String(hash)
    const logs = await this.#ask<{ logIndex: string }[]>('eth_getLogs', [{ blockHash: hash }])
    if (!logs?.length) return
    this.#tell('logs.seen', { block: hash, indices: logs.map((log) => Number(log.logIndex)) })
  }

  async #head(tag: string): Promise<void> {
    const block = await this.#block(tag)
    if (!block?.hash || this.#heads.get(tag) === block.hash) return
    this.#heads.set(tag, block.hash)
    this.#tell(`${tag}.seen`, { number: Number(block.number), hash: block.hash })
  }

  #block(tag: string): Promise<BlockJson | undefined> {
    return this.#ask<BlockJson>('eth_getBlockByNumber', [tag, false])
  }

  async #ask<T>(method: string, params: readonly unknown[]): Promise<T | undefined> {
    const { result } = await this.#requests.rpc('observer', 'l2', method, params)
    return (result ?? undefined) as T | undefined
  }

  #tell(what: string, data: Readonly<Record<string, unknown>>): void {
    this.#world.recorder.record('observer', what, data)
  }
}
