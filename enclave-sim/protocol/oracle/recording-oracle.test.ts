import { describe, expect, it } from 'vitest'
import { keccak256Hex } from '../crypto/keccak.ts'
import { keccakKey, localKey } from './preimage-key.ts'
import type { Hint, Preimage } from './preimage-oracle.ts'
import { recordingOracle } from './recording-oracle.ts'
import { verifiedOracle } from './verified-oracle.ts'

const hint: Hint = { type: 'l2-state-node', data: new Uint8Array(32) }
const values = [1, 2, 3].map((byte) => Uint8Array.of(byte))
const [first, second, third] = values.map(keccak256Hex) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const everything: Preimage[] = [
  { key: localKey(5), value: Uint8Array.of(9) },
  { key: localKey(6), value: Uint8Array.of(9) },
  ...values.map((value) => ({ key: keccakKey(keccak256Hex(value)), value })),
]

describe('recordingOracle', () => {
  it('given reads of some values, some twice, when asked, then it holds those, each once', async () => {
    const oracle = recordingOracle(verifiedOracle(everything))
    await oracle.keccak(second, hint)
    await oracle.local(5)
    await oracle.local(5)
    oracle.peek(first)
    oracle.peek(second)
    expect(oracle.preimages().map(({ key }) => key)).toEqual([
      keccakKey(second),
      localKey(5),
      keccakKey(first),
    ])
  })

  it('given a look that found nothing, when asked, then nothing is recorded', async () => {
    const oracle = recordingOracle(verifiedOracle([]))
    expect(oracle.peek(third)).toBeUndefined()
    await expect(oracle.keccak(third, hint)).rejects.toThrow('No preimage')
    expect(oracle.preimages()).toEqual([])
  })
})
