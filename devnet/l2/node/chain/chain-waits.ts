import type { RollbedError } from '#protocol/errors/rollbed-error'
import { PoolRejected } from '../mempool/pool-rejected.ts'

/** The newest block is not on disk yet, so nothing more is promised to anybody. */
export class ChainWaits extends PoolRejected {
  /** @param reason why the block could not be written */
  constructor(reason: RollbedError) {
    super(
      'CHAIN_WAITS',
      `transactions are not accepted until there is room: ${reason.message}`,
      reason,
    )
  }
}
