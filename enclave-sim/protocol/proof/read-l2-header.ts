import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { decodeHeader } from '../execution/header.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import type { Header } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'

/** @throws PreimageMissing, RollbedError HEADER_MALFORMED */
export async function readL2Header(oracle: PreimageOracle, hash: Hash): Promise<Header> {
  const data = hexToBytes(hash)
  return decodeHeader(await oracle.keccak(hash, { type: 'l2-block-header', data }))
}
