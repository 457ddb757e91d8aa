import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRng, systemRng } from '#protocol/random/rng'
import { drawnKey, signSha384 } from './p384.ts'

test('given a seed, when keys are drawn and sign twice, then both are the same, and Node takes them', () => {
  for (const seed of ['a', 'b', 'c']) {
    const [key, again] = [drawnKey(seededRng(seed)), drawnKey(seededRng(seed))]
    const message = Buffer.from(`of ${seed}`)
    const signature = signSha384(message, key)

    expect(signSha384(message, again)).toEqual(signature)
    const by = { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha384', message, by, signature)).toBe(true)
    expect(verify('sha384', Buffer.from('another'), by, signature)).toBe(false)
  }
})

test('given the chance of the machine, when keys are drawn and sign, then each is another, and Node and signers that repeat take them', () => {
  const [key, other] = [drawnKey(systemRng), drawnKey(systemRng)]
  expect(key.equals(other)).toBe(false)
  expect(key.asymmetricKeyDetails).toEqual({ namedCurve: 'secp384r1' })
  const message = Buffer.from('of nobody')
  const by = { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' } as const
  for (const signature of [signSha384(message, key, systemRng), signSha384(message, key)]) {
    expect(signature).toHaveLength(96)
    expect(verify('sha384', message, by, signature)).toBe(true)
  }
})
