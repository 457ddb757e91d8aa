import {
  type Batcher,
  type StartBatcherParameters,
  startBatcher,
} from '#devnet/l2/batcher/start-batcher'
import { roleKeys } from '#fixtures/chain/dev-keys'
import type { Part } from './part.ts'

export type BatcherGiven = Omit<
  StartBatcherParameters,
  'l1RpcUrl' | 'l1News' | 'privateKey' | 'clock'
>

/** The batcher. It keeps nothing: what is posted it finds on L1. */
export const batcherPart: Part<'batcher-l1', BatcherGiven, Promise<Batcher>> = {
  name: 'batcher',
  links: ['batcher-l1'],
  start: ({ looks, links, l1News }, given) =>
    startBatcher({
      ...given,
      ...{ l1RpcUrl: links['batcher-l1'], l1News, clock: looks },
      privateKey: roleKeys.batcher.privateKey,
    }),
}
