import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DRAWN_FILES, filesLeftOut } from './drawn-files.ts'

const ids = Array.from({ length: 100 }, (_, index) => `commit ${index}`)

test('given the files that are drawn, then each is there', () => {
  const root = join(import.meta.dirname, '..')
  expect(DRAWN_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(DRAWN_FILES.length).toBe(160)
})

test('given a commit, then it plays one of each five, always the same', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']
  const left = filesLeftOut('8f0c2d1', files)
  expect(filesLeftOut('8f0c2d1', files)).toEqual(left)
  const played = files.filter((file) => !left.includes(file)).join('')
  expect(played).toMatch(/^[abcde][fghij]k$/)
})

test('given a hundred commits, then each file is played by about a fifth of them', () => {
  const left = ids.map((id) => new Set(filesLeftOut(id)))
  for (const file of DRAWN_FILES) {
    const times = left.filter((files) => !files.has(file)).length
    // Five standard deviations of a draw of 100 with p = 1/5.
    expect(Math.abs(times - 20)).toBeLessThan(20)
  }
})

test('given the id all, then nothing is left out', () => {
  expect(filesLeftOut('all')).toEqual([])
})
