import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import { openKeptDatabase } from '#devnet/base/process/open-kept-database'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { L1Record } from '#devnet/l1/archive/l1-record'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'

/** What a devnet began with, and goes on with. */
export interface BegunDevnet {
  config: RollupConfig
  contracts: L1Addresses
  /** Seconds; the timestamp of L1's block 0. */
  l1GenesisTime: number
  l1BlockTime: number
  /** The enclave image whose proofs L1's contracts accept. */
  imageHash: Hash
}

/** The folder of `--state`, while a devnet runs in it. */
export interface StateFolder extends OwnedResource {
  /** Undefined in a new folder. */
  readonly begun: BegunDevnet | undefined
  /** Goes on from the moment at which the devnet stopped. */
  readonly clock: Clock
  readonly l1: L1Record
  readonly l2: KeptChain
  /** SQLite file of the builder codes. */
  readonly builderCodes: string
  /** Writes down what the devnet began with: from now on it can be started again. */
  begin(begun: BegunDevnet): void
}

const FORMAT = 'rollbed-devnet'
/** Counted up when files of the version before can no longer be read. */
const VERSION = 1
const FILES = { l1: 'l1.sqlite', l2: 'l2.sqlite', builderCodes: 'builder-codes.sqlite' }
/** L2's newest block may be so many milliseconds ahead of L1's without anybody having moved the time. */
const USUALLY_AHEAD = 60_000

/**
 * Opens the folder of a devnet that outlives its process, and locks it for this process. Files of a
 * start that was killed half-way are removed: nobody had seen that devnet yet.
 *
 * @throws RollbedError STATE_IN_USE, STATE_UNREADABLE, STATE_BEGUN_OTHERWISE
 */
export function openStateFolder(directory: string, settings: DevnetSettings): StateFolder {
  const folder = resolve(directory)
  const path = (name: string) => join(folder, name)
  const closing: (() => void)[] = []
  const close = () => {
    for (const each of closing.splice(0).reverse()) each()
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closing.push(lock(folder))
    const begun = readBegun(path('devnet.json'))
    if (begun) requireSame(folder, begun, settings)
    else for (const name of Object.values(FILES)) removeDatabase(path(name))
    const l2 = new KeptChain(path(FILES.l2))
    closing.push(() => l2.close())
    const database = openKeptDatabase(path(FILES.l1), VERSION)
    closing.push(() => database.isOpen && database.close())
    const latest = l2.heads?.latest
    const l1 = new L1Record(database, (head) => {
      if (!head || !latest) return settings.clock
      const l2Time = Number(latest.header.timestamp) * 1000
      const ahead = l2Time - head.clock
      settings.clock.beginAt(ahead > 0 && ahead <= USUALLY_AHEAD ? l2Time : head.clock)
      return settings.clock
    })
    return {
      ...{ begun, l1, l2, clock: l1.clock, builderCodes: path(FILES.builderCodes) },
      begin: (devnet) => writeBegun(path('devnet.json'), devnet),
      stop: async () => close(),
    }
  } catch (error) {
    close()
    throw error
  }
}

/** A lock that the operating system takes away when the process ends, even by SIGKILL. */
function lock(folder: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(join(folder, 'lock'))
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    if (!/locked/.test((cause as Error).message)) throw unreadable(folder, cause)
    throw new RollbedError('STATE_IN_USE', `Another devnet runs in ${folder}.`, {
      hint: 'Stop it, or give this one another folder with --state.',
    })
  }
  return () => database.close()
}

function readBegun(file: string): BegunDevnet | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    const { format, version, ...begun } = JSON.parse(text, (_, value) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    )
    if (format !== FORMAT) throw new Error(`its format is not ${FORMAT}`)
    if (version !== VERSION)
      throw new Error(`its version is ${version}, and this rollbed reads ${VERSION}`)
    return begun
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** Writes a new file and then renames it, so a file that is there is whole. */
function writeBegun(file: string, begun: BegunDevnet): void {
  const whole = { format: FORMAT, version: VERSION, ...begun }
  const text = JSON.stringify(
    whole,
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
    2,
  )
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
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
  const other = kept.find(([, then, now]) => then !== now)
  if (!other) return
  const [flag, then, now] = other
  throw new RollbedError(
    'STATE_BEGUN_OTHERWISE',
    `The devnet in ${folder} was begun with a ${flag} of ${then}, not ${now}.`,
    { hint: `Start it with --${flag} ${then}, or begin another devnet in another folder.` },
  )
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
}

function unreadable(what: string, cause: unknown): RollbedError {
  return new RollbedError(
    'STATE_UNREADABLE',
    `${what} cannot be used: ${(cause as Error).message}.`,
    {
      cause,
      hint: 'Was it written by another version of rollbed, or by something else? Another --state folder begins anew.',
    },
  )
}
