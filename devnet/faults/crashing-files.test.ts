import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkKeptFile } from '#devnet/base/process/check-kept-file'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { rowSum } from '#devnet/base/process/row-sum'
import { type Rng, seededRng } from '#protocol/random/rng'
import { CrashingFiles } from './crashing-files.ts'

let folder: string
let path: string
let kept: KeptDatabase
let rng: Rng
let files: CrashingFiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-crashing-'))
  path = join(folder, 'kept.sqlite')
  rng = seededRng('crashing')
  const insertHalf = (copy: DatabaseSync) =>
    copy.exec("INSERT INTO word VALUES (-1, 'told to nobody', 0)")
  const kill = () => files.end(() => kept.close())
  files = new CrashingFiles({ path, rng, kill, write: insertHalf })
  open()
})
afterEach(() => {
  kept.close()
  rmSync(folder, { recursive: true })
})

function open(synchronous = 'FULL'): void {
  kept = new KeptDatabase(path)
  kept.define(
    'CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text TEXT NOT NULL, sum INTEGER NOT NULL) STRICT',
  )
  kept.sql.exec(`PRAGMA synchronous = ${synchronous}`)
  files.opened(kept.sql)
}

/** Some pages of words, each commit a few. */
function write(first: number): void {
  const put = kept.sql.prepare('INSERT INTO word VALUES (?, ?, ?)')
  for (let commit = 0; commit < 10; commit++)
    kept.write(() => {
      for (let word = 0; word < 20; word++) {
        const id = first + commit * 20 + word
        const text = 'word '.repeat(20)
        put.run(id, text, rowSum(id, text))
      }
    })
}

const words = () => kept.sql.prepare('SELECT count(*) AS count FROM word').get()!.count

describe.each(['torn_write', 'power_off'] as const)('%s', (crash) => {
  test('given six of them, then all that was committed is there each time, and nothing else', async () => {
    for (let life = 1; life <= 6; life++) {
      write(life * 1_000)
      await files.crashes[crash]()
      expect(checkKeptFile(path)).toMatchObject({ writes: 10 * life })
      open()
      expect(words()).toBe(200 * life)
    }
  })
})

test('given commits that do not wait for the disk, when power goes, then some of them are lost', async () => {
  const counts: unknown[] = []
  kept.close()
  for (let life = 1; life <= 4; life++) {
    open('NORMAL')
    write(life * 1_000)
    await files.crashes.power_off()
    counts.push(checkKeptFile(path)?.writes)
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  }
  expect(counts).not.toEqual([10, 10, 10, 10])
})

describe.each(['flipped', 'misdirected', 'lost_write'] as const)('%s', (damage) => {
  test('given six of them, then some are refused, none is taken for what was written, and all is put back', async () => {
    let refused = 0
    for (let life = 1; life <= 6; life++) {
      write(life * 1_000)
      const end = await files.damages[damage]()
      if (isRefused(10 * life)) refused += 1
      await end?.()
      expect(checkKeptFile(path)).toMatchObject({ writes: 10 * life })
      open()
      expect(words()).toBe(200 * life)
    }
    // A bit may hit what nobody reads, and the log may have what a page of the file lacks.
    expect(refused).toBeGreaterThan(1)
  })
})

/** Or has less than was told: which is refused by whoever knows how much that was. */
function isRefused(promised: number): boolean {
  try {
    return (checkKeptFile(path)?.writes ?? 0) < promised
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^STATE_/) })
    return true
  }
}
