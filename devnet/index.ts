export type {
  DevnetDescription,
  EnclaveDescription,
  L1Contracts,
  Profile,
} from './devnet-description.ts'
export { type Devnet, type DevnetOptions, startDevnet } from './start-devnet.ts'
