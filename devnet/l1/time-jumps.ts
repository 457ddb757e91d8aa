import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Hash } from '#protocol/types/bytes'

/**
 * Blocks mined by hand leave anvil's clock where they put it: somewhat ahead, for they come between
 * slots. Only beyond so many seconds was it somebody's intention.
 */
export const BY_HAND = 60

/** How far anvil's clock was moved by others while we mine at times of our own. */
export interface TimeJumps {
  /** Seconds that `evm_increaseTime` and its like have added until now. */
  measure(head: Hash): Promise<number>
  /** Moves the next block that we mine, and all after it, by so many seconds. */
  move(seconds: number): void
  /** To be called after each block of ours, which sets anvil's clock. */
  mined(head: Hash): Promise<void>
}

/**
 * Watches anvil's clock: a block with a time of its own makes anvil forget what `evm_increaseTime`
 * was told, so that the devnet's slots have to be moved by as much.
 * @param before seconds by which they were moved in the life of an earlier anvil
 */
export function timeJumps(anvil: RpcClient, before = 0): TimeJumps {
  let seen: { head: Hash; offset: number } | undefined
  let jumped = before
  // Adds nothing, and answers the whole offset.
  const offset = async () => Number(await anvil.request('evm_increaseTime', [0]))

  return {
    async measure(head) {
      if (!seen) return jumped
      const by = (await offset()) - seen.offset
      if (by > (head === seen.head ? 0 : BY_HAND)) jumped += by
      return jumped
    },
    move(seconds) {
      jumped += seconds
    },
    async mined(head) {
      seen = { head, offset: await offset() }
    },
  }
}
