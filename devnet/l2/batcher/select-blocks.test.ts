import { expect, test } from 'vitest'
import type { Block } from '#protocol/types/block'
import { selectBlocks } from './select-blocks.ts'

test.each([
  ['nothing new', 5, 5, 1_000, []],
  ['three blocks', 2, 5, 1_000, [3, 4, 5]],
  ['blocks that fill a channel', 0, 5, 400_000, [1, 2]],
  ['one block larger than a channel should be', 0, 5, 2_000_000, [1]],
])('given %s, they are taken in order', (_name, posted, latest, size, expected) => {
  expect(numbers(selectBlocks(chain(latest, size), BigInt(posted)))).toEqual(expected)
})

test('given a long backlog, a channel takes 2,000 blocks of it', () => {
  const taken = numbers(selectBlocks(chain(5_000, 100), 10n))
  expect([taken.length, taken[0], taken.at(-1)]).toEqual([2_000, 11, 2_010])
})

test('given a newest block that is left out, those before it are taken', () => {
  expect(numbers(selectBlocks(chain(5, 1_000), 2n, 4n))).toEqual([3, 4])
  expect(numbers(selectBlocks(chain(5, 1_000), 2n, 0n))).toEqual([])
})

function chain(latest: number, size: number) {
  const block = (number: number) => ({ header: { number: BigInt(number) }, size }) as Block
  return {
    latest: () => block(latest),
    blockByNumber: (number: bigint) => (number <= latest ? block(Number(number)) : undefined),
  }
}

function numbers(blocks: Block[]): number[] {
  return blocks.map(({ header }) => Number(header.number))
}
