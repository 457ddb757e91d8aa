import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Rng, randomInt } from '#protocol/random/rng'
import { diskCases } from './disk-cases.ts'
import type { FoldersToTear } from './make-folders-to-tear.ts'
import type { TornCase, TornKind } from './torn-case.ts'

const DATABASES = ['l1.sqlite', 'l2.sqlite', 'builder-codes.sqlite']
const SETTINGS = 'rollbed-state.json'
const PROGRESS = 'rollbed-progress.json'
const PAGE = 4_096
/** What the log has before each page; and before the first of them 32 bytes. */
const FRAME = PAGE + 24

/** The cases of one file, whatever it is. */
interface Kinds {
  /** Bytes to cut at; below zero from the end. */
  cuts: readonly number[]
  zeros: readonly [from: number, length: number][]
  flips: number
  /** Folders whose file takes its place. */
  swaps: readonly ('other' | 'older')[]
}

/** All cases; where bytes are flipped, `rng` says. */
export function tornCases(folders: FoldersToTear, rng: Rng): TornCase[] {
  const database: Kinds = {
    cuts: [0, 1, 100, PAGE, 0.5, -PAGE, -1],
    zeros: [
      [0, Infinity],
      [0, 100],
      [2 * PAGE, PAGE],
      [-PAGE, PAGE],
    ],
    flips: 12,
    swaps: ['other', 'older'],
  }
  const text: Kinds = {
    cuts: [0, 1, 0.5, -2],
    zeros: [
      [0, Infinity],
      [40, 64],
    ],
    flips: 6,
    swaps: ['other', 'older'],
  }
  const log: Kinds = {
    cuts: [0, 32, 0.5, -1, -FRAME, -2 * FRAME, -2_077],
    zeros: [
      [0, Infinity],
      [-FRAME, FRAME],
    ],
    flips: 6,
    swaps: ['other'],
  }
  const beside: Kinds = { cuts: [0], zeros: [[0, Infinity]], flips: 0, swaps: [] }
  const behindLog: Kinds = { cuts: [0.5], zeros: [], flips: 3, swaps: ['other', 'older'] }
  const of = (from: TornCase['from'], files: string[], kinds: Kinds) =>
    files.flatMap((file) => casesOf(folders, from, file, kinds, rng))
  const behind = (suffix: string) => DATABASES.map((name) => name + suffix)
  return [
    ...of('stopped', DATABASES, database),
    ...of('stopped', [PROGRESS], text),
    // What it says never changes: an older one is the same.
    ...of('stopped', [SETTINGS], { ...text, swaps: ['other'] }),
    ...of('killed', behind('-wal'), log),
    ...of('killed', behind('-shm'), beside),
    ...of('killed', DATABASES, behindLog),
    ...of('killed', [PROGRESS], { cuts: [0.5], zeros: [], flips: 0, swaps: ['other', 'older'] }),
    ...diskCases(folders, DATABASES, rng, { misdirected: 8, lost: 8, power: 8 }),
    ...edits(),
    ...mixtures(folders),
  ]
}

function casesOf(
  folders: FoldersToTear,
  from: TornCase['from'],
  file: string,
  { cuts, zeros, flips, swaps }: Kinds,
  rng: Rng,
): TornCase[] {
  const size = statSync(join(folders[from], file)).size
  const at = (place: number) =>
    Number.isInteger(place) ? (place < 0 ? size + place : place) : Math.floor(size * place)
  const make = (kind: TornKind, what: string, damage: (path: string) => void): TornCase => ({
    ...{ name: `${from}: ${file} ${what}`, file, kind, from },
    damage: (folder) => damage(join(folder, file)),
  })
  const flipped = Array.from({ length: flips }, () => [randomInt(rng, size), randomInt(rng, 8)])
  return [
    make('missing', 'missing', (path) => rmSync(path)),
    make('edited', 'other text', (path) => writeFileSync(path, 'hello\n')),
    ...cuts.map((place) =>
      make('torn', `cut at ${at(place)} of ${size}`, (path) => truncateSync(path, at(place))),
    ),
    ...zeros.map(([begin, length]) =>
      make('zeros', `zeros from ${at(begin)}, ${length}`, (path) =>
        change(path, (bytes) => bytes.fill(0, at(begin), at(begin) + Math.min(length, size))),
      ),
    ),
    ...flipped.map(([byte, bit]) =>
      make('flipped', `bit ${bit} of byte ${byte} flipped`, (path) =>
        change(path, (bytes) => {
          bytes[byte!]! ^= 1 << bit!
        }),
      ),
    ),
    ...swaps.map((by) =>
      make(by === 'older' ? 'older' : "another's", `that of ${by}`, (path) =>
        copyFileSync(join(folders[by], file), path),
      ),
    ),
  ]
}

