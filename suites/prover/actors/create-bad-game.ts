import { createPublicClient, encodePacked, type Hex, http, keccak256 } from 'viem'
import { sign } from 'viem/accounts'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Devnet } from '#devnet/start-devnet'
import { gameType, initBond } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { configHash } from '#protocol/derivation/config-hash'
import { journalScheduleId } from '#protocol/derivation/schedule-id'
import { enclave as leaked, teeInitData } from '../contracts/tee-journal.ts'

/** Where a game begins, and its two intervals. */
interface Place {
  parent: Hex
  startBlock: number
  interval: number
}

/**
 * On a running devnet: a game of two roots whose last one is wrong, signed by a key that leaked from a
 * registered enclave; by default the first game, over ten blocks.
 * @returns the game, lower case
 */
export async function createBadGame(
  { description, config, l1 }: Devnet,
  place: Partial<Place> = {},
): Promise<Hex> {
  const { disputeGameFactory, anchorStateRegistry } = description.contracts
  const { parent = anchorStateRegistry, startBlock = 0, interval = 5 } = place
  const end = BigInt(startBlock + 2 * interval)
  const client = createPublicClient({ transport: http(description.l1RpcUrl), cacheTime: 0 })
  const factory = { address: disputeGameFactory, abi: disputeGameFactoryAbi } as const
  const start = await rootAt(description.rollupRpcUrl, startBlock)
  const first = await rootAt(description.rollupRpcUrl, startBlock + interval)
  const roots = [first, keccak256('0xbad0')] as const
  const origin = await client.getBlock()

  const journal = encodePacked(
    // biome-ignore format: one line per line of the layout (JRN-03..11)
    ['address', 'bytes32', 'bytes32', 'uint64', 'bytes32', 'uint64', 'bytes32[]', 'bytes32', 'bytes32', 'bytes'],
    [
      roleKeys.proposer.address,
      origin.hash,
      start,
      BigInt(startBlock),
      roots[1],
      end,
      roots,
      configHash(config),
      description.enclaves[0]!.imageHash,
      journalScheduleId(config, end) ?? '0x',
    ],
  )
  const signature = await sign({
    hash: keccak256(journal),
    privateKey: leaked.privateKey,
    to: 'hex',
  })
  const extraData = encodePacked(['uint256', 'address', 'bytes32[]'], [end, parent, roots])
  const claim = [gameType, roots[1], extraData] as const
  const wallet = l1Wallet({
    rpc: httpRpcClient(description.l1RpcUrl),
    ...roleKeys.proposer,
    clock: systemClock,
    signal: new AbortController().signal,
    nextBlock: () => l1.mine(),
  })
  await wallet.untilAbove(origin.number)
  await wallet.send({
    ...factory,
    functionName: 'createWithInitData',
    args: [...claim, teeInitData(origin.hash, origin.number, signature)],
    value: initBond,
  })
  const [game] = await client.readContract({ ...factory, functionName: 'games', args: claim })
  return game.toLowerCase() as Hex
}

/** What the rollup node says. */
export async function rootAt(rollupRpcUrl: string, block: number): Promise<Hex> {
  const answer = await httpRpcClient(rollupRpcUrl).request('optimism_outputAtBlock', [
    `0x${block.toString(16)}`,
  ])
  return (answer as { outputRoot: Hex }).outputRoot
}
