import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash } from '../types/bytes.ts'
import type { StatePlace } from '../types/state.ts'

/** Key types in the rendered 32-byte key: type byte, then the low 31 bytes (facts: tee-prover wire). */
export type PreimageKeyType =
  | 'local'
  | 'keccak256'
  | 'global-generic'
  | 'sha256'
  | 'blob'
  | 'precompile'

export interface PreimageKey {
  type: PreimageKeyType
  /** 31 bytes. */
  data: Uint8Array
}

export interface Preimage {
  key: PreimageKey
  value: Uint8Array
}

/** What a hash-keyed value is, so that a host knows which RPC can bring it. Names as on the wire. */
export type HintType =
  | 'l1-block-header'
  | 'l1-transactions'
  | 'l1-receipts'
  | 'l1-blob'
  | 'l1-precompile'
  | 'l2-block-header'
  | 'l2-transactions'
  | 'l2-code'
  | 'l2-state-node'
  | 'l2-account-proof'
  | 'l2-account-storage-proof'
  | 'l2-payload-witness'
  | 'starting-l2-output'

export interface Hint {
  type: HintType
  data: Uint8Array
  /** Of state: for a host whose nodes serve it by proofs of accounts and slots only. */
  place?: StatePlace
}

/**
 * Where a proof program gets its data. In the enclave a closed map of verified values, on the host a
 * recorder in front of RPC endpoints: the program is the same.
 */
export interface PreimageOracle {
  /** A value already at hand, by Keccak-256 of itself. */
  peek(hash: Hash): Uint8Array | undefined
  /**
   * The value with this Keccak-256.
   * @param hint tells a host where to look; an enclave ignores it.
   * @throws PreimageMissing
   */
  keccak(hash: Hash, hint: Hint): Promise<Uint8Array>
  /** One of the boot values, by its local identifier (LocalKey). @throws PreimageMissing */
  local(identifier: number): Promise<Uint8Array>
  /**
   * An EIP-4844 blob.
   * @param l1Timestamp of the L1 block that carries it: tells a host in which slot to look
   * @throws PreimageMissing
   */
  blob(versionedHash: Hash, l1Timestamp: bigint): Promise<BlobSidecar>
}

/** A blob with what ties it to its versioned hash (EIP-4844). */
export interface BlobSidecar {
  /** 131,072 bytes. */
  blob: Uint8Array
  /** 48 bytes. */
  commitment: Uint8Array
  /** 48 bytes: compute_blob_kzg_proof. */
  proof: Uint8Array
}

/** Identifiers of the boot values (source: base/base crates/proof/proof/src/boot.rs). */
export const LocalKey = {
  l1Head: 1,
  agreedOutputRoot: 2,
  claimedOutputRoot: 3,
  claimedL2Block: 4,
  chainId: 5,
  rollupConfig: 6,
  l1Config: 7,
  proposer: 8,
  intermediateBlockInterval: 9,
  l1HeadNumber: 10,
  scheduleL2Block: 11,
} as const

/** A value the program needs is not there: no proof can be made. */
export class PreimageMissing extends RollbedError {
  constructor(what: string) {
    super('PREIMAGE_MISSING', `No preimage for ${what}.`, {
      hint: 'The witness is incomplete; build it again from the same L1 head and range.',
    })
  }
}
