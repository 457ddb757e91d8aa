import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import type { ChainControl } from '../chain-control.ts'
import type { ChainView } from '../chain-view.ts'
import type { PrunedStore } from './pruned-store.ts'

export interface HistoryOptions {
  chain: ChainView & ChainControl
  store: PrunedStore
  /** The oldest block of the chain whose state may go; default 1, for genesis stays. */
  first?: bigint
  /** Sealed blocks whose state to keep; at least 256. */
  historyBlocks: number
  /** Bytes of memory that states may take: beyond it fewer blocks keep theirs. @default Infinity */
  historyMemory?: number | undefined
}

/** What BLOCKHASH reaches. */
const LEAST_BLOCKS = 256
/** So many of the newest blocks keep their states, whatever these take. */
const LEAST_STATES = 64
/** States to drop when a block is sealed: some, so that no flashblock waits for a great clearing. */
const AT_ONCE = 16

/**
 * Keeps the states of the newest blocks, and of all that are not finalized, which the prover may
 * still need; genesis always. Where these take more memory than allowed, they are fewer. Older ones leave memory as new blocks are sealed. The blocks themselves
 * stay for good.
 * @throws RollbedError HISTORY_TOO_SHORT
 */
export function keepHistory(options: HistoryOptions): void {
  const { chain, store, historyBlocks, historyMemory = Infinity, first = 1n } = options
  if (!(historyBlocks >= LEAST_BLOCKS)) {
    throw new RollbedError(
      'HISTORY_TOO_SHORT',
      `A history of ${historyBlocks} blocks is too short: BLOCKHASH reaches ${LEAST_BLOCKS}.`,
    )
  }
  /** States retained, by the block they are read at: one, or more where cheats changed it. */
  const states = new Map<number, Hash[]>()
  /** The oldest block whose state is kept, beside genesis. */
  let oldest = Number(first)

  const keep = (number: number, stateRoot: Hash) => {
    states.set(number, [...(states.get(number) ?? []), stateRoot])
  }
  const release = (number: number) => {
    for (const stateRoot of states.get(number) ?? []) store.release(stateRoot)
    states.delete(number)
  }
  chain.on('sealed', ({ header }) => {
    const latest = Number(header.number)
    // What it shares with none but old ones, which are released below, its block wrote anew: it is young.
    store.retainFresh(header.stateRoot)
    keep(latest, header.stateRoot)
    store.nextGeneration()
    // Of a chain that L1 does not know no later block will ever be final, and nothing is proven.
    const needed = chain.divergence() ? latest : Number(chain.finalized().header.number)
    const isOver = () =>
      oldest <= latest - historyBlocks ||
      (store.bytes > historyMemory && oldest <= latest - LEAST_STATES)
    for (let i = 0; i < AT_ONCE && oldest < needed && isOver(); i++) release(oldest++)
    chain.forgetStatesBelow(BigInt(oldest))
  })
  chain.on('patched', ({ block, stateRoot }) => {
    const number = Number(block.header.number)
    // Whoever goes back to a block a hundred times patches it as often.
    if (states.get(number)?.includes(stateRoot)) return
    store.retain(stateRoot)
    keep(number, stateRoot)
  })
  chain.on('reorg', ({ removed }) => {
    for (const { header } of removed) release(Number(header.number))
    oldest = Math.min(oldest, Number(chain.latest().header.number) + 1)
  })
}
