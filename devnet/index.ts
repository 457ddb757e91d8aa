export type {
  DevnetDescription,
  EnclaveDescription,
  L1Contracts,
  Profile,
} from './devnet-description.ts'
export { DEVNET_DEFAULTS, type DevnetOptions } from './devnet-options.ts'
export { type Devnet, startDevnet } from './start-devnet.ts'
