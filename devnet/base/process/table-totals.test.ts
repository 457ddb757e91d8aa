import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkKeptFile } from './check-kept-file.ts'
import { KeptDatabase } from './kept-database.ts'
import { rowSum } from './row-sum.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-totals-'))
  path = join(folder, 'kept.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens it, writes words by their numbers, and closes it. */
function write(words: Readonly<Record<number, string>>): void {
  const kept = new KeptDatabase(path)
  kept.define(
    'CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text TEXT NOT NULL, sum INTEGER NOT NULL) STRICT',
  )
  kept.write(() => {
    const put = kept.sql.prepare('INSERT OR REPLACE INTO word VALUES (?, ?, ?)')
    for (const [id, text] of Object.entries(words))
      put.run(Number(id), text, rowSum(Number(id), text))
  })
  kept.close()
}

/** What nobody counts, as where a page of the file is an older one; nor does anybody know what its tables were. */
function behindItsBack(sql: string): void {
  const database = new DatabaseSync(path)
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
  database.exec(sql)
  database.exec('PRAGMA application_id = 0')
  database.close()
}

test('given rows that were made, replaced and removed, then the file is what was written', () => {
  write({ 1: 'one', 2: 'two' })
  write({ 2: 'zwei', 3: 'three' })
  const kept = new KeptDatabase(path)
  kept.write(() => kept.sql.exec('DELETE FROM word WHERE id = 1'))
  kept.close()
  expect(checkKeptFile(path)).toMatchObject({ writes: 3 })
})

test('given a row of before, whose own checksum fits, then its table is named', () => {
  write({ 1: 'one' })
  write({ 1: 'eins' })
  behindItsBack(`UPDATE word SET text = 'one', sum = ${rowSum(1, 'one')}`)
  expect(() => checkKeptFile(path)).toThrow(
    `${path} is not what was written there: word is not as it was when it was last written.`,
  )
})

test('given a row that is missing, or a table, then that table is named', () => {
  write({ 1: 'one', 2: 'two' })
  behindItsBack('DELETE FROM word WHERE id = 2')
  expect(() => checkKeptFile(path)).toThrow('word is not as it was')
  behindItsBack('DROP TABLE word')
  expect(() => checkKeptFile(path)).toThrow('word is not as it was')
})

test('given a file of the version that did not count, then it is as whole as it can tell, and counted from its next opening on', () => {
  write({ 1: 'one', 2: 'two' })
  behindItsBack('DROP TABLE total; PRAGMA user_version = 2')
  expect(checkKeptFile(path)).toMatchObject({ writes: 1 })
  write({ 3: 'three' })
  expect(checkKeptFile(path)).toMatchObject({ writes: 2 })
  behindItsBack('DELETE FROM word WHERE id = 2')
  expect(() => checkKeptFile(path)).toThrow('word is not as it was')
})
