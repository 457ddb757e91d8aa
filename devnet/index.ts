export type { DevnetDescription, EnclaveDescription, L1Contracts, Profile } from './config.ts'
export { type Devnet, type DevnetOptions, startDevnet } from './start-devnet.ts'
