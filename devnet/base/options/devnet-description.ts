import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Schedule } from '#protocol/types/schedule'

/**
 * What `rollbed up --json` prints and `--config-out` writes: all that a script needs to talk to a
 * running devnet. Extended over time, never changed.
 */
export interface DevnetDescription {
  rpcUrl: string
  wsUrl: string
  /**
   * The same chain as deployed Base nodes show it, whatever the profile: for clients that want a number
   * in every block, such as ethers and cast. WebSocket too.
   */
  baseRpcUrl: string
  apiUrl: string
  proverUrl: string
  l1RpcUrl: string
  l1BeaconUrl: string
  rollupRpcUrl: string
  dashboardUrl: string
  /** The same chain without pre-confirmations, where one was asked for (OPEN-03). */
  plainRpcUrl?: string
  /** In a devnet that takes faults: its L2 RPC past all of them, so that a way that is cut can be mended. */
  faultsUrl?: string
  /** Another network, with another chain id, where one was asked for (RPC-ENV-16). */
  testnetRpcUrl?: string
  chainId: number
  l1ChainId: number
  accounts: { address: Address; privateKey: Hex }[]
  contracts: L1Contracts
  enclaves: EnclaveDescription[]
  /** DER of the root that the simulated attestations chain to; trust it on this devnet only. */
  attestationRoot: Hex
  profile: Profile
  /** When each upgrade of Base comes: Unix seconds, or `genesis`. Absent: the chain has none. */
  upgrades?: Schedule
  seed: number
}

/** Addresses on L1. */
export interface L1Contracts extends Record<string, Address> {
  batchInbox: Address
  optimismPortal: Address
  systemConfig: Address
  disputeGameFactory: Address
  anchorStateRegistry: Address
  delayedWETH: Address
  aggregateVerifier: Address
  teeVerifier: Address
  teeProverRegistry: Address
}

export type EnclaveKind = 'sim' | 'vm' | 'local'

export interface EnclaveDescription {
  cid: number
  /**
   * `sim`: own process, simulated security module. `vm`: the same image in a virtual machine. `local`:
   * own process without a security module; it cannot attest, and its measurement is all zeros.
   */
  kind: EnclaveKind
  /** `unix:PATH:PORT` or `vsock:CID:PORT`. */
  endpoint: string
  /** 48 bytes. */
  pcr0: Hex
  /** keccak256(PCR0). */
  imageHash: Hash
  signer: Address
}

/** Where deployed Base differs from the spec, `base` follows Base. */
export type Profile = 'spec' | 'base'

/** Where on L1 batches are put: in the call data of transactions, or in EIP-4844 blobs. */
export type DataAvailability = 'calldata' | 'blobs'
