import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'

/** What an output root commits to. `hash` is the block hash. */
export interface OutputRootParts {
  stateRoot: Hash
  /** Storage root of the L2ToL1MessagePasser; since Isthmus the header's withdrawalsRoot. */
  withdrawalsRoot: Hash
  hash: Hash
}

/** The 128 bytes under the output root. OP spec, Proposals: "L2 Output Commitment", version 0. */
export function outputRootPreimage({
  stateRoot,
  withdrawalsRoot,
  hash,
}: OutputRootParts): Uint8Array {
  const version = new Uint8Array(32)
  return concatBytes(version, hexToBytes(stateRoot), hexToBytes(withdrawalsRoot), hexToBytes(hash))
}

/**
 * keccak256(version ‖ stateRoot ‖ withdrawalsRoot ‖ blockHash).
 * @example
 * const root = outputRoot({ ...block.header, hash: block.hash })
 */
export function outputRoot(parts: OutputRootParts): Hash {
  return keccak256Hex(outputRootPreimage(parts))
}
