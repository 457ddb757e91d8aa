import { createHash } from 'node:crypto'
import { bytesToHex } from '@ethereumjs/util'
import { keccak256Hex } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash, Hex } from '../execution/types.ts'
import { localKey, renderPreimageKey } from './preimage-key.ts'
import { type Preimage, PreimageMissing, type PreimageOracle } from './preimage-oracle.ts'

/**
 * The oracle of the enclave: a closed map that was verified as a whole before anything reads it.
 *
 * Every keccak256 and sha256 value is hashed on entry, used or not (SAFE-05, PIPE-07, PIPE-08).
 * Kinds that cannot be verified are refused (decisions 66-68). A key holds only 31 bytes of its
 * hash, so values are kept under their whole hash: a request that differs in the first byte, such
 * as an agreed output root that nobody made, finds nothing.
 *
 * @throws PreimageMismatch, PreimageUnverifiable
 */
export function verifiedOracle(preimages: Iterable<Preimage>): PreimageOracle {
  const locals = new Map<Hex, Uint8Array>()
  const keccaks = new Map<Hash, Uint8Array>()

  for (const { key, value } of preimages) {
    switch (key.type) {
      case 'local':
        locals.set(bytesToHex(key.data), value)
        break
      case 'keccak256': {
        const hash = keccak256Hex(value)
        if (!endsWith(hash, key.data)) throw new PreimageMismatch(renderPreimageKey(key))
        keccaks.set(hash, value)
        break
      }
      case 'sha256':
        if (!endsWith(`0x${createHash('sha256').update(value).digest('hex')}`, key.data))
          throw new PreimageMismatch(renderPreimageKey(key))
        break
      default:
        throw new PreimageUnverifiable(renderPreimageKey(key))
    }
  }

  return {
    peek: (hash) => keccaks.get(hash),
    async keccak(hash) {
      const value = keccaks.get(hash)
      if (!value) throw new PreimageMissing(hash)
      return value
    },
    async local(identifier) {
      const value = locals.get(bytesToHex(localKey(identifier).data))
      if (!value) throw new PreimageMissing(`boot value ${identifier}`)
      return value
    },
    async blob(versionedHash) {
      throw new PreimageMissing(`blob ${versionedHash}`)
    },
  }
}

function endsWith(hash: Hash, low31: Uint8Array): boolean {
  return low31.length === 31 && hash.slice(4) === bytesToHex(low31).slice(2)
}

export class PreimageMismatch extends RollbedError {
  constructor(key: Uint8Array) {
    // Message as deployed enclaves word it (base/base nitro-enclave/src/oracle.rs).
    super('PREIMAGE_MISMATCH', `preimage hash mismatch for key ${bytesToHex(key)}`)
  }
}

export class PreimageUnverifiable extends RollbedError {
  constructor(key: Uint8Array) {
    super('PREIMAGE_UNVERIFIABLE', `preimage cannot be verified for key ${bytesToHex(key)}`, {
      hint: 'Send values under keccak256 and sha256 keys, and boot values under local keys.',
    })
  }
}
