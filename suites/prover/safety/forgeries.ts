import { createHash } from 'node:crypto'
import { concatBytes, hexToBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import type { KindedPreimage } from './witness-of.ts'

/** Where in a witness a forgery is made, and the random numbers it is made of. */
export interface Spot {
  /** The preimage to forge. */
  target: KindedPreimage
  /** Any other of the witness. */
  other: KindedPreimage
  at: number
  /** 1 to 255. */
  mask: number
}

/**
 * What an adversary can do to a preimage that the program reads: each gives the witness in place of
 * the honest one, or undefined where it would change nothing.
 */
export const FORGERIES: Record<
  string,
  (witness: readonly KindedPreimage[], spot: Spot) => Preimage[] | undefined
> = {
  'a flipped byte': (witness, { target, at, mask }) => {
    if (target.value.length === 0) return undefined
    const value = Uint8Array.from(target.value)
    value[at % value.length]! ^= mask
    return replace(witness, target, value)
  },
  'a byte less': (witness, { target }) =>
    target.value.length === 0 ? undefined : replace(witness, target, target.value.subarray(1)),
  'a byte more': (witness, { target, mask }) =>
    replace(witness, target, concatBytes(target.value, Uint8Array.of(mask))),
  'no bytes': (witness, { target }) =>
    target.value.length === 0 ? undefined : replace(witness, target, new Uint8Array(0)),
  nothing: (witness, { target }) => witness.filter((preimage) => preimage !== target),
  'the value of another': (witness, { target, other }) =>
    Buffer.compare(target.value, other.value) === 0
      ? undefined
      : replace(witness, target, other.value),
  'its value swapped with another': (witness, { target, other }) => {
    if (Buffer.compare(target.value, other.value) === 0) return undefined
    return replace(replace(witness, target, other.value), other, target.value)
  },
  'a flipped byte under a key that is true to it': (witness, { target, at, mask }) => {
    if (target.value.length === 0) return undefined
    const value = Uint8Array.from(target.value)
    value[at % value.length]! ^= mask
    const key = { ...target.key, data: trueKey(target, value) }
    return witness.map((preimage) => (preimage === target ? { key, value } : preimage))
  },
  'a key of another type': (witness, { target, at }) => {
    const types = (['keccak256', 'sha256', 'blob', 'global-generic', 'precompile'] as const).filter(
      (type) => type !== target.key.type,
    )
    const key = { ...target.key, type: types[at % types.length]! }
    return witness.map((preimage) => (preimage === target ? { ...target, key } : preimage))
  },
  'a forged copy behind it': (witness, { target, at, mask }) => {
    const value = Uint8Array.from(target.value.length === 0 ? [0] : target.value)
    value[at % value.length]! ^= mask
    return [...witness, { key: target.key, value }]
  },
  'a forged copy before it': (witness, { target, at, mask }) => {
    // Of boot values the last one counts: there the honest one does.
    if (target.key.type === 'local') return undefined
    const value = Uint8Array.from(target.value.length === 0 ? [0] : target.value)
    value[at % value.length]! ^= mask
    return [{ key: target.key, value }, ...witness]
  },
}

function replace<T extends Preimage>(witness: readonly T[], target: Preimage, value: Uint8Array) {
  return witness.map((preimage) =>
    preimage.key === target.key ? { ...preimage, value } : preimage,
  )
}

function trueKey({ key }: Preimage, value: Uint8Array): Uint8Array {
  if (key.type === 'keccak256') return hexToBytes(keccak256(value)).subarray(1)
  if (key.type === 'sha256') return createHash('sha256').update(value).digest().subarray(1)
  return key.data
}
