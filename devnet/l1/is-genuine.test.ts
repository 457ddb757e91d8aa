import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANVIL_SUMS, anvilBinary } from './anvil-binary.ts'
import { isGenuine } from './is-genuine.ts'

let folder: string
let binary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-genuine-'))
  binary = join(folder, 'anvil')
  writeFileSync(binary, 'what npm installed')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sumOf = (text: string) => createHash('sha512').update(text).digest('hex')
const right = sumOf('what npm installed')

test.each([
  ['a cache folder', () => join(folder, 'cache')],
  ['none that can be made', () => '/proc/nowhere'],
])(
  'given %s, when the binary is changed after it was found right, then it is not genuine',
  (_, cache) => {
    const env = { XDG_CACHE_HOME: cache() }
    expect(isGenuine(binary, right, env)).toBe(true)
    expect(isGenuine(binary, right, env)).toBe(true)
    writeFileSync(binary, 'what npm INSTALLED')
    expect(isGenuine(binary, right, env)).toBe(false)
    writeFileSync(binary, 'what npm installed')
    expect(isGenuine(binary, right, env)).toBe(true)
  },
)

test('given a note in a folder that others may write to, then it is not believed', () => {
  const cache = join(folder, 'cache')
  expect(isGenuine(binary, right, { XDG_CACHE_HOME: cache })).toBe(true)
  expect(isGenuine(binary, sumOf('another'), { XDG_CACHE_HOME: cache })).toBe(false)
  chmodSync(join(cache, 'rollbed'), 0o777)
  writeFileSync(binary, 'taken over')
  expect(isGenuine(binary, right, { XDG_CACHE_HOME: cache })).toBe(false)
})

test.skipIf(!(`${process.platform}-${process.arch}` in ANVIL_SUMS))(
  'given the anvil that npm installed here, then it has the sum that is written down for it',
  () => {
    const sum = ANVIL_SUMS[`${process.platform}-${process.arch}`]!
    expect(isGenuine(anvilBinary(), sum, { XDG_CACHE_HOME: folder })).toBe(true)
  },
)
