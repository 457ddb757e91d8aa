import { getContractAddress, type PublicClient } from 'viem'
import { type GameRules, journalEraOf, readSchedule } from '#devnet/actors/game-rules'
import { lower } from '#devnet/actors/lower'
import { gameCreation, type Intervals } from '#devnet/l1/game-creation'
import { invocation, type L1Call } from '#devnet/l1/l1-call'
import { sendTransactions } from '#devnet/l1/send-transactions'
import { gameType } from '#fixtures/chain/constants'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'
import { mineAt } from './l1-time.ts'
import { owner, type ScenarioContext } from './scenario-context.ts'

export interface Changes {
  teeImageHash?: Hash
  /** Intermediate roots of a game. */
  rootCount?: bigint
}

/**
 * Deploys the game as it is, but for some changes, and has the factory make new games of it. Games
 * that exist stay what they are.
 */
export async function switchImplementation(
  context: ScenarioContext,
  changes: Changes,
): Promise<Address> {
  const { l1, rpc, chainId, contracts } = context
  const nonce = await l1.getTransactionCount({ address: owner.address, blockTag: 'pending' })
  const implementation = getContractAddress({
    from: owner.address,
    nonce: BigInt(nonce),
  }).toLowerCase() as Address
  context.progress('deploying a new version of the game')
  const sender = {
    rpcUrl: context.l1RpcUrl,
    chainId,
    privateKey: owner.privateKey,
    mine: () => mineAt(rpc),
  }
  await sendTransactions(sender, nonce, [
    await changedGame(context, changes),
    invocation(contracts.disputeGameFactory, disputeGameFactoryAbi, 'setImplementation', [
      gameType,
      implementation,
    ]),
  ])
  return implementation
}

async function changedGame(context: ScenarioContext, changes: Changes): Promise<L1Call> {
  const { l1 } = context
  const rules = await context.rules()
  const game = { address: rules.implementation, abi: scheduledVerifierAbi } as const
  const [zkVerifier, rangeHash, aggregateHash, chainId, { slow, fast }] = await Promise.all([
    l1.readContract({ ...game, functionName: 'ZK_VERIFIER' }),
    l1.readContract({ ...game, functionName: 'ZK_RANGE_HASH' }),
    l1.readContract({ ...game, functionName: 'ZK_AGGREGATE_HASH' }),
    l1.readContract({ ...game, functionName: 'L2_CHAIN_ID' }),
    readIntervals(l1, rules),
  ])
  const schedule = await readSchedule(l1, rules)
  const era = await journalEraOf(l1, rules)
  const { rootCount } = changes
  const changed = ({ all, each }: Intervals) => ({ all, each: rootCount ? all / rootCount : each })
  return gameCreation({
    ...rules,
    zkVerifier: lower(zkVerifier),
    teeImageHash: changes.teeImageHash ?? rules.teeImageHash,
    zkHashes: { rangeHash, aggregateHash },
    l2ChainId: chainId,
    intervals: changed(slow),
    ...(fast &&
      schedule &&
      era && {
        schedule: {
          era,
          fast: changed(fast),
          config: {
            protocolVersions: rules.protocolVersions!,
            genesisBlockNumber: BigInt(schedule.blocks.genesis.l2.number),
            genesisTimestamp: BigInt(schedule.blocks.genesis.l2Time),
            blockTime: BigInt(schedule.blocks.blockTime),
          },
        },
      }),
  })
}

/** Of the implementation in force: one pair, or on a chain with upgrades one until Denim and one from there. */
async function readIntervals(
  l1: PublicClient,
  { implementation, protocolVersions }: GameRules,
): Promise<{ slow: Intervals; fast?: Intervals }> {
  const game = { address: implementation, abi: scheduledVerifierAbi } as const
  type Getter = `${'' | 'FAST_'}${'' | 'INTERMEDIATE_'}BLOCK_INTERVAL`
  const read = (functionName: Getter) => l1.readContract({ ...game, functionName })
  const slow = {
    all: await read('BLOCK_INTERVAL'),
    each: await read('INTERMEDIATE_BLOCK_INTERVAL'),
  }
  if (!protocolVersions) return { slow }
  const fast = {
    all: await read('FAST_BLOCK_INTERVAL'),
    each: await read('FAST_INTERMEDIATE_BLOCK_INTERVAL'),
  }
  return { slow, fast }
}

/**
 * Has new games carry at least so many roots.
 * @returns the new implementation; undefined when they do already
 * @throws GameTooShort
 */
export async function withRoots(
  context: ScenarioContext,
  count: number,
): Promise<Address | undefined> {
  const { l1 } = context
  const { slow, fast = slow } = await readIntervals(l1, await context.rules())
  if (slow.all / slow.each >= count) return undefined
  // For one block an enclave signs no intermediate root (OPEN-53), so nobody could dispute it.
  for (let rootCount = BigInt(count); 2n * rootCount <= slow.all; rootCount += 1n) {
    if (slow.all % rootCount === 0n && fast.all % rootCount === 0n)
      return await switchImplementation(context, { rootCount })
  }
  throw new GameTooShort(slow.all, count)
}

export class GameTooShort extends RollbedError {
  constructor(blocks: bigint, count: number) {
    super('GAME_TOO_SHORT', `Games of ${blocks} L2 blocks cannot have ${count} roots.`)
  }
}
