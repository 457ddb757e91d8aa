import type { PublicClient } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { delayedWETHAbi } from '#fixtures/contracts/DelayedWETH.abi'
import type { Address } from '#protocol/types/bytes'
import type { GameRules } from './game-rules.ts'
import type { Settlement } from './next-settlement.ts'
import { gameStatus } from './read-game.ts'
import { readIfThere } from './read-if-there.ts'

/** A WETH that delays nothing keeps no list of withdrawals. */
const noWithdrawal = [0n, 0n] as const

/**
 * What decides how a game goes on, read from L1. What a simpler contract does not know holds nothing
 * up; it just makes no anchor.
 */
export async function readSettlement(
  l1: PublicClient,
  { anchorStateRegistry, delayedWeth }: Pick<GameRules, 'anchorStateRegistry' | 'delayedWeth'>,
  address: Address,
  parent: Address,
): Promise<Settlement> {
  const game = { address, abi: aggregateVerifierAbi } as const
  const anchors = { address: anchorStateRegistry, abi: anchorStateRegistryAbi } as const
  const weth = { address: delayedWeth, abi: delayedWETHAbi } as const
  const [status, createdAt, expectedResolution, bondUnlocked, bondClaimed, recipient] =
    await Promise.all([
      l1.readContract({ ...game, functionName: 'status' }),
      l1.readContract({ ...game, functionName: 'createdAt' }),
      l1.readContract({ ...game, functionName: 'expectedResolution' }),
      l1.readContract({ ...game, functionName: 'bondUnlocked' }),
      l1.readContract({ ...game, functionName: 'bondClaimed' }),
      l1.readContract({ ...game, functionName: 'bondRecipient' }),
    ])
  const [isFinalized, isValid, block, [, anchorBlock], delay, [, unlockedAt]] = await Promise.all([
    l1.readContract({ ...anchors, functionName: 'isGameFinalized', args: [address] }),
    readIfThere(
      l1.readContract({ ...anchors, functionName: 'isGameClaimValid', args: [address] }),
      false,
    ),
    l1.readContract({ ...game, functionName: 'l2SequenceNumber' }),
    l1.readContract({ ...anchors, functionName: 'getAnchorRoot' }),
    readIfThere(l1.readContract({ ...weth, functionName: 'delay' }), 0n),
    readIfThere(
      l1.readContract({ ...weth, functionName: 'withdrawals', args: [address, recipient] }),
      noWithdrawal,
    ),
  ])
  const parentGame = { address: parent, abi: aggregateVerifierAbi, functionName: 'status' } as const
  return {
    status,
    parentStatus:
      parent === anchorStateRegistry ? gameStatus.defenderWins : await l1.readContract(parentGame),
    createdAt,
    expectedResolution,
    isFinalized,
    mayBecomeAnchor: isValid && block > anchorBlock,
    bondUnlocked,
    bondClaimed,
    withdrawableAt: unlockedAt + delay,
  }
}
