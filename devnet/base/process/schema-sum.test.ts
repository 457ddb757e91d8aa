import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkKeptFile } from './check-kept-file.ts'
import { KeptDatabase } from './kept-database.ts'
import { rowSum } from './row-sum.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-schema-'))
  path = join(folder, 'kept.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

const table = (name: string) =>
  `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY, text TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`

/** Opens it with these tables, writes a row, and closes it. */
function write(id: number, ...tables: string[]): void {
  const kept = new KeptDatabase(path)
  for (const name of tables) kept.define(table(name))
  kept.write(() =>
    kept.sql
      .prepare(`INSERT INTO ${tables[0]} VALUES (?, ?, ?)`)
      .run(id, 'text', rowSum(id, 'text')),
  )
  kept.close()
}

/** Turns over one bit of the first letter of a text in the file. */
function turnOver(text: string, bit: number): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes.writeUInt8(bytes.readUInt8(at) ^ bit, at)
  writeFileSync(path, bytes)
}

test.each([
  ['a trigger that sets another column', 'rows = rows + 1', 0x08],
  ['a trigger of another row', "word'; END", 0x01],
  ['a column of another name', 'text TEXT NOT NULL', 0x02],
])('given %s for one bit, then the file is refused by name', (_, text, bit) => {
  write(1, 'word')
  turnOver(text, bit)
  expect(() => checkKeptFile(path)).toThrow(
    expect.objectContaining({ code: 'STATE_DAMAGED', message: expect.stringContaining(path) }),
  )
})

test('given tables that are made anew or added, then the file is what was written', () => {
  write(1, 'word')
  write(2, 'word')
  expect(checkKeptFile(path)).toMatchObject({ writes: 2 })
  write(3, 'word', 'other')
  expect(checkKeptFile(path)).toMatchObject({ writes: 3 })
})
