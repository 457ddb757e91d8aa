export type { Clock, Timer } from '../enclave-sim/protocol/clock/clock.ts'
export { VirtualClock } from '../enclave-sim/protocol/clock/virtual-clock.ts'
export type { RollupConfig } from '../enclave-sim/protocol/derivation/rollup-config.ts'
export { RollbedError } from '../enclave-sim/protocol/errors/rollbed-error.ts'
export type { Fork } from '../enclave-sim/protocol/types/execution-config.ts'
export type { Batcher } from './batcher/start-batcher.ts'
export type { LogLevel } from './create-logger.ts'
export type {
  DataAvailability,
  DevnetDescription,
  EnclaveDescription,
  EnclaveKind,
  L1Contracts,
  Profile,
} from './devnet-description.ts'
export { DEVNET_DEFAULTS, type DevnetOptions } from './devnet-options.ts'
export type { EventRecorder } from './faults/event-recorder.ts'
export type { FaultEngine } from './faults/fault-engine.ts'
export type { RemoteFork } from './fork/remote-fork.ts'
export type { AccessOptions } from './json-rpc/guard-access.ts'
export type { L1 } from './l1/start-l1.ts'
export type { Node } from './node/start-node.ts'
export type { Ports } from './ports.ts'
export { type ConnectedDevnet, connectDevnet } from './sdk/connect-devnet.ts'
export type { BranchBlock, DevnetBranch } from './sdk/open-branch.ts'
export type { EnclaveChoice } from './start/enclave-kinds.ts'
export type { Devnet } from './start-devnet.ts'
export { startDevnetLazily as startDevnet } from './start-devnet-lazily.ts'
export type { Health, Trouble } from './supervisor/supervisor.ts'
