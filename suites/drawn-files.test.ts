import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DRAWN_FILES, filesLeftOut } from './drawn-files.ts'

const ids = Array.from({ length: 100 }, (_, index) => `commit ${index}`)

test('given the files that are drawn, then each is there', () => {
  const root = join(import.meta.dirname, '..')
  expect(DRAWN_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(DRAWN_FILES.length).toBe(100)
})

test('given a commit, then it leaves out one of each two, always the same', () => {
  const files = ['a', 'b', 'c', 'd', 'e']
  const left = filesLeftOut('8f0c2d1', files)
  expect(filesLeftOut('8f0c2d1', files)).toEqual(left)
  expect(left.length).toBe(2)
  expect(left.filter((file) => file === 'a' || file === 'b').length).toBe(1)
  expect(left.filter((file) => file === 'c' || file === 'd').length).toBe(1)
})

test('given a hundred commits, then each file is played by about half of them', () => {
  const left = ids.map((id) => new Set(filesLeftOut(id)))
  for (const file of DRAWN_FILES) {
    const times = left.filter((files) => !files.has(file)).length
    // Five standard deviations of a draw of 100 with p = 1/2.
    expect(Math.abs(times - 50)).toBeLessThan(25)
  }
})

test('given the id all, then nothing is left out', () => {
  expect(filesLeftOut('all')).toEqual([])
})
