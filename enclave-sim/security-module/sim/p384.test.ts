import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRng } from '#protocol/random/rng'
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
