import { expect, test } from 'vitest'
import { type BatchType, buildChannel } from '#devnet/l2/batcher/build-channel'
import type { Schedule } from '#protocol/types/schedule'
import { testChain } from '#suites/prover/proving/test-chain'

const TRANSFERS = 200

/** Bytes of the channel of as many transfers, in blocks of the same size, as the batcher compresses it. */
async function channelBytes(blocks: number, batchType: BatchType, upgrades?: Schedule) {
  const chain = await testChain(undefined, upgrades)
  try {
    for (let block = 0; block < blocks; block++) {
      const some = Array.from({ length: TRANSFERS / blocks }, () => chain.sign())
      await chain.build(await Promise.all(some))
    }
    const format = { config: chain.config, batchType, compression: 'brotli' } as const
    return (await buildChannel(chain.blocks.slice(1), format)).length
  } finally {
    await chain.stop()
  }
}

test('given the same transfers in blocks of 2 s and of 200 ms, then a batch more costs its parent’s hash, which nothing compresses, and little else', async () => {
  const slow = await channelBytes(1, 'singular')
  const fast = await channelBytes(10, 'span', { azul: 'genesis', denim: 'genesis' })
  const more = (fast - slow) / 9
  expect(more).toBeGreaterThan(32)
  expect(more).toBeLessThan(48)
  expect(fast / slow).toBeLessThan(1.05)
})
