import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import { keccakKey, localKey, parsePreimageKey, renderPreimageKey } from './preimage-key.ts'

describe('preimage keys (OP specs, fault proof)', () => {
  it('given the hash of "hello world", when rendered, then type 2 replaces the first byte', () => {
    const hash = '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad'
    expect(bytesToHex(renderPreimageKey(keccakKey(hash)))).toBe(
      '0x02173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
    )
  })

  it('given a boot value, when rendered, then its identifier is a u64 at the low end', () => {
    expect(bytesToHex(renderPreimageKey(localKey(5)))).toBe(`0x01${'00'.repeat(30)}05`)
  })

  it.each([
    [1, 'local'],
    [2, 'keccak256'],
    [3, 'global-generic'],
    [4, 'sha256'],
    [5, 'blob'],
    [6, 'precompile'],
  ])('given type byte %i, when parsed, then it is %s and renders back', (byte, type) => {
    const rendered = Uint8Array.of(byte, ...new Uint8Array(31).fill(0xab))
    const key = parsePreimageKey(rendered)
    expect(key.type).toBe(type)
    expect(renderPreimageKey(key)).toEqual(rendered)
  })

  it.each(['0x', `0x00${'11'.repeat(31)}`, `0x07${'11'.repeat(31)}`, `0x02${'11'.repeat(30)}`])(
    'given %s, when parsed, then it is refused',
    (rendered) => {
      expect(() => parsePreimageKey(hexToBytes(rendered as `0x${string}`))).toThrow(
        'is not a preimage key',
      )
    },
  )
})
