import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Logger } from 'pino'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import { scheduleOf } from '#devnet/base/options/upgrade-options'
import { checkKeptFile } from '#devnet/base/process/check-kept-file'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { damaged, unreadable } from '#devnet/base/process/kept-errors'
import { makeFolder } from '#devnet/base/process/make-folder'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { L1Record } from '#devnet/l1/archive/l1-record'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Rng } from '#protocol/random/rng'
import type { Schedule } from '#protocol/types/schedule'
import { adoptOldState } from './adopt-old-state.ts'
import { type BegunDevnet, settingsOf } from './begun-devnet.ts'
import { holdAgainstChains } from './hold-against-chains.ts'
import { type FoundState, type JudgedState, judgeState } from './judge-state.ts'
import { ProgressFile, readProgress } from './progress-file.ts'
import { besideDatabase, DATABASES, type DatabaseName, STATE_FILES } from './state-files.ts'
import { readStateMarker, writeStateMarker } from './state-marker.ts'

/** The folder of `--state`, while a devnet runs in it. */
export interface StateFolder extends OwnedResource {
  /** Undefined in a new folder. */
  readonly begun: BegunDevnet | undefined
  /** Goes on from the moment at which the devnet stopped. */
  readonly clock: Clock
  readonly l1: L1Record
  readonly l2: KeptChain
  readonly builderCodes: BuilderCodesFile
  /** The second network, which lives in a folder of its own inside of this one. */
  readonly second: SecondNetwork
  /** Writes down what the devnet began with: from now on it can be started again. */
  begin(begun: BegunDevnet): void
}

export interface SecondNetwork {
  /** What its files are to say that they belong to. */
  readonly devnet: string
  /** Whether there was one: then its folder may not be missing. */
  readonly isBegun: boolean
  /** Writes down that there is one. */
  begin(): void
}

export interface BuilderCodesFile {
  path: string
  /** A connection to it; whoever opens one closes it. */
  open(): KeptDatabase
}

/** L2's newest block may be so many milliseconds ahead of L1's without anybody having moved the time. */
const USUALLY_AHEAD = 60_000
/** Bytes of a name that nobody else draws. */
const NAME_BYTES = 16
/** Under what name the second network is known. */
const SECOND = 'testnet'

/**
 * Opens the folder of a devnet that outlives its process, and locks it for this process. Every file is read
 * whole and held against the others before anything is changed. Nothing is removed but the files of a start
 * that was killed half-way: those say themselves that no devnet was begun in them.
 *
 * @param rng names the devnet and each run of it
 * @param logger is told what was repaired
 * @param second of the folder around, where this is that of a second network
 * @throws RollbedError STATE_IN_USE, STATE_UNREADABLE, STATE_DAMAGED, STATE_BEGUN_OTHERWISE
 */
export async function openStateFolder(
  directory: string,
  settings: DevnetSettings,
  { rng, logger, second }: { rng: Rng; logger: Logger; second?: SecondNetwork | undefined },
): Promise<StateFolder> {
  const folder = resolve(directory)
  const closing: (() => void)[] = []
  const close = () => {
    for (const each of closing.splice(0).reverse()) each()
  }
  try {
    makeAt(folder)
    closing.push(lock(folder))
    const name = () => second?.devnet ?? drawName(rng)
    const judged = await judge(folder, settings, name, logger)
    if (second) requireSecond(folder, judged, second)
    if (judged) requireSame(folder, judged.begun, settings)
    const devnet = judged?.devnet ?? name()
    return enter({ folder, settings, judged, devnet, run: drawName(rng) }, closing, close)
  } catch (error) {
    close()
    throw error
  }
}

function makeAt(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unreadable(folder, (error as Error).message, error)
  }
}

