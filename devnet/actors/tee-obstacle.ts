import type { PublicClient } from 'viem'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import type { Address } from '#protocol/types/bytes'
import type { GameConstants } from './game-rules.ts'

/**
 * Why no TEE proof of this sender can be accepted at all; undefined when one can. A challenger is a
 * proposer to the verifier, so it has to be on the same list.
 */
export async function teeObstacle(
  l1: PublicClient,
  { teeVerifier, proverRegistry }: GameConstants,
  sender: Address,
): Promise<string | undefined> {
  const [nullified, isListed] = await Promise.all([
    l1.readContract({ address: teeVerifier, abi: teeVerifierAbi, functionName: 'nullified' }),
    l1.readContract({
      address: proverRegistry,
      abi: teeProverRegistryAbi,
      functionName: 'isValidProposer',
      args: [sender],
    }),
  ])
  if (nullified) return 'the TEE verifier is nullified: it accepts no proof of any game'
  return isListed ? undefined : `${sender} is not on the registry's list of proposers`
}
