import { describe, expect, test } from 'vitest'
import type { Hash } from '#protocol/types/bytes'
import { readAhead } from './read-ahead.ts'

const LAST = 12
const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`
const next = (hash: Hash) => (Number(hash) < LAST ? hashOf(Number(hash) + 1) : undefined)

function reader(failing?: number) {
  const asked: number[] = []
  const read = readAhead(async (hash) => {
    asked.push(Number(hash))
    if (Number(hash) === failing) throw new Error(`no block ${failing}`)
    return Number(hash)
  }, next)
  return { asked, read: (number: number) => read(hashOf(number)) }
}

describe('readAhead', () => {
  test('given blocks in order, when one is wanted, then it is asked for first, and eight after it', async () => {
    const { asked, read } = reader()
    expect(await read(1)).toBe(1)
    expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('given all of them are read, then each was asked for once', async () => {
    const { asked, read } = reader()
    for (let number = 1; number <= LAST; number++) expect(await read(number)).toBe(number)
    expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('given one that fails ahead of its time, then only who wants it hears of it', async () => {
    const { read } = reader(3)
    expect([await read(1), await read(2)]).toEqual([1, 2])
    await expect(read(3)).rejects.toThrow('no block 3')
  })
})
