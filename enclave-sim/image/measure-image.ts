import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatBytes } from '@ethereumjs/util'
import { extend } from '#enclave/security-module/sim/sim-security-module'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { Hash, Hex } from '#protocol/types/bytes'

export interface Measurement {
  /** 48 bytes. */
  pcr0: Hex
  /** keccak256(PCR0): what journals and the registry hold (JRN-17). */
  imageHash: Hash
}

/**
 * Measures an image directory as Nitro measures an image: PCR0 = SHA-384(0^48 ‖ SHA-384(image)).
 * The image is its files in name order, each as name length u32, name, size u64, bytes; a changed,
 * renamed, added or moved byte gives another PCR0.
 */
export function measureImage(dir: string): Measurement {
  const files = readdirSync(dir).sort()
  const image = files.flatMap((name) => {
    const content = readFileSync(join(dir, name))
    const header = Buffer.alloc(4 + Buffer.byteLength(name) + 8)
    header.writeUInt32BE(Buffer.byteLength(name))
    header.write(name, 4)
    header.writeBigUInt64BE(BigInt(content.length), header.length - 8)
    return [header, content]
  })
  const pcr0 = extend(new Uint8Array(48), concatBytes(...image))
  return { pcr0: bytesToHex(pcr0), imageHash: keccak256Hex(pcr0) }
}
