import type { BaseLogger } from 'pino'
import type { PublicClient } from 'viem'
import { type GameRules, gameRules, intervalsFrom, readSchedule } from '#devnet/actors/game-rules'
import { l1Client } from '#devnet/actors/l1-client'
import { type L1Wallet, l1Wallet } from '#devnet/actors/l1-wallet'
import { readAnchor } from '#devnet/actors/proposer/recover-tip'
import { type RollupClient, rollupClient } from '#devnet/actors/rollup-client'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type RpcEndpoint, rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import type { L1Contracts } from '#devnet/base/options/devnet-description'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { gameType, l1ChainId } from '#fixtures/chain/constants'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { blockSeconds } from '#protocol/upgrades/block-times'
import { mineAt } from './l1-time.ts'

export interface ScenarioContextOptions {
  /** anvil with the devnet's contracts. */
  l1RpcUrl: RpcEndpoint
  rollupRpcUrl: RpcEndpoint
  /** Prover host. */
  proverUrl: RpcEndpoint
  /** Addresses on L1; default those that follow from the deployer of every devnet. */
  contracts?: L1Contracts
  /** Default a devnet's. */
  l1ChainId?: number
  clock: Clock
  logger: BaseLogger
  /** One line for each thing that takes its time. */
  onProgress?: (line: string) => void
  /** How L1 comes to its next block; by default it is asked to mine one. */
  nextBlock?: () => Promise<unknown>
}

/** A running devnet with the keys of its owner: where scenarios are played. */
export interface ScenarioContext extends ScenarioContextOptions {
  readonly contracts: L1Contracts
  readonly chainId: number
  readonly rpc: RpcClient
  readonly l1: PublicClient
  readonly rollup: RollupClient
  /** Of new games, as they are now; with the intervals of one that starts from a block, default the anchor's. */
  rules(startBlock?: bigint): Promise<GameRules>
  /** Sends from a dev key; L1 mines at once. */
  wallet(key: DevKey): L1Wallet
  /** Waits until L2 blocks up to this one are on L1. */
  untilSafe(block: bigint): Promise<void>
  /** Has L1 come to the second of an L2 block, where games refuse claims of the future. */
  untilDue(block: bigint): Promise<void>
  progress(line: string): void
}

/** Creates the games: an allowed proposer that no actor of the devnet sends from. */
export const player: DevKey = userKeys[9]!
/** Owns the registry and the factory, and is the guardian. */
export const owner: DevKey = roleKeys.deployer

const POLL_INTERVAL = 500
/** Milliseconds to wait for L2 blocks. */
const SAFE_TIMEOUT = 300_000

/** The context of scenarios on a devnet that runs. @throws BlockNotSafe; `untilSafe` does */
export function createScenarioContext(options: ScenarioContextOptions): ScenarioContext {
  const { clock, onProgress: progress = () => undefined } = options
  const contracts = options.contracts ?? l1ContractAddresses(owner.address)
  const rpc = rpcClientOf(options.l1RpcUrl)
  const l1 = l1Client(rpc)
  const rollup = rollupClient(rpcClientOf(options.rollupRpcUrl))
  const { signal } = new AbortController()
  const { nextBlock = () => mineAt(rpc) } = options

  const readRules = gameRules(l1, contracts.disputeGameFactory, gameType)

  return {
    ...options,
    contracts,
    chainId: options.l1ChainId ?? l1ChainId,
    progress,
    rpc,
    l1,
    rollup,
    rules: async (startBlock) => {
      const rules = await readRules()
      const start = startBlock ?? (await readAnchor(l1, rules)).block
      return { ...rules, ...(await intervalsFrom(l1, rules, start)) }
    },
    wallet: (key) => l1Wallet({ rpc, ...key, clock, signal, nextBlock }),
    async untilDue(block) {
      const schedule = await readSchedule(l1, await readRules())
      if (!schedule) return
      const due = blockSeconds(schedule.blocks, block)
      while ((await l1.getBlock()).timestamp < due) await nextBlock()
    },
    async untilSafe(block) {
      const deadline = clock.now() + SAFE_TIMEOUT
      let reported = -1n
      for (;;) {
        const safe = await rollup.head('safe')
        if (safe >= block) return
        if (clock.now() >= deadline) throw new BlockNotSafe(block)
        if (safe !== reported) progress(`waiting for L2 block ${block} to be safe, now at ${safe}`)
        reported = safe
        await sleep(clock, POLL_INTERVAL)
      }
    },
  }
}

export class BlockNotSafe extends RollbedError {
  constructor(block: bigint) {
    super('BLOCK_NOT_SAFE', `L2 block ${block} is not on L1 after ${SAFE_TIMEOUT / 1000} s.`, {
      hint: 'Check that the devnet builds blocks (it does not with --manual) and that L1 does.',
    })
  }
}
