export type { Clock, Timer } from '#protocol/clock/clock'
export { VirtualClock } from '#protocol/clock/virtual-clock'
export type { RollupConfig } from '#protocol/derivation/rollup-config'
export { RollbedError } from '#protocol/errors/rollbed-error'
export type { Fork } from '#protocol/types/execution-config'
export type { JournalEra } from '#protocol/types/journal-era'
export type { Schedule } from '#protocol/types/schedule'
export type { LogFormat, LogLevel } from './base/create-logger.ts'
export type { RemoteFork } from './base/fork/remote-fork.ts'
export type { AccessOptions } from './base/json-rpc/guard-access.ts'
export type {
  DataAvailability,
  DevnetDescription,
  EnclaveDescription,
  EnclaveKind,
  L1Contracts,
  Profile,
} from './base/options/devnet-description.ts'
export { DEVNET_DEFAULTS, type DevnetOptions } from './base/options/devnet-options.ts'
export type { EnclaveChoice } from './base/options/enclave-kinds.ts'
export type { ChainName, UpgradeOptions, UpgradeTime } from './base/options/upgrade-options.ts'
export type { Ports } from './base/ports.ts'
export type { Health, Trouble } from './base/process/supervisor.ts'
export type { EventRecorder } from './faults/event-recorder.ts'
export type { FaultEngine } from './faults/fault-engine.ts'
export type { L1 } from './l1/start-l1.ts'
export type { Batcher } from './l2/batcher/start-batcher.ts'
export type { Node } from './l2/node/start-node.ts'
export type {
  BranchBlock,
  BranchOptions,
  DevnetBranch,
  Flashblocks,
} from './rollup/start/open-branch.ts'
export { type ConnectedDevnet, connectDevnet } from './sdk/connect-devnet.ts'
export type { Devnet } from './start-devnet.ts'
export { startDevnetLazily as startDevnet } from './start-devnet-lazily.ts'
