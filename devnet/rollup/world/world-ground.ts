import { bytesToHex } from '@ethereumjs/util'
import type { Logger } from 'pino'
import { createLogger, type LogLevel } from '#devnet/base/create-logger'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import { EventRecorder } from '#devnet/faults/event-recorder'
import { FaultEngine } from '#devnet/faults/fault-engine'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import type { Issued } from '#enclave/security-module/sim/issue-certificate'
import { l1ChainId, l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Engine } from '#protocol/evm/engine'
import { giveBackEngine, takeEngine } from '#protocol/evm/idle-engines'
import { type Rng, seededRng } from '#protocol/random/rng'
import { l1Methods } from './l1/l1-methods.ts'
import { type SimulatedL1, startSimulatedL1 } from './l1/simulated-l1.ts'
import { type LaidGround, laidGround } from './laid-ground.ts'
import { methodsClient } from './network/memory-rpc.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { untilIdle } from './until-idle.ts'
import type { WorldParts } from './world-parts.ts'

export interface SimulatedWorldOptions {
  /** Of everything random. @default 0 */
  seed?: number
  /** When the world begins, in seconds since 1970. @default 1,700,000,000 */
  genesisTime?: number
  /** Seconds between L2 blocks. @default 2 */
  blockTime?: number
  /** Seconds between L1 blocks. @default 2 */
  l1BlockTime?: number
  /** Milliseconds between flashblocks. @default 200 */
  flashblockTime?: number
  /** Milliseconds between two postings of batches. @default 2000 */
  batchInterval?: number
  /** L1 blocks in which a batch has to be posted. @default 3600 */
  sequencerWindow?: number
  /** When upgrades of Base come, as `startDevnet({ upgrades })` says it. @default never */
  upgrades?: UpgradeOptions
  /** L2 blocks of a game; an even number. @default 10 */
  gameInterval?: number
  /** Keep the chain on disk, so that the node can be killed. @default false */
  keepsChain?: boolean
  /** How many enclaves. @default 1 */
  enclaves?: number
  /** Run a proposer, a challenger and a registrar too. @default true */
  actors?: boolean
  /** @default 'silent' */
  logLevel?: LogLevel
  /** Events that the recorder keeps. @default 500,000 */
  eventLimit?: number
}

/** What the parts of a world are made of. */
export interface WorldGround extends Omit<LaidGround, 'l1'> {
  options: Required<SimulatedWorldOptions>
  clock: VirtualClock
  recorder: EventRecorder
  faults: FaultEngine
  logger: Logger
  workDir: string
  l1: SimulatedL1
  l1Process: SimulatedProcess
  l1Methods: Awaited<ReturnType<typeof l1Methods>>
  /** To L1 with nothing between. */
  l1Client: RpcClient
  /** Of the enclaves' attestations. */
  root: Issued
  rngOf(part: string): Rng
  /** An engine for a part, until the world is over. */
  lendEngine(): Engine
  /** Once nothing runs any more. */
  giveBackEngines(): void
  parts: WorldParts
}

/** L1 with all contracts, and the genesis of L2 that follows from it. */
export async function layGround(
  options: Required<SimulatedWorldOptions>,
  workDir: string,
  parts: WorldParts,
): Promise<WorldGround> {
  const { seed, genesisTime, l1BlockTime, blockTime, sequencerWindow } = options
  const clock = new VirtualClock(genesisTime * 1000, untilIdle)
  const recorder = new EventRecorder({ clock, limit: options.eventLimit })
  const faults = new FaultEngine({ clock, recorder })
  const rngOf = (part: string) => seededRng(`${seed}/${part}`)
  const l1Process = new SimulatedProcess('l1', clock)
  const { gameInterval, upgrades } = options
  const ground = { genesisTime, blockTime, l1BlockTime, gameInterval, upgrades }
  const { l1: beginning, genesis, ...laid } = await laidGround(ground)
  const l1Options = {
    clock: l1Process.clock,
    rng: rngOf('l1'),
    chainId: l1ChainId,
    genesisTime: genesisTime - l1BlockTime,
    blockTime: l1BlockTime,
  }
  const l1 = await startSimulatedL1(l1Options, beginning)
  const lent: Engine[] = []
  const lendEngine = () => {
    const engine = takeEngine()
    lent.push(engine)
    return engine
  }
  const methods = await l1Methods(l1, l1Process.clock, lendEngine())
  const l1Client = methodsClient(methods, clock)
  return {
    options,
    clock,
    recorder,
    faults,
    logger: createLogger(options.logLevel),
    workDir,
    l1,
    l1Process,
    l1Methods: methods,
    l1Client,
    ...laid,
    // No contract and no hash knows the window.
    genesis: { ...genesis, config: { ...genesis.config, sequencerWindowSize: sequencerWindow } },
    root: createSimRoot({ clock, rng: rngOf('root') }),
    rngOf,
    lendEngine,
    giveBackEngines: () => lent.splice(0).forEach(giveBackEngine),
    parts,
  }
}

export const groundFacts = ({ options, contracts, root }: WorldGround) => ({
  chainId: l2ChainId,
  l1ChainId,
  accounts: [...userKeys],
  contracts,
  attestationRoot: bytesToHex(root.certificate),
  seed: options.seed,
})