/** A lock that the operating system takes away when the process ends, even by SIGKILL. */
function lock(folder: string): () => void {
  const path = join(folder, STATE_FILES.lock)
  let database: DatabaseSync | undefined
  try {
    closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path)
    // Nothing is written, so no journal is needed.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    const { message } = cause as Error
    if (/not a database/.test(message))
      throw damaged(path, message, { cause, hint: 'Nothing is in it: remove it.' })
    if (!/locked/.test(message)) throw unreadable(path, message, cause)
    throw new RollbedError('STATE_IN_USE', `Another devnet runs in ${folder}.`, {
      hint: 'Stop it, or give this one another folder with --state.',
    })
  }
  return () => database.close()
}

/** What the folder holds; undefined: no devnet, and no file of one. */
async function judge(
  folder: string,
  settings: DevnetSettings,
  name: () => string,
  logger: Logger,
): Promise<JudgedState | undefined> {
  const found = find(folder)
  const isOld = DATABASES.some((name) => found.databases[name]?.isOld)
  if (isOld || found.marker?.isUpgrade) {
    const repairs = await adoptOldState(found, settings, name)
    const judged = judgeState(find(folder))!
    logRepairs(logger, [...repairs, ...judged.repairs])
    return judged
  }
  const judged = judgeState(found)
  if (!judged) {
    removeUnbegun(found)
    return undefined
  }
  holdAgainstChains(folder, judged.begun)
  logRepairs(logger, judged.repairs)
  return judged
}

function find(folder: string): FoundState {
  const path = (name: keyof typeof STATE_FILES) => join(folder, STATE_FILES[name])
  // Not the lock: who closes a file lets go of its locks.
  for (const name of [...DATABASES, 'settings', 'progress'] as const) requireWritable(path(name))
  const [l1, l2, builderCodes] = DATABASES.map((name) => checkKeptFile(path(name)))
  return {
    folder,
    databases: { l1, l2, builderCodes },
    marker: readStateMarker(path('settings')),
    progress: readProgress(path('progress')),
  }
}

/** Before anything is changed: a file that cannot be written would be found out half-way. */
function requireWritable(path: string): void {
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw unreadable(path, message, error)
  }
}

function logRepairs(logger: Logger, repairs: readonly string[]): void {
  for (const repair of repairs) logger.warn({ part: 'state' }, repair)
}

/** Of a start that ended before anybody was told of the devnet: its files say so themselves. */
function removeUnbegun({ folder, databases, progress }: FoundState): void {
  for (const name of DATABASES) {
    const path = join(folder, STATE_FILES[name])
    if (databases[name]) for (const one of [path, ...besideDatabase(path)]) rmSync(one)
    else if (besideDatabase(path).some((one) => !one.endsWith('-shm') && existsSync(one)))
      throw damaged(path, 'it is missing or empty, and its log is there')
  }
  if (progress) rmSync(join(folder, STATE_FILES.progress))
}

const NO_PROGRESS = { runs: [], writes: { l1: 0, l2: 0, builderCodes: 0 } }

interface EnteredState {
  folder: string
  settings: DevnetSettings
  judged: JudgedState | undefined
  devnet: string
  run: string
}

