import { createHash } from 'node:crypto'
import { hexToBytes } from '@ethereumjs/util'
import { keccak256, stringToBytes, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { keccakKey, localKey } from './preimage-key.ts'
import type { Hint, Preimage, PreimageKeyType } from './preimage-oracle.ts'
import { verifiedOracle } from './verified-oracle.ts'

const hint: Hint = { type: 'l2-state-node', data: new Uint8Array(32) }
const value = stringToBytes('hello world')
const hash = keccak256(stringToHex('hello world'))
const flipped = Uint8Array.from(value, (byte, index) => (index === 3 ? byte ^ 1 : byte))

describe('verifiedOracle', () => {
  it('given a value under its hash, when read, then it is the value', async () => {
    const oracle = verifiedOracle([{ key: keccakKey(hash), value }])
    expect(await oracle.keccak(hash, hint)).toEqual(value)
    expect(oracle.peek(hash)).toEqual(value)
  })

  it('given a changed keccak256 value that nobody reads, when built, then it is refused (SAFE-05, PIPE-07)', () => {
    expect(() => verifiedOracle([{ key: keccakKey(hash), value: flipped }])).toThrow(
      `preimage hash mismatch for key 0x02${hash.slice(4)}`,
    )
  })

  it('given a sha256 value, when built, then it is checked too (PIPE-08)', () => {
    const data = Uint8Array.from(createHash('sha256').update(value).digest()).subarray(1)
    expect(() => verifiedOracle([{ key: { type: 'sha256', data }, value }])).not.toThrow()
    expect(() => verifiedOracle([{ key: { type: 'sha256', data }, value: flipped }])).toThrow(
      'preimage hash mismatch for key 0x04',
    )
  })

  it.each<PreimageKeyType>(['global-generic', 'blob', 'precompile'])(
    'given a %s value, when built, then it is refused because nothing verifies it (OPEN-66…68)',
    (type) => {
      const data = hexToBytes(hash).subarray(1)
      expect(() => verifiedOracle([{ key: { type, data }, value }])).toThrow('cannot be verified')
    },
  )

  it('given a hash that agrees in the low 31 bytes only, when read, then there is no value', async () => {
    const oracle = verifiedOracle([{ key: keccakKey(hash), value }])
    const other = `0x00${hash.slice(4)}` as const
    expect(oracle.peek(other)).toBeUndefined()
    await expect(oracle.keccak(other, hint)).rejects.toMatchObject({ code: 'PREIMAGE_MISSING' })
  })

  it('given two boot values of one name, when read, then the last one counts', async () => {
    const pair = (byte: number): Preimage => ({ key: localKey(5), value: Uint8Array.of(byte) })
    const oracle = verifiedOracle([pair(1), pair(2)])
    expect(await oracle.local(5)).toEqual(Uint8Array.of(2))
    await expect(oracle.local(6)).rejects.toMatchObject({ code: 'PREIMAGE_MISSING' })
  })

  it('given a key that is too short, when built, then it is refused', () => {
    const data = hexToBytes(hash).subarray(2)
    expect(() => verifiedOracle([{ key: { type: 'keccak256', data }, value }])).toThrow('mismatch')
  })
})
