import { numberToHex } from 'viem'
import { contractErrors, revertText } from '#devnet/actors/l1-reverted'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { forgeProposal } from './forge-game.ts'
import { nextClaim } from './honest-game.ts'
import { mineMany } from './l1-time.ts'
import type { Scenario } from './scenario.ts'
import { player, type ScenarioContext } from './scenario-context.ts'

/** What the contract can look back: by BLOCKHASH, and by the ring of EIP-2935. */
const BLOCKHASH_WINDOW = 256
const RING = 8191n
/** Calls at a time. */
const BATCH = 50

export const expiredOrigin: Scenario = {
  name: 'expired-origin',
  summary: 'proofs made until now have an L1 origin too old for the contract',
  async play(context) {
    const { claim } = await nextClaim(context)
    const { origin, call } = await forgeProposal(context, claim)
    await mineMany(context.rpc, BLOCKHASH_WINDOW + 1)
    await forgetUntil(context, origin.number)
    const revert = await context.l1
      .simulateContract({ ...call, abi: [...call.abi, ...contractErrors], account: player.address })
      .then(() => undefined, revertText)
    return {
      origin: { number: origin.number, hash: origin.hash },
      refused: { from: player.address, claim: claim.root, block: claim.block },
      revert,
      now: {
        proposer: `Throw away a proof from L1 block ${origin.number} or before, and have the claim proven from a newer one.`,
      },
    }
  },
}

/**
 * 8191 blocks would end the sequencing window of L2, so the history contract forgets instead: the
 * same to whoever asks it.
 */
async function forgetUntil({ rpc }: ScenarioContext, number: bigint): Promise<void> {
  const first = number < RING ? 0n : number - RING + 1n
  for (let block = first; block <= number; block += BigInt(BATCH)) {
    const count = Math.min(BATCH, Number(number - block) + 1)
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        rpc.request('anvil_setStorageAt', [
          systemContracts.historyStorage.address,
          numberToHex((block + BigInt(index)) % RING, { size: 32 }),
          `0x${'00'.repeat(32)}`,
        ]),
      ),
    )
  }
}