/** What somebody may write into the file of settings. */
function edits(): TornCase[] {
  const all: [name: string, edit: (json: Json) => void][] = [
    ['depositContractAddress', (j) => (j.config.depositContractAddress = `0x${'11'.repeat(20)}`)],
    ['sequencerWindowSize "abc"', (j) => (j.config.sequencerWindowSize = 'abc')],
    ['sequencerWindowSize 10', (j) => (j.config.sequencerWindowSize = 10)],
    ['l2ChainId', (j) => (j.config.l2ChainId += 1)],
    ['l1ChainId', (j) => (j.config.l1ChainId = 1)],
    ['blockTime', (j) => (j.config.blockTime = 1)],
    ['blockTime "2"', (j) => (j.config.blockTime = '2')],
    ['l1BlockTime', (j) => (j.l1BlockTime = 4)],
    ['l1GenesisTime', (j) => (j.l1GenesisTime -= 2)],
    ['imageHash', (j) => (j.imageHash = `0x${'22'.repeat(32)}`)],
    ['fork', (j) => (j.config.fork = 'isthmus')],
    ['genesis.l2Time', (j) => (j.config.genesis.l2Time += 2)],
    ['genesis.l1.hash', (j) => (j.config.genesis.l1.hash = `0x${'33'.repeat(32)}`)],
    ['genesis.l2.hash', (j) => (j.config.genesis.l2.hash = `0x${'33'.repeat(32)}`)],
    [
      'batcherAddress',
      (j) => (j.config.genesis.systemConfig.batcherAddress = `0x${'44'.repeat(20)}`),
    ],
    ['gasLimit', (j) => (j.config.genesis.systemConfig.gasLimit = '30000000n')],
    ['contracts.optimismPortal', (j) => (j.contracts.optimismPortal = `0x${'55'.repeat(20)}`)],
    ['config missing', (j) => delete (j as Partial<Json>).config],
    ['version 9', (j) => (j.version = 9)],
    ['devnet', (j) => (j.devnet = '00'.repeat(16))],
  ]
  return all.map(([name, edit]) => ({
    name: `stopped: ${SETTINGS} edited: ${name}`,
    ...{ file: SETTINGS, kind: 'edited', from: 'stopped' },
    damage(folder) {
      const path = join(folder, SETTINGS)
      const json = JSON.parse(readFileSync(path, 'utf8')) as Json
      edit(json)
      writeFileSync(path, JSON.stringify(json, undefined, 2))
    },
  }))
}

// biome-ignore lint/suspicious/noExplicitAny: what somebody writes there has no type.
type Json = any

/** Several files at once. */
function mixtures(folders: FoldersToTear): TornCase[] {
  const file = 'several files'
  const take = (
    by: 'other' | 'older',
    files: readonly string[],
    from: TornCase['from'] = 'stopped',
  ): TornCase => ({
    name: `${from}: ${files.join(', ')} of ${by}`,
    file: files.length === 1 ? files[0]! : file,
    kind: by === 'older' ? 'older' : "another's",
    from,
    damage(folder: string) {
      for (const file of files) {
        for (const suffix of ['', '-wal', '-shm']) {
          const [source, target] = [join(folders[by], file + suffix), join(folder, file + suffix)]
          rmSync(target, { force: true })
          if (existsSync(source)) copyFileSync(source, target)
        }
      }
    },
  })
  return [
    take('other', DATABASES),
    take('other', [...DATABASES, PROGRESS]),
    take('other', [...DATABASES, SETTINGS]),
    take('older', DATABASES),
    take('older', ['l1.sqlite', 'l2.sqlite']),
    take('older', [...DATABASES, SETTINGS]),
    take('other', ['l2.sqlite'], 'killed'),
    take('older', ['builder-codes.sqlite'], 'killed'),
    {
      ...{ name: 'stopped: every database missing', file, kind: 'missing', from: 'stopped' },
      damage(folder) {
        for (const file of DATABASES) rmSync(join(folder, file))
      },
    },
    {
      ...{ name: 'killed: every log missing', file, kind: 'missing', from: 'killed' },
      damage(folder) {
        for (const file of DATABASES) rmSync(join(folder, `${file}-wal`))
      },
    },
    ...[...DATABASES, SETTINGS, PROGRESS].map(
      (file): TornCase => ({
        ...{ name: `stopped: ${file} is read-only`, file, kind: 'read-only', from: 'stopped' },
        isStrangers: true,
        damage(folder: string) {
          chmodSync(folder, 0o777)
          for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666)
          chmodSync(join(folder, file), 0o444)
        },
      }),
    ),
    {
      name: 'stopped: the folder and all in it are read-only',
      ...{ file, kind: 'read-only', from: 'stopped' },
      isStrangers: true,
      damage(folder) {
        for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
        chmodSync(folder, 0o555)
      },
    },
    {
      ...{ name: 'stopped: lock is a text', file: 'lock', kind: 'edited', from: 'stopped' },
      damage: (folder) => writeFileSync(join(folder, 'lock'), 'a text that is no database\n'),
    },
  ]
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}