/** From here on files change. */
function enter(
  { folder, settings, judged, devnet, run }: EnteredState,
  closing: (() => void)[],
  close: () => void,
): StateFolder {
  const path = (name: keyof typeof STATE_FILES) => join(folder, STATE_FILES[name])
  const own = judged ? settingsOf(judged.begun) : ''
  if (judged && !existsSync(path('settings')))
    writeStateMarker(path('settings'), { devnet, begun: judged.begun, isUpgrade: false })
  const { runs, writes } = judged?.progress ?? NO_PROGRESS
  const progress = new ProgressFile(path('progress'), {
    ...{ devnet, runs: [...runs, run], writes: { ...writes } },
  })
  closing.push(() => progress.close())
  const open = (name: DatabaseName) =>
    new KeptDatabase(path(name), (writes) => progress.wrote(name, writes))
  const databases = { l1: open('l1'), l2: open('l2'), builderCodes: open('builderCodes') }
  closing.push(() => {
    for (const name of DATABASES) databases[name].close()
  })
  for (const name of DATABASES) databases[name].join({ devnet, settings: own }, run)
  progress.enter(run)
  databases.builderCodes.close()

  const l2 = new KeptChain(databases.l2, (settings.historyMemory * 1024 ** 2) / 2)
  const latest = l2.heads?.latest
  const l1 = new L1Record(databases.l1, (head) => {
    if (!head || !latest) return settings.clock
    const l2Time = Number(latest.header.timestamp) * 1000
    const ahead = l2Time - head.clock
    settings.clock.beginAt(ahead > 0 && ahead <= USUALLY_AHEAD ? l2Time : head.clock)
    return settings.clock
  })
  return {
    begun: judged?.begun,
    ...{ l1, l2, clock: l1.clock },
    builderCodes: { path: path('builderCodes'), open: () => open('builderCodes') },
    second: {
      devnet: `${devnet} ${SECOND}`,
      get isBegun() {
        return l2.mark(SECOND) !== undefined
      },
      begin: () => l2.setMark(SECOND, 'begun'),
    },
    begin(begun) {
      const codes = open('builderCodes')
      for (const database of [databases.l1, databases.l2, codes])
        database.join({ devnet, settings: settingsOf(begun) }, run)
      codes.close()
      writeStateMarker(path('settings'), { devnet, begun, isUpgrade: false })
    },
    stop: async () => close(),
  }
}

function drawName(rng: Rng): string {
  return Buffer.from(rng.bytes(NAME_BYTES)).toString('hex')
}

/** The folder of a second network is of the devnet around it, and there if it was. */
function requireSecond(
  folder: string,
  judged: JudgedState | undefined,
  { devnet, isBegun }: SecondNetwork,
): void {
  const marker = join(folder, STATE_FILES.settings)
  if (!judged && isBegun)
    throw damaged(
      marker,
      'it is missing, and the folder around says that a second network was begun',
    )
  if (judged && judged.devnet !== devnet)
    throw damaged(marker, 'it belongs to another devnet than the folder around')
}

/** Refuses to change what all blocks so far were made with, or what the enclave image holds. */
function requireSame(folder: string, begun: BegunDevnet, settings: DevnetSettings): void {
  const { config, l1BlockTime } = begun
  const kept = [
    ['chain-id', config.l2ChainId, settings.chainId],
    ['block-time', config.blockTime, settings.blockTime],
    ['l1-block-time', l1BlockTime, settings.l1BlockTime],
    ['fork', config.fork, settings.fork],
  ] as const
  const other =
    kept.find(([, then, now]) => then !== now) ??
    otherUpgrades(config, settings) ??
    otherJournals(config, settings)
  if (!other) return
  const [flag, then, now] = other
  throw new RollbedError(
    'STATE_BEGUN_OTHERWISE',
    `The devnet in ${folder} was begun with a ${flag} of ${then}, not ${now}.`,
    { hint: `Start it with --${flag} ${then}, or begin another devnet in another folder.` },
  )
}

/** Undefined where they come when they were said to come. */
function otherUpgrades(config: RollupConfig, { upgrades }: DevnetSettings) {
  const then = scheduleText(config.upgrades)
  const now = scheduleText(scheduleOf(upgrades, config))
  return then === now ? undefined : (['upgrades', then, now] as const)
}

/** A folder from before journals named a schedule goes on without. */
function otherJournals({ journal }: RollupConfig, { journalEra }: DevnetSettings) {
  if (!journal || journal === journalEra) return undefined
  return ['journal-era', journal, journalEra] as const
}

/** As --upgrades takes it. */
function scheduleText(schedule: Schedule = {}): string {
  const pairs = Object.entries(schedule).sort(([a], [b]) => (a < b ? -1 : 1))
  return pairs.map((pair) => pair.join('=')).join(',') || 'azul=never'
}
