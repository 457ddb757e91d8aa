import { damaged, unreadable } from '#devnet/base/process/kept-errors'
import { type BegunDevnet, readBegun, settingsOf } from './begun-devnet.ts'
import { isOldMarker, OLD_FORMAT, readWhole, writeWhole } from './state-files.ts'

/** What says that a folder holds a devnet: a file for people to read. The databases hold the same. */
export interface StateMarker {
  /** Drawn once; the same in all files of the devnet. */
  devnet: string
  begun: BegunDevnet
  /** Some databases may still be of version 1. */
  isUpgrade: boolean
}

/** The marker of version 1, where a description by `rollbed up` has not taken its place. */
export const OLD_MARKER = 'devnet.json'

const FORMAT = 'rollbed-state'
const VERSION = 2

/** @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE; undefined where there is none */
export function readStateMarker(file: string): StateMarker | undefined {
  const text = readWhole(file)
  if (text === undefined) return undefined
  try {
    const { format, version, devnet, isUpgrade, ...begun } = JSON.parse(text)
    if (format !== FORMAT) throw new Error(`its format is not ${FORMAT}`)
    if (version !== VERSION)
      throw unreadable(file, `its version is ${version}, and this rollbed reads ${VERSION}`)
    return { devnet: String(devnet), begun: readBegun(begun), isUpgrade: isUpgrade === true }
  } catch (cause) {
    if ((cause as { code?: string }).code === 'STATE_UNREADABLE') throw cause
    throw damagedMarker(file, (cause as Error).message, cause)
  }
}

export function writeStateMarker(file: string, { devnet, begun, isUpgrade }: StateMarker): void {
  const head = { format: FORMAT, version: VERSION, devnet, ...(isUpgrade && { isUpgrade }) }
  const whole = { ...head, ...(JSON.parse(settingsOf(begun)) as object) }
  writeWhole(file, `${JSON.stringify(whole, undefined, 2)}\n`)
}

/** Its text is not what the databases hold: it was edited, or torn. */
export function damagedMarker(file: string, what: string, cause?: unknown) {
  return damaged(file, what, {
    cause,
    hint: 'Nothing was changed. What a devnet began with cannot be edited; the databases hold the same: remove this file, and it is written anew from them.',
  })
}

/**
 * The marker of version 1, which had the name of what `rollbed up` describes a running devnet in.
 * @returns undefined where there is none, or a description
 * @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE
 */
export function readOldMarker(file: string): BegunDevnet | undefined {
  const text = readWhole(file)
  if (!text || !isOldMarker(text)) return undefined
  try {
    const { format, version, ...begun } = JSON.parse(text)
    if (format !== OLD_FORMAT) return undefined
    if (version !== 1) throw new Error(`its version is ${version}, not 1`)
    return readBegun(begun)
  } catch (cause) {
    throw damaged(file, (cause as Error).message, { cause })
  }
}
