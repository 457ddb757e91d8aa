import type { Account, Chain, Client, Transport } from 'viem'
import { type SettleWithdrawalParameters, settleWithdrawal } from './settle-withdrawal.ts'
import { testActions } from './test-actions.ts'

/** What a test does with the devnet's L1. */
export type L1TestActions = {
  /**
   * Lets time pass on L1 at once, by mining a block that is so many seconds later. L2 goes on at its own
   * time.
   * @returns the block's timestamp, seconds
   */
  advanceTime(parameters: { seconds: number }): Promise<bigint>
  /**
   * Makes a proven withdrawal ready to be finalised: lets the five days (or one, with two proofs) of its
   * game and of those before it pass on L1, resolves them, and lets the delays after that pass too.
   * @returns the time on L1 then, seconds
   * @throws RollbedError WITHDRAWAL_NOT_PROVEN, GAME_LOST; CHAIN_DIVERGED where a cheat on L2 is why
   */
  settleWithdrawal(parameters: SettleWithdrawalParameters): Promise<bigint>
}

/**
 * For a viem client of the devnet's L1: the waits of the bridge without waiting.
 *
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { l1TestActions, rollbedL1Chain } from 'rollbed/viem'
 *
 * const l1 = createPublicClient({ chain: rollbedL1Chain(devnet.description), transport: http() })
 *   .extend(l1TestActions())
 * await l1.advanceTime({ seconds: 60 })
 */
export function l1TestActions(): <
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
>(
  client: Client<Transport, chain, account>,
) => L1TestActions {
  return (client) => {
    const { advanceTime } = testActions()(client)
    return {
      advanceTime,
      settleWithdrawal: (parameters) => settleWithdrawal(client, parameters),
    }
  }
}
