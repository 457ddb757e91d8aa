import {
  type Block,
  type Chain,
  type Client,
  type FormattedBlock,
  formatBlock,
  type RpcBlock,
  type Transport,
} from 'viem'
import { subscribe } from './subscribe.ts'

export interface WatchFlashblocksParameters<chain extends Chain | undefined = Chain | undefined> {
  /** The block under construction, with its transactions, once per flashblock (200 ms). */
  onFlashblock(block: FormattedBlock<chain, true, 'pending'>): void
  onError?: ((error: Error) => void) | undefined
}

/** @see PreconfirmationActions.watchFlashblocks */
export function watchFlashblocks<chain extends Chain | undefined>(
  client: Client<Transport, chain>,
  { onFlashblock, onError }: WatchFlashblocksParameters<chain>,
): () => void {
  const format = (client.chain?.formatters?.block?.format ?? formatBlock) as (
    block: RpcBlock,
    action: string,
  ) => Block
  return subscribe(
    client,
    ['newFlashblocks'],
    (result) =>
      onFlashblock(
        format(result as RpcBlock, 'getBlock') as FormattedBlock<chain, true, 'pending'>,
      ),
    onError,
  )
}
