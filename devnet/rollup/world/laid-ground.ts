import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { l1ChainId } from '#fixtures/chain/constants'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { giveBackEngine, takeEngine } from '#protocol/evm/idle-engines'
import { seededRng } from '#protocol/random/rng'
import type { Hash } from '#protocol/types/bytes'
import { beginRollup } from '../genesis/begin-rollup.ts'
import { deployProofs } from '../genesis/deploy-proofs.ts'
import type { RollupGenesis } from '../genesis/rollup-genesis.ts'
import { type L1Beginning, l1Beginning } from './l1/l1-beginning.ts'
import { l1Methods } from './l1/l1-methods.ts'
import { startSimulatedL1 } from './l1/simulated-l1.ts'
import { methodsClient } from './network/memory-rpc.ts'

export interface GroundTimes {
  /** Seconds. */
  genesisTime: number
  blockTime: number
  l1BlockTime: number
  /** L2 blocks of a game. */
  gameInterval: number
  /** When upgrades of Base come. */
  upgrades: UpgradeOptions
}

/** What worlds of the same times and upgrades begin on; none of them changes it. */
export interface LaidGround {
  /** L1 with all contracts. */
  l1: L1Beginning
  contracts: L1Addresses
  /** Of L2, as it follows from that L1. */
  genesis: RollupGenesis
  /** What enclaves measure as. */
  pcr0: Uint8Array
  imageHash: Hash
}

const PCR_SIZE = 48
/** Grounds that are kept; the oldest goes. */
const CAPACITY = 4
const laid = new Map<string, Promise<LaidGround>>()

/** To deploy all contracts takes a second: it is done once for all worlds of the same times and upgrades. */
export function laidGround(times: GroundTimes): Promise<LaidGround> {
  const { genesisTime, blockTime, l1BlockTime, gameInterval, upgrades } = times
  const key = JSON.stringify([genesisTime, blockTime, l1BlockTime, gameInterval, upgrades])
  const known = laid.get(key)
  if (known) return known
  const laying = layGround(times)
  laid.set(key, laying)
  laying.catch(() => laid.delete(key))
  for (const oldest of laid.keys()) if (laid.size > CAPACITY) laid.delete(oldest)
  return laying
}

async function layGround(times: GroundTimes) {
  const { genesisTime, blockTime, l1BlockTime, gameInterval, upgrades } = times
  const clock = new VirtualClock(genesisTime * 1000)
  const l1 = await startSimulatedL1({
    clock,
    rng: seededRng('ground'),
    chainId: l1ChainId,
    genesisTime: genesisTime - l1BlockTime,
    // By hand only.
    blockTime: 0,
  })
  const engine = takeEngine()
  const methods = await l1Methods(l1, clock, engine)
  const rpcUrl = methodsClient(methods, clock)
  const { contracts, genesis } = await beginRollup(
    { rpcUrl, mine: () => l1.mine(genesisTime) },
    { fork: 'jovian', blockTime, upgrades },
  )
  const pcr0 = seededRng('image').bytes(PCR_SIZE)
  const imageHash = keccak256Hex(pcr0)
  // Of the next slot, as a devnet's start has it.
  const mine = () => l1.mine(genesisTime + l1BlockTime)
  await deployProofs({ rpcUrl, mine }, genesis, imageHash, gameInterval)
  const beginning = l1Beginning(l1)
  await l1.stop()
  giveBackEngine(engine)
  return { l1: beginning, contracts, genesis, pcr0, imageHash }
}
