import { concatHex } from 'viem'
import { scheduleIdOfGame } from '#devnet/actors/game-rules'
import { l1Signature } from '#devnet/actors/l1-signature'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { forgeBadRoot } from './bad-root.ts'
import { signWithLeakedKey } from './forge-game.ts'
import type { Scenario } from './scenario.ts'
import { player } from './scenario-context.ts'

export const nullifiedVerifier: Scenario = {
  name: 'nullified-verifier',
  summary: 'a wrong TEE proof was nullified, and with it the TEE verifier for every game',
  async play(context) {
    const { game, correctRoot } = await forgeBadRoot(context, () => 0)
    const rules = await context.rules(game.startBlock)
    const scheduleId = await scheduleIdOfGame(context.l1, game.address)
    const signature = signWithLeakedKey({
      proposer: player.address,
      l1OriginHash: game.l1Head,
      prevOutputRoot: game.startRoot,
      startingL2Block: game.startBlock,
      outputRoot: correctRoot,
      endingL2Block: game.startBlock + rules.intermediateInterval,
      intermediateRoots: [correctRoot],
      configHash: rules.configHash,
      teeImageHash: rules.teeImageHash,
      ...(scheduleId && { scheduleId }),
    })
    await context.wallet(player).send({
      address: game.address,
      abi: aggregateVerifierAbi,
      functionName: 'nullify',
      args: [concatHex(['0x00', l1Signature(signature)]), 0n, correctRoot],
    })
    return {
      game,
      teeVerifier: rules.teeVerifier,
      now: {
        proposer:
          'Propose nothing: every TEE proof reverts with Nullified(). resolve() on an open game only drops its proof; the bond comes back 14 days after its creation.',
        challenger: 'Dispute nothing by TEE proof any more: only ZK proofs count.',
      },
    }
  },
}
