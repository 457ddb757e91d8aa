import { hexToBytes } from '@ethereumjs/util'
import { decodeHeader } from '../execution/header.ts'
import type { Hash, Header } from '../execution/types.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'

/** @throws PreimageMissing, RollbedError HEADER_MALFORMED */
export async function readL2Header(oracle: PreimageOracle, hash: Hash): Promise<Header> {
  const data = hexToBytes(hash)
  return decodeHeader(await oracle.keccak(hash, { type: 'l2-block-header', data }))
}
