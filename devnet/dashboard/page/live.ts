import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { later } from './browser-clock.ts'
import { joinBlocks } from './join-blocks.ts'
import type { BlockJson, Hex } from './json-types.ts'
import { NodeConnection } from './node-connection.ts'

/** The description as the page gets it: accounts without their keys. */
export type Devnet = Omit<DevnetDescription, 'accounts'> & { accounts: Hex[] }

/** What changes by itself. */
export interface LiveState {
  isConnected: boolean
  latest: number
  safe: number
  finalized: number
  /** The block under construction. */
  pending: BlockJson | undefined
  /** Transactions in it after each of its flashblocks. */
  flashblocks: number[]
  /** The newest sealed ones, newest first. */
  blocks: BlockJson[]
  /** Why nothing new is proven any more, and what to do; empty while all follows from L1. */
  divergence: string
  /** What is wrong in the devnet, one sentence each. */
  trouble: string[]
}

const SHOWN_BLOCKS = 60
/** Milliseconds in which blocks of 200 ms are shown together: nobody reads five lines a second. */
const FAST_PACE = 1_000
/** Milliseconds between two looks at the devnet's health. */
const HEALTH_INTERVAL = 2_000

/** Follows a devnet and tells who listens whenever something changed. */
export class Live {
  readonly devnet: Devnet
  readonly node: NodeConnection
  readonly #listeners = new Set<() => void>()
  /** Sealed and not shown yet, oldest first. */
  #sealed: BlockJson[] = []
  state: LiveState = {
    ...{ isConnected: false, latest: 0, safe: 0, finalized: 0, pending: undefined },
    ...{ flashblocks: [], blocks: [], trouble: [], divergence: '' },
  }

  constructor(devnet: Devnet) {
    this.devnet = devnet
    this.node = new NodeConnection(devnet.wsUrl, (isConnected) => {
      this.#set({ isConnected })
      if (isConnected) void this.#follow().catch(() => {})
    })
    void this.#watchHealth()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }

  async #follow(): Promise<void> {
    const { node } = this
    const before = this.state.blocks
    // The first call: whoever reads the log is left out of it.
    await node.call('rollbed_requestLog').catch(() => {})
    await Promise.all([
      node.subscribe<{ hash: Hex }>('newHeads', ({ hash }) => void this.#onSealed(hash)),
      // A node without pre-confirmations has no flashblocks.
      node
        .subscribe<BlockJson>('newFlashblocks', (pending) => {
          const flashblocks = [...this.state.flashblocks, pending.transactions.length]
          this.#set({ pending, flashblocks })
        })
        .catch(() => {}),
    ])
    await this.#readHeads()
    const { latest } = this.state
    const numbers = Array.from({ length: Math.min(SHOWN_BLOCKS, latest + 1) }, (_, i) => latest - i)
    const loaded = await Promise.all(
      numbers.map((number) =>
        node.call<BlockJson | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
      ),
    )
    const meanwhile = this.state.blocks.filter((block) => !before.includes(block))
    this.#set({ blocks: joinBlocks(meanwhile, loaded).slice(0, SHOWN_BLOCKS) })
  }

  async #onSealed(hash: Hex): Promise<void> {
    if (this.state.flashblocks.length > 0) this.#set({ flashblocks: [] })
    const block = await this.node.call<BlockJson | null>('eth_getBlockByHash', [hash, false])
    if (!block) return
    this.#sealed.push(block)
    if (block.timestampMs === undefined) await this.#showSealed()
    else if (this.#sealed.length === 1)
      later(FAST_PACE, () => void this.#showSealed().catch(() => {}))
  }

  async #showSealed(): Promise<void> {
    let { blocks, pending } = this.state
    for (const block of this.#sealed.splice(0)) {
      // A reorganization seals numbers that are there already.
      const older = blocks.filter(({ number }) => Number(number) < Number(block.number))
      blocks = [block, ...older].slice(0, SHOWN_BLOCKS)
      // What was pre-confirmed last is sealed by now.
      if (block.timestampMs !== undefined) pending = undefined
    }
    this.#set({ blocks, pending })
    await this.#readHeads()
  }

  async #readHeads(): Promise<void> {
    const tags = ['latest', 'safe', 'finalized'] as const
    const [latest, safe, finalized] = await Promise.all(
      tags.map(async (tag) => {
        const block = await this.node.call<BlockJson | null>('eth_getBlockByNumber', [tag, false])
        return Number(block?.number ?? 0)
      }),
    )
    const heads = { latest: latest!, safe: safe!, finalized: finalized! }
    const isNew = Object.entries(heads).some(
      ([name, number]) => this.state[name as keyof typeof heads] !== number,
    )
    if (isNew) this.#set(heads)
  }

  async #watchHealth(): Promise<void> {
    const trouble = await fetch('/healthz').then(
      async (response) => {
        const { dead = [], warnings = [] } = await response.json()
        return [...dead, ...warnings].map(({ part, problem }) => `${part}: ${problem}`)
      },
      () => ['The devnet does not answer any more.'],
    )
    if (String(trouble) !== String(this.state.trouble)) this.#set({ trouble })
    const { divergence } = await this.node
      .call<{ divergence: { what: string; wayOut: string } | null }>('anvil_metadata')
      .catch(() => ({ divergence: null }))
    const said = divergence ? `${divergence.what} ${divergence.wayOut}` : ''
    if (said !== this.state.divergence) this.#set({ divergence: said })
    // Blocks become safe between two seals, too, and nobody pushes that.
    await this.#readHeads().catch(() => {})
    later(HEALTH_INTERVAL, () => void this.#watchHealth())
  }
}
