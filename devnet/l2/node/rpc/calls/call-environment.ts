import type { Header } from '#protocol/types/block'
import type { BlockOverrides } from './block-overrides.ts'
import type { CallEnvironment } from './call-request.ts'

/** OP blocks have no blobs: their blob base fee stays at the minimum. */
export const BLOB_BASE_FEE = 1n

/** What a call sees in the block of this header (RPC-CALL-23), with the caller's changes. */
export function callEnvironment(header: Header, overrides: BlockOverrides = {}): CallEnvironment {
  return {
    number: overrides.number ?? header.number,
    timestamp: overrides.timestamp ?? header.timestamp,
    feeRecipient: overrides.feeRecipient ?? header.miner,
    gasLimit: overrides.gasLimit ?? header.gasLimit,
    baseFeePerGas: overrides.baseFeePerGas ?? header.baseFeePerGas,
    prevRandao: overrides.prevRandao ?? header.mixHash,
    blobBaseFee: overrides.blobBaseFee ?? BLOB_BASE_FEE,
  }
}
