import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TORN_KINDS, type TornKind } from '#suites/system/kept-devnet/torn-case'
import type { TornTable } from '#suites/system/kept-devnet/torn-table'
import { markdownTable } from './markdown-table.ts'
import { ROOT } from './source-tree.ts'

const FILE = 'suites/system/kept-devnet/torn-table.json'

const SAYS: Readonly<Record<TornKind, string>> = {
  missing: 'the file is gone',
  torn: 'it is cut at its begin, its end, or in between',
  zeros: 'a part of it, or all, is zero',
  flipped: 'one bit is turned over',
  misdirected: 'a page was written over another',
  'write lost': 'the disk said that a page was written, and it is as it was before',
  'power lost': 'of a commit or a checkpoint under way any sectors are there',
  older: 'it is from an older copy of the folder',
  "another's": 'it is of another devnet',
  edited: 'somebody wrote into it',
  'read-only': 'this user may not write it',
}

/** The page of what becomes of a folder of `--state`, by what happened to which file. */
export function damagedFilesPage(): string {
  const table = JSON.parse(readFileSync(join(ROOT, FILE), 'utf8')) as TornTable
  const all = Object.values(table).flatMap((kinds) => Object.values(kinds))
  const count = all
    .flatMap((outcomes) => Object.values(outcomes))
    .reduce((sum, each) => sum + each, 0)
  return `# Damaged files of \`--state\`

A folder of [\`--state\`](state.md) comes back from a disk, and disks lose and mix up what they were given. \`npm run torn\`
damages a folder in ${count} ways, starts on it, and holds all that users were told before (blocks, receipts, states,
L1, builder codes) to what is there then:

- **unharmed**: nothing was said, and all is there;
- **repaired**: what was missing is written anew, the log says so, and all is there;
- **refused**: STATE_DAMAGED or STATE_UNREADABLE with the file and what to do, and nothing in the folder was changed.

It never starts wrong. How: each row has a checksum, each table a count of its rows and a sum of their checksums that
each commit keeps up, each file the number of its commits and the name of its devnet and run, and
\`rollbed-progress.json\` how many commits somebody was told of. A start reads all of it. Where two words stand, it
depends on where in the file it was: a free page, for one, nobody reads.

${markdownTable(
  ['What happened', ...files(table).map(header)],
  TORN_KINDS.map((kind) => [
    `**${kind}**: ${SAYS[kind]}`,
    ...files(table).map((file) => cell(Object.keys(table[file]?.[kind] ?? {}))),
  ]),
)}

Logs (\`-wal\`) are those of a devnet that was killed; one that was stopped has none. While a devnet runs, a disk that
is full, read-only or slow is [weather](faults.md): it refuses in words, changes nothing, and goes on by itself.
`
}

/** What SQLite has beside its databases is built alike: one column stands for all three. */
function files(table: TornTable): string[] {
  return Object.keys(table).filter((file) => !/^(l2|builder-codes)\.sqlite-/.test(file))
}

const header = (file: string) =>
  file.includes(' ') ? file : `\`${file.replace(/^l1(?=\.sqlite-)/, '*')}\``

const cell = (outcomes: readonly string[]) => [...outcomes].sort().join(' or ')
