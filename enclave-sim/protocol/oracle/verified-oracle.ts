import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { equalsBytes } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash, Hex } from '../types/bytes.ts'
import { localKey, renderPreimageKey } from './preimage-key.ts'
import { type Preimage, PreimageMissing, type PreimageOracle } from './preimage-oracle.ts'
import { verifyBlobs } from './verify-blobs.ts'

/** Bytes hashed between two looks at the event loop: some milliseconds of work. */
const BYTES_AT_ONCE = 1 << 20
/** What a value costs beside its bytes, as bytes. */
const VALUE_OVERHEAD = 500

/**
 * The oracle of the enclave: a closed map that was verified as a whole before anything reads it.
 *
 * Every keccak256 and sha256 value is hashed on entry, used or not (SAFE-05, PIPE-07, PIPE-08).
 * The values of a blob are held against its KZG proof, all together. What cannot be verified is
 * refused (OPEN-66…68). A key holds only 31 bytes of its
 * hash, so values are kept under their whole hash: a request that differs in the first byte, such
 * as an agreed output root that nobody made, finds nothing.
 *
 * @throws PreimageMismatch, PreimageUnverifiable
 */
export function verifiedOracle(preimages: Iterable<Preimage>): PreimageOracle {
  const verification = verify(preimages)
  for (;;) {
    const { done, value } = verification.next()
    if (done) return value
  }
}

/**
 * verifiedOracle that lets other work of the process go on in between: a witness of hundreds of
 * megabytes takes seconds to hash, and an enclave has keys to tell meanwhile.
 * @throws PreimageMismatch, PreimageUnverifiable
 */
export async function verifyInTurns(preimages: Iterable<Preimage>): Promise<PreimageOracle> {
  const verification = verify(preimages)
  for (;;) {
    const { done, value } = verification.next()
    if (done) return value
    await setImmediate()
  }
}

/** Pauses where others may go on. */
function* verify(preimages: Iterable<Preimage>): Generator<void, PreimageOracle> {
  const locals = new Map<Hex, Uint8Array>()
  const keccaks = new Map<Hash, Uint8Array>()
  const sha256s: Uint8Array[] = []
  const blobValues = new Map<Hex, Uint8Array>()

  let hashed = 0
  for (const { key, value } of preimages) {
    hashed += value.length + VALUE_OVERHEAD
    if (hashed > BYTES_AT_ONCE) {
      yield
      hashed = 0
    }
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
        sha256s.push(value)
        break
      case 'blob': {
        const data = bytesToHex(key.data)
        // Of two values one is forged, and only one of them would be held against the proof.
        if (!equalsBytes(blobValues.get(data) ?? value, value))
          throw new PreimageUnverifiable(renderPreimageKey(key))
        blobValues.set(data, value)
        break
      }
      default:
        throw new PreimageUnverifiable(renderPreimageKey(key))
    }
  }

  const { blobs, unverified } = yield* verifyBlobs(sha256s, blobValues)
  if (unverified) throw new PreimageUnverifiable(renderPreimageKey(unverified))

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
      const sidecar = blobs.get(versionedHash)
      if (!sidecar) throw new PreimageMissing(`blob ${versionedHash}`)
      return sidecar
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
      hint: 'Send blobs whole, with commitment and proof, and all else under a key that is its hash.',
    })
  }
}
