import { getContractAddress } from 'viem'
import { creation, invocation } from '#devnet/l1/l1-call'
import { sendTransactions } from '#devnet/l1/send-transactions'
import { gameType } from '#fixtures/chain/constants'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash } from '#protocol/types/bytes'
import { mineAt } from './l1-time.ts'
import { owner, type ScenarioContext } from './scenario-context.ts'

export interface Changes {
  teeImageHash?: Hash
  intermediateInterval?: bigint
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
  const rules = { ...(await context.rules()), ...changes }
  const game = { address: rules.implementation, abi: aggregateVerifierAbi } as const
  const [zkVerifier, rangeHash, aggregateHash, l2ChainId, nonce] = await Promise.all([
    l1.readContract({ ...game, functionName: 'ZK_VERIFIER' }),
    l1.readContract({ ...game, functionName: 'ZK_RANGE_HASH' }),
    l1.readContract({ ...game, functionName: 'ZK_AGGREGATE_HASH' }),
    l1.readContract({ ...game, functionName: 'L2_CHAIN_ID' }),
    l1.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
  ])
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
    creation('AggregateVerifier', aggregateVerifierAbi, [
      gameType,
      rules.anchorStateRegistry,
      rules.delayedWeth,
      rules.teeVerifier,
      zkVerifier,
      rules.teeImageHash,
      { rangeHash, aggregateHash },
      rules.configHash,
      l2ChainId,
      rules.blockInterval,
      rules.intermediateInterval,
    ]),
    invocation(contracts.disputeGameFactory, disputeGameFactoryAbi, 'setImplementation', [
      gameType,
      implementation,
    ]),
  ])
  return implementation
}

/**
 * Has new games carry at least so many roots.
 * @returns the new implementation; undefined when they do already
 * @throws GameTooShort
 */
export async function withIntervals(
  context: ScenarioContext,
  count: number,
): Promise<Address | undefined> {
  const { blockInterval, intermediateInterval } = await context.rules()
  if (blockInterval / intermediateInterval >= count) return undefined
  // For one block an enclave signs no intermediate root (OPEN-53), so nobody could dispute it.
  for (let interval = blockInterval / BigInt(count); interval >= 2n; interval -= 1n) {
    if (blockInterval % interval === 0n)
      return await switchImplementation(context, { intermediateInterval: interval })
  }
  throw new GameTooShort(blockInterval, count)
}

export class GameTooShort extends RollbedError {
  constructor(blocks: bigint, count: number) {
    super('GAME_TOO_SHORT', `Games of ${blocks} L2 blocks cannot have ${count} roots.`)
  }
}
