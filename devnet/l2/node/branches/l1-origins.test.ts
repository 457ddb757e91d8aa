import { expect, test } from 'vitest'
import type { Hash } from '#protocol/types/bytes'
import type { L1Block } from '../sequencer/l1-view.ts'
import { L1Origins } from './l1-origins.ts'

const hashOf = (number: bigint, fork = 0): Hash =>
  `0x${fork}${number.toString(16).padStart(63, '0')}`

/** An L1 that counts what it is asked, and can change its mind. */
function countedL1() {
  const asked: bigint[] = []
  const l1 = {
    fork: 0,
    asked,
    fetchBlock: async (number: bigint) => {
      asked.push(number)
      return { header: { number, hash: hashOf(number, l1.fork) } } as L1Block
    },
  }
  return l1
}

test('given branches on one block, when the second asks for its L1 block, then L1 is not asked again', async () => {
  const { fetchBlock, asked } = countedL1()
  const origins = new L1Origins(fetchBlock)
  const origin = { number: 7n, hash: hashOf(7n) }
  const [first, second] = [await origins.find(origin), await origins.find(origin)]
  expect(second).toBe(first)
  expect(first?.header.hash).toBe(origin.hash)
  expect(asked).toEqual([7n])
})

test('given an L1 that was reorganized, then its block of that number is not taken for the old one', async () => {
  const l1 = countedL1()
  const origins = new L1Origins(l1.fetchBlock)
  await origins.find({ number: 7n, hash: hashOf(7n) })
  l1.fork = 1
  expect(await origins.find({ number: 8n, hash: hashOf(8n) })).toBeUndefined()
  const other = await origins.find({ number: 7n, hash: hashOf(7n, 1) })
  expect(other?.header.hash).toBe(hashOf(7n, 1))
  // What was known is still true: a branch may stand on it.
  expect((await origins.find({ number: 7n, hash: hashOf(7n) }))?.header.hash).toBe(hashOf(7n))
})

test('given many blocks, then the oldest are forgotten', async () => {
  const { fetchBlock, asked } = countedL1()
  const origins = new L1Origins(fetchBlock)
  for (let number = 0n; number < 20n; number++) await origins.find({ number, hash: hashOf(number) })
  await origins.find({ number: 19n, hash: hashOf(19n) })
  await origins.find({ number: 0n, hash: hashOf(0n) })
  expect(asked).toEqual([...Array.from({ length: 20 }, (_, number) => BigInt(number)), 0n])
})
