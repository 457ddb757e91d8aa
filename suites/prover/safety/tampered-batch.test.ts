import { brotliDecompressSync, constants, inflateSync } from 'node:zlib'
import { concatBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Frame } from '#protocol/derivation/frame'
import { checkProperty } from './check-property.ts'
import { honestClaim } from './claim.ts'
import { judge } from './judge.ts'
import { randomWorld } from './random-world.ts'
import { witnessOf } from './witness-of.ts'

interface Tampering {
  at: number
  mask: number
}

/** What can be done to a channel on L1, with all hashes of L1 made anew so that they are true. */
const TAMPERINGS: Record<string, (frames: Frame[], how: Tampering) => Frame[]> = {
  'a flipped byte of data': (frames, { at, mask }) => {
    const data = Uint8Array.from(concatBytes(...frames.map((frame) => frame.data)))
    data[at % data.length]! ^= mask
    let next = 0
    return frames.map((frame) => {
      const start = next
      next += frame.data.length
      return { ...frame, data: data.subarray(start, next) }
    })
  },
  'a frame left out': (frames, { at }) => frames.toSpliced(at % frames.length, 1),
  'another frame number': (frames, { at, mask }) =>
    frames.with(at % frames.length, {
      ...frames[at % frames.length]!,
      number: frames[at % frames.length]!.number + mask,
    }),
  'a frame of another channel': (frames, { at }) =>
    frames.length === 1
      ? []
      : frames.with(at % frames.length, {
          ...frames[at % frames.length]!,
          channelId: `0x${'ee'.repeat(16)}`,
        }),
  'no last frame': (frames) => frames.map((frame) => ({ ...frame, isLast: false })),
  'a last frame too early': (frames) =>
    frames.length === 1 ? [] : frames.map((frame) => ({ ...frame, isLast: true })),
  'half of the data': ([first]) => [
    { ...first!, data: first!.data.subarray(0, first!.data.length >> 1), isLast: true },
  ],
  'its first byte again': (frames) => [
    { ...frames[0]!, data: concatBytes(frames[0]!.data.subarray(0, 1), frames[0]!.data) },
    ...frames.slice(1),
  ],
}

describe('a batch', () => {
  test.each(Object.keys(TAMPERINGS))(
    'given %s, then it leads to another root, and the claim is refused (SAFE-03, PIPE-16, PIPE-18)',
    async (name) => {
      const tampering = fc.record({
        seed: fc.nat(1_000_000),
        at: fc.nat(1_000_000),
        mask: fc.integer({ min: 1, max: 255 }),
      })
      const outcomes = await checkProperty(
        name,
        tampering,
        async ({ seed, ...how }) => {
          const world = await randomWorld(seed)
          const to = world.blocks.length - 1
          const before = honestClaim(world, 0, to)
          expect((await judge(world, await witnessOf(world, before))).proof).toBeDefined()

          let original: Frame[] = []
          let tampered: Frame[] = []
          await world.repost((frames) => {
            original = frames
            tampered = TAMPERINGS[name]!(frames, how)
            return tampered
          })
          const content = contentOf(original)
          expect(content.length).toBeGreaterThan(80)
          const same = isComplete(tampered) && contentOf(tampered).startsWith(content)
          if (same) return 'without effect'
          const claim = honestClaim(world, 0, to)
          expect(claim.l1Head).not.toBe(before.l1Head)
          const verdict = await judge(world, await witnessOf(world, claim))
          expect(verdict).toMatchObject({ proof: undefined, signatures: 0 })
          return 'refused'
        },
        { share: 0.5 },
      )
      expect(outcomes.get('refused')).toBeGreaterThan(0)
    },
  )
})

function isComplete(frames: readonly Frame[]): boolean {
  return (
    frames.length > 0 &&
    frames.every(({ channelId }) => channelId === frames[0]!.channelId) &&
    frames.every(({ number }, index) => number === index) &&
    frames.every(({ isLast }, index) => isLast === (index === frames.length - 1))
  )
}

/**
 * What a channel gives until it ends or breaks, in hex, by node:zlib: some bytes may be tampered with
 * and change nothing of it, such as a checksum, or a length that is noticed to be wrong only when all
 * is out.
 */
function contentOf(frames: readonly Frame[]): string {
  const data = concatBytes(...frames.map((frame) => frame.data))
  for (let length = data.length; length > 0; length--) {
    try {
      const part = data.subarray(0, length)
      const content =
        data[0] === 1
          ? brotliDecompressSync(part.subarray(1), {
              finishFlush: constants.BROTLI_OPERATION_FLUSH,
            })
          : inflateSync(part, { finishFlush: constants.Z_SYNC_FLUSH })
      return content.toString('hex')
    } catch {
      // It breaks within this part.
    }
  }
  return ''
}
