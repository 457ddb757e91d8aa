import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutPower } from '#devnet/faults/cut-power'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { FoldersToTear } from './make-folders-to-tear.ts'
import type { TornCase } from './torn-case.ts'

const PAGE = 4_096

interface Kinds {
  /** Pages that stand in the place of another, of each database. */
  misdirected: number
  /** Writes of a page that never came, of each database; Infinity for all. */
  lost: number
  /** Losses of power of each database, in a commit or in a checkpoint. */
  power: number
}

/**
 * What a disk does that says of each write that it is done: it writes it to another place, or nowhere; and what a
 * loss of power leaves of writes that it was not told to finish.
 */
export function diskCases(
  folders: FoldersToTear,
  databases: readonly string[],
  rng: Rng,
  { misdirected, lost, power }: Kinds,
): TornCase[] {
  return databases.flatMap((file) => {
    const pages = readFileSync(join(folders.stopped, file)).length / PAGE
    return [
      ...times(misdirected, () => misdirect(file, randomInt(rng, pages), randomInt(rng, pages))),
      ...lostPages(folders, file, lost, rng).map((page) => lose(folders, file, page)),
      ...times(power, (turn) => losePower(file, turn)),
    ]
  })
}

const times = <T>(count: number, make: (turn: number) => T): T[] =>
  Array.from({ length: count }, (_, turn) => make(turn))

/** What was meant for one page was written over another, and the first is as it was. */
function misdirect(file: string, from: number, to: number): TornCase {
  return {
    name: `stopped: ${file} page ${to} is page ${from}`,
    ...{ file, kind: 'misdirected', from: 'stopped' },
    damage(folder) {
      const path = join(folder, file)
      const bytes = readFileSync(path)
      bytes.copy(bytes, to * PAGE, from * PAGE, (from + 1) * PAGE)
      writeFileSync(path, bytes)
    },
  }
}

/** Pages that were written since the devnet was stopped before. */
function lostPages(folders: FoldersToTear, file: string, most: number, rng: Rng): number[] {
  const [older, newer] = [folders.older, folders.stopped].map((each) =>
    readFileSync(join(each, file)),
  ) as [Buffer, Buffer]
  const changed = Array.from({ length: older.length / PAGE }, (_, page) => page).filter(
    (page) => !pageOf(older, page).equals(pageOf(newer, page)),
  )
  while (changed.length > most) changed.splice(randomInt(rng, changed.length), 1)
  return changed
}

const pageOf = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE, (page + 1) * PAGE)

function lose(folders: FoldersToTear, file: string, page: number): TornCase {
  return {
    name: `stopped: ${file} page ${page} was never written again`,
    ...{ file, kind: 'write lost', from: 'stopped' },
    damage(folder) {
      const path = join(folder, file)
      const bytes = readFileSync(path)
      pageOf(readFileSync(join(folders.older, file)), page).copy(bytes, page * PAGE)
      writeFileSync(path, bytes)
    },
  }
}

/** Of a commit or a checkpoint under way any sectors are there. */
function losePower(file: string, turn: number): TornCase {
  const name = `killed: ${file} power lost, ${turn}`
  return {
    ...{ name, file, kind: 'power lost', from: 'killed' },
    damage: (folder) =>
      cutPower(join(folder, file), {
        close: () => {},
        write(copy) {
          copy.exec('CREATE TABLE unfinished (value BLOB)')
          copy.exec('INSERT INTO unfinished VALUES (zeroblob(30000))')
        },
        isSynced: true,
        rng: seededRng(name),
      }),
  }
}
