import { expect, test } from 'vitest'
import { drawCount, drawSeed, drawShare } from './drawn-by.ts'

const all = Array.from({ length: 61 }, (_, index) => index)
const ids = Array.from({ length: 100 }, (_, index) => `commit ${index}`)

test('given an id, then it always draws the same third, in order and nothing twice', () => {
  const share = drawShare('8f0c2d1', all, 1 / 3)
  expect(drawShare('8f0c2d1', all, 1 / 3)).toEqual(share)
  expect(share.length).toBe(21)
  expect(share).toEqual([...new Set(share)].sort((a, b) => a - b))
})

test('given a hundred commits, then each draws its own, and each one is drawn by about a third of them', () => {
  const shares = ids.map((id) => drawShare(id, all, 1 / 3))
  expect(new Set(shares.map((share) => share.join())).size).toBe(100)
  for (const each of all) {
    const times = shares.filter((share) => share.includes(each)).length
    // Seven standard deviations of a draw of 100 with p = 1/3.
    expect(Math.abs(times - 34)).toBeLessThan(33)
  }
  expect(new Set(ids.map(drawSeed)).size).toBe(100)
})

test('given the id all, then nothing is left out', () => {
  expect(drawShare('all', all, 1 / 3)).toEqual(all)
  expect(drawCount('all', 200, 1 / 4)).toBe(200)
  expect(drawCount('8f0c2d1', 10, 1 / 4)).toBe(3)
})
