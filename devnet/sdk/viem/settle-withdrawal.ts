import {
  type Account,
  type Address,
  type Chain,
  type Client,
  createClient,
  encodeFunctionData,
  type Hash,
  http,
  parseAbi,
  type TransactionReceipt,
  type Transport,
  zeroAddress,
} from 'viem'
import { getBlock, readContract } from 'viem/actions'
import { getWithdrawals } from 'viem/op-stack'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { requireProvable } from './require-provable.ts'
import type { RollbedChain } from './rollbed-chain.ts'
import { testActions } from './test-actions.ts'

export interface SettleWithdrawalParameters {
  /** Of the transaction on L2 that withdrew. */
  receipt: Pick<TransactionReceipt, 'logs'> & Partial<Pick<TransactionReceipt, 'blockNumber'>>
  /** The devnet's L2: `rollbedChain(description)`. */
  targetChain: Pick<RollbedChain, 'contracts'> & Partial<Pick<RollbedChain, 'rpcUrls'>>
  /** Which of the receipt's withdrawals, from 0. */
  logIndex?: number | undefined
}

const portalAbi = parseAbi([
  'function anchorStateRegistry() view returns (address)',
  'function disputeGameFinalityDelaySeconds() view returns (uint256)',
  'function numProofSubmitters(bytes32 withdrawalHash) view returns (uint256)',
  'function proofMaturityDelaySeconds() view returns (uint256)',
  'function proofSubmitters(bytes32 withdrawalHash, uint256 index) view returns (address)',
  'function provenWithdrawals(bytes32 withdrawalHash, address submitter) view returns (address, uint64)',
])
const gameAbi = parseAbi([
  'function expectedResolution() view returns (uint64)',
  'function parentAddress() view returns (address)',
  'function resolve() returns (uint8)',
  'function resolvedAt() view returns (uint64)',
  'function status() view returns (uint8)',
])
const IN_PROGRESS = 0
const DEFENDER_WINS = 2
const NEVER = 2n ** 64n - 1n

type L1Client = Client<Transport, Chain | undefined, Account | undefined>

/**
 * Lets time pass on L1, and resolves games, until a proven withdrawal can be finalised.
 * @returns the time on L1 then, seconds
 * @throws RollbedError WITHDRAWAL_NOT_PROVEN, CHAIN_DIVERGED, GAME_LOST
 */
export async function settleWithdrawal(
  client: L1Client,
  { receipt, targetChain, logIndex = 0 }: SettleWithdrawalParameters,
): Promise<bigint> {
  const { portal } = targetChain.contracts
  const address = (client.chain && portal[client.chain.id]?.address) ?? firstOf(portal).address
  const ask = { address, abi: portalAbi } as const
  const hash = getWithdrawals(receipt)[logIndex]?.withdrawalHash
  const { game, provenAt } = await latestProof(client, address, hash).catch(async (error) => {
    // Where nothing can be proven any more the reader shall know that first.
    const [url] = targetChain.rpcUrls?.default.http ?? []
    const { blockNumber } = receipt
    if (url && blockNumber) {
      await requireProvable(createClient({ transport: http(url) }), blockNumber)
    }
    throw error
  })
  const [registry, finalityDelay, maturityDelay] = await Promise.all([
    readContract(client, { ...ask, functionName: 'anchorStateRegistry' }),
    readContract(client, { ...ask, functionName: 'disputeGameFinalityDelaySeconds' }),
    readContract(client, { ...ask, functionName: 'proofMaturityDelaySeconds' }),
  ])
  for (const each of await unresolved(client, game, registry)) await resolve(client, each)
  const view = { address: game, abi: gameAbi } as const
  if ((await readContract(client, { ...view, functionName: 'status' })) !== DEFENDER_WINS) {
    throw new GameLost(game)
  }
  const resolvedAt = await readContract(client, { ...view, functionName: 'resolvedAt' })
  // Both delays have to be over, not just reached.
  await passUntil(client, provenAt + maturityDelay + 1n)
  return await passUntil(client, resolvedAt + finalityDelay + 1n)
}

async function latestProof(client: L1Client, address: Address, hash: Hash | undefined) {
  const ask = { address, abi: portalAbi } as const
  const count = hash
    ? await readContract(client, { ...ask, functionName: 'numProofSubmitters', args: [hash] })
    : 0n
  if (!hash || count === 0n) throw new WithdrawalNotProven(hash)
  const submitter = await readContract(client, {
    ...ask,
    functionName: 'proofSubmitters',
    args: [hash, count - 1n],
  })
  const [game, provenAt] = await readContract(client, {
    ...ask,
    functionName: 'provenWithdrawals',
    args: [hash, submitter],
  })
  return { game, provenAt }
}

/** The game and those it builds upon that are still open, the oldest first. */
async function unresolved(client: L1Client, newest: Address, registry: Address) {
  const open: Address[] = []
  // The first game of all builds upon the registry.
  for (let game = newest; game.toLowerCase() !== registry.toLowerCase(); ) {
    const view = { address: game, abi: gameAbi } as const
    const [status, parent] = await Promise.all([
      readContract(client, { ...view, functionName: 'status' }),
      readContract(client, { ...view, functionName: 'parentAddress' }),
    ])
    if (status !== IN_PROGRESS || game === zeroAddress) break
    open.unshift(game)
    game = parent
  }
  return open
}

async function resolve(client: L1Client, game: Address): Promise<void> {
  const view = { address: game, abi: gameAbi } as const
  const at = await readContract(client, { ...view, functionName: 'expectedResolution' })
  if (at === NEVER) throw new GameLost(game)
  await passUntil(client, at)
  const status = () => readContract(client, { ...view, functionName: 'status' })
  // The devnet's own proposer settles games too, and may be the first.
  if ((await status()) !== IN_PROGRESS) return
  const request = (method: string, params: unknown[]) =>
    client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
      method,
      params,
    })
  const accounts = (await request('eth_accounts', [])) as Address[]
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'resolve' })
  const gas = '0x7a120'
  await request('eth_sendTransaction', [{ from: accounts.at(-1), to: game, data, gas }])
  await request('evm_mine', [])
  if ((await status()) === IN_PROGRESS) throw new GameLost(game)
}

async function passUntil(client: L1Client, time: bigint): Promise<bigint> {
  const { advanceTime } = testActions()(client)
  let { timestamp } = await getBlock(client, { blockTag: 'latest' })
  // L1 makes blocks of its own meanwhile, and may be set back: each round comes nearer.
  while (timestamp < time) timestamp = await advanceTime({ seconds: Number(time - timestamp) })
  return timestamp
}

const firstOf = <entry>(entries: Readonly<Record<number, entry>>): entry =>
  Object.values(entries)[0] as entry

class WithdrawalNotProven extends RollbedError {
  constructor(withdrawalHash: Hash | undefined) {
    super(
      'WITHDRAWAL_NOT_PROVEN',
      withdrawalHash
        ? `The withdrawal ${withdrawalHash} is not proven on L1.`
        : 'The receipt has no such withdrawal.',
      { hint: 'waitToProve, buildProveWithdrawal and proveWithdrawal come first.' },
    )
  }
}

class GameLost extends RollbedError {
  constructor(game: Address) {
    super('GAME_LOST', `The game ${game} is not decided for its proposer.`, {
      hint: 'Prove the withdrawal again with a later game.',
    })
  }
}
