import type { Client, Transport } from 'viem'
import { poll } from './poll.ts'
import { type DroppedTransaction, readDrops } from './transaction-dropped.ts'

export interface WatchDroppedParameters {
  /** Each once, in the order in which they were dropped. */
  onDropped(transaction: DroppedTransaction): void
  onError?: ((error: Error) => void) | undefined
}

/** @see PreconfirmationActions.watchDropped */
export function watchDropped(
  client: Client<Transport>,
  { onDropped, onError }: WatchDroppedParameters,
): () => void {
  let last: number | undefined
  return poll(async () => {
    // What was dropped before it began is not told.
    const { lastId, drops } = await readDrops(client, last ?? Number.MAX_SAFE_INTEGER)
    last = lastId
    return () => {
      for (const { hash, code, reason } of drops) onDropped({ hash, code, reason })
    }
  }, onError)
}
