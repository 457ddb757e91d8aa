import { join } from 'node:path'
import type { KeptFacts } from '#devnet/base/process/check-kept-file'
import { damaged } from '#devnet/base/process/kept-errors'
import { type BegunDevnet, readBegun, settingsOf } from './begun-devnet.ts'
import type { Progress } from './progress-file.ts'
import { requireWrites } from './require-writes.ts'
import { DATABASES, type DatabaseName, STATE_FILES } from './state-files.ts'
import { damagedMarker, type StateMarker } from './state-marker.ts'

/** What was found in a folder of `--state`; each part is whole in itself. */
export interface FoundState {
  folder: string
  databases: Record<DatabaseName, KeptFacts | undefined>
  marker: StateMarker | undefined
  progress: Progress | undefined
}

/** The devnet that all files of a folder belong to. */
export interface JudgedState {
  devnet: string
  begun: BegunDevnet
  /** How far the databases are. */
  progress: Progress
  /** What was missing, and is written anew from the rest; sentences. */
  repairs: string[]
}

/**
 * Holds the files of a folder against each other: all of one devnet, of one run of it, and none behind what
 * somebody was told of.
 * @returns undefined where no devnet was begun
 * @throws RollbedError STATE_DAMAGED
 */
export function judgeState(found: FoundState): JudgedState | undefined {
  const { folder, databases, marker, progress } = found
  const pathOf = (name: DatabaseName) => join(folder, STATE_FILES[name])
  const kept = DATABASES.flatMap((name) => databases[name]?.settings || [])
  if (!marker && kept.length === 0) return undefined

  const missing = DATABASES.find((name) => !databases[name])
  if (missing) throw damaged(pathOf(missing), 'it is missing or empty, and the others are there')
  const devnet = marker?.devnet ?? usual(DATABASES.map((name) => databases[name]!.devnet))
  for (const name of DATABASES) {
    if (databases[name]!.devnet !== devnet)
      throw damaged(pathOf(name), 'it belongs to another devnet than the other files')
  }
  const repairs: string[] = []
  const settings = usual(kept)
  const markerFile = join(folder, STATE_FILES.settings)
  if (!marker) {
    repairs.push(`${markerFile} was missing: it is written anew from ${pathOf('l2')}.`)
  } else if (kept.length > 0 && settingsOf(marker.begun) !== settings) {
    throw damagedMarker(markerFile, `it says other than ${pathOf('l2')}`)
  }
  const begun = marker?.begun ?? readBegun(JSON.parse(settings))
  for (const name of DATABASES) {
    const { settings: own } = databases[name]!
    // Where the devnet was begun and then ended at once, not all may have been told what it began with.
    if (own !== '' && own !== settingsOf(begun))
      throw damaged(pathOf(name), 'it says that the devnet began otherwise than the others do')
  }
  repairs.push(...judgeProgress(found, devnet, progress))
  const all = DATABASES.map((name) => databases[name]!)
  const writes = Object.fromEntries(DATABASES.map((name, at) => [name, all[at]!.writes]))
  const runs = [...new Set(all.map(({ run }) => run))]
  return {
    devnet,
    begun,
    progress: { devnet, runs, writes: writes as Progress['writes'] },
    repairs,
  }
}

function judgeProgress(
  { folder, databases }: FoundState,
  devnet: string,
  progress: Progress | undefined,
): string[] {
  const file = join(folder, STATE_FILES.progress)
  const runs = DATABASES.map((name) => databases[name]!.run)
  const common = usual(runs)
  if (!progress) {
    const stray = DATABASES.find((name) => databases[name]!.run !== common)
    if (stray) throw fromOtherRun(join(folder, STATE_FILES[stray]))
    return [
      `${file} was missing or empty: whether the databases hold all that was told cannot be known this time.`,
    ]
  }
  const isOwn = (run: string) => progress.runs.includes(run)
  if (progress.devnet !== devnet)
    throw damaged(file, 'it belongs to another devnet than the other files')
  if (!runs.some(isOwn)) throw fromOtherRun(file)
  for (const name of DATABASES) {
    const { run, writes } = databases[name]!
    const path = join(folder, STATE_FILES[name])
    if (!isOwn(run)) throw fromOtherRun(path)
    requireWrites(path, writes, progress.writes[name])
  }
  return []
}

function fromOtherRun(path: string) {
  return damaged(path, 'it is of another time than the other files, such as from an older copy')
}

/** What most say. */
function usual(all: readonly string[]): string {
  const count = (one: string) => all.filter((each) => each === one).length
  return [...all].sort((one, other) => count(other) - count(one))[0] ?? ''
}
