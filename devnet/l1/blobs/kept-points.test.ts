import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keptPoints } from './kept-points.ts'
import { createKzg } from './kzg.ts'

const POINT = Uint8Array.from({ length: 48 }, (_, index) => index)

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rollbed-points-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('given a point that one process has written, then another reads it, and nobody another', () => {
  const dir = join(folder(), 'made')
  keptPoints(dir).write('commitment 1', POINT)
  expect(keptPoints(dir).read('commitment 1')).toEqual(POINT)
  expect(keptPoints(dir).read('proof 1')).toBeUndefined()
})

test('given a file that is cut, changed or of another point, then it is not there', () => {
  const dir = folder()
  const points = keptPoints(dir)
  points.write('a', POINT)
  points.write('b', POINT.toReversed())
  const [first, second] = readdirSync(dir).map((name) => join(dir, name))
  const [one, other] = [first!, second!].map((file) => readFileSync(file, 'utf8'))
  for (const text of [one!.slice(0, -1), one!.replace(/../, '0y'), '', other!]) {
    writeFileSync(first!, text)
    const left = ['a', 'b'].filter((key) => points.read(key))
    expect(left).toHaveLength(1)
  }
})

test('given more than may stay, then the oldest go', () => {
  const dir = folder()
  const points = keptPoints(dir, 5)
  points.write('old', POINT)
  for (const name of readdirSync(dir)) utimesSync(join(dir, name), 1, 1)
  for (let count = 0; count < 300; count++) points.write(`new ${count}`, POINT)
  expect(points.read('old')).toBeUndefined()
  expect(readdirSync(dir).length).toBeLessThan(5 + 128)
})

test('given a folder that cannot be written, then nothing is kept and nothing fails', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  const points = keptPoints(join(file, 'points'))
  points.write('a', POINT)
  expect(points.read('a')).toBeUndefined()
})

test('given a point that is kept, then a blob is not worked on again; given none, then what is made is kept', async () => {
  const dir = folder()
  const zeros = new Uint8Array(131_072)
  const first = createKzg(keptPoints(dir))
  onTestFinished(() => first.stop())
  // EIP-4844: the commitment to zeros is the point at infinity.
  const infinity = Uint8Array.from({ length: 48 }, (_, index) => (index === 0 ? 0xc0 : 0))
  expect(await first.commit(zeros)).toEqual(infinity)
  expect(readdirSync(dir)).toHaveLength(1)
  const [file] = readdirSync(dir)
  const key = readFileSync(join(dir, file!), 'utf8')
  // A thread would say that it was stopped.
  const second = createKzg(keptPoints(dir))
  await second.stop()
  expect(await second.commit(zeros)).toEqual(infinity)
  expect(readFileSync(join(dir, file!), 'utf8')).toBe(key)
})
