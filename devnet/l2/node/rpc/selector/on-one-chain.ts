import { Slices } from '#devnet/base/process/slices'
import type { ShownChain } from '../shown-chain.ts'

/** Lets the others have their turn when it is time; to be awaited between two blocks. */
export type Pause = () => Promise<void>

const MOVED = new Error('Blocks were removed.')

/**
 * Reads many blocks, in slices of this thread's time: one that is not in memory takes a millisecond per
 * hundred transactions. All are of one chain: when some were removed in a pause, the reading begins again.
 * @param signal aborted when the caller goes away
 * @throws what `read` throws; the signal's reason
 * @example
 * await onOneChain(rpc, signal, async (pause) => {
 *   for (const number of numbers) {
 *     take(rpc.chain.blockByNumber(number))
 *     await pause()
 *   }
 * })
 */
export async function onOneChain<T>(
  { chain, machine }: Pick<ShownChain, 'chain' | 'machine'>,
  signal: AbortSignal,
  read: (pause: Pause) => Promise<T>,
): Promise<T> {
  const slices = new Slices(machine)
  for (;;) {
    let isMoved = false
    const forget = chain.on('reorg', () => {
      isMoved = true
    })
    try {
      return await read(async () => {
        if (!slices.isOver) return
        await slices.next()
        signal.throwIfAborted()
        if (isMoved) throw MOVED
      })
    } catch (error) {
      if (error !== MOVED) throw error
    } finally {
      forget()
    }
  }
}
