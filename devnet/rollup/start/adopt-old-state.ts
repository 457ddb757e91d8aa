import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { damaged, unreadable } from '#devnet/base/process/kept-errors'
import { decodeBlockRecord } from '#devnet/l2/node/chain/block-record'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { type BegunDevnet, settingsOf } from './begun-devnet.ts'
import { holdAgainstChains } from './hold-against-chains.ts'
import type { FoundState } from './judge-state.ts'
import { ProgressFile } from './progress-file.ts'
import { recoverBegun } from './recover-begun.ts'
import { DATABASES, type DatabaseName, makePrivate, STATE_FILES } from './state-files.ts'
import { OLD_MARKER, readOldMarker, writeStateMarker } from './state-marker.ts'

/** A table that each database of version 1 has. */
const TABLE: Record<DatabaseName, string> = {
  l1: 'mined',
  l2: 'state_value',
  builderCodes: 'registration',
}

/**
 * Takes over a folder of version 1, whose files had no checksums and did not know each other: it is checked by
 * what hashes say, and then gets all that. Killed half-way, it is taken up again.
 * @returns what was done, as sentences
 * @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE; then nothing has changed
 */
export async function adoptOldState(
  found: FoundState,
  settings: DevnetSettings,
  drawName: () => string,
): Promise<string[]> {
  const { folder } = found
  const path = (name: keyof typeof STATE_FILES) => join(folder, STATE_FILES[name])
  const repairs = [
    `${folder} was written by an earlier version: its files have checksums from now on.`,
  ]
  const marker = found.marker ?? {
    devnet: drawName(),
    begun: await check(found, settings, repairs),
    isUpgrade: true,
  }
  if (!marker.isUpgrade)
    throw damaged(
      path(DATABASES.find((name) => found.databases[name]?.isOld)!),
      'it is of an earlier version than the other files',
    )
  for (const name of [OLD_MARKER, ...Object.values(STATE_FILES)]) makePrivate(join(folder, name))
  writeStateMarker(path('settings'), marker)
  const { devnet, begun } = marker
  // One name for the run, so that it does not matter how often this was begun.
  const belongs = { devnet, settings: settingsOf(begun) }
  const writes = { l1: 0, l2: 0, builderCodes: 0 }
  for (const name of DATABASES) {
    const database = new KeptDatabase(path(name))
    try {
      if (!found.databases[name]?.devnet) database.join(belongs, devnet)
      writes[name] = database.writes
    } finally {
      database.close()
    }
  }
  new ProgressFile(path('progress'), { devnet, runs: [devnet], writes }).close()
  writeStateMarker(path('settings'), { ...marker, isUpgrade: false })
  return repairs
}

/** @returns what the devnet began with */
async function check(
  { folder, databases }: FoundState,
  { builderCodeDb }: DevnetSettings,
  repairs: string[],
): Promise<BegunDevnet> {
  for (const name of DATABASES) {
    const path = join(folder, STATE_FILES[name])
    const mayLack = name === 'builderCodes' && builderCodeDb !== undefined
    if (databases[name]) requireTable(path, TABLE[name])
    else if (!mayLack) throw damaged(path, 'it is missing or empty, and the others are there')
  }
  const l2 = join(folder, STATE_FILES.l2)
  checkOldChain(l2)
  const marker = join(folder, OLD_MARKER)
  const begun = readOldMarker(marker) ?? (await recover(folder, marker, repairs))
  holdAgainstChains(folder, begun, OLD_MARKER)
  return begun
}

/** `rollbed up --state .rollbed` of version 1 wrote its description over the marker, and removed it at its end. */
async function recover(folder: string, marker: string, repairs: string[]): Promise<BegunDevnet> {
  const what = existsSync(marker) ? 'it is not the marker of its devnet' : 'it is missing'
  try {
    const begun = await recoverBegun(folder)
    repairs.push(`${marker}: ${what}, so what it began with was found out from its databases.`)
    return begun
  } catch (cause) {
    const why = (cause as Error).message
    throw damaged(marker, `${what}, and the databases do not tell what it said: ${why}`, {
      cause,
      hint: 'Nothing was changed. Put this file back from a copy of the folder, or begin anew in another --state folder.',
    })
  }
}

function requireTable(path: string, table: string): void {
  const sql = new DatabaseSync(path, { readOnly: true })
  const found = sql.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)
  sql.close()
  if (!found) throw unreadable(path, 'it is no file of rollbed')
}

/** Blocks on each other, and every value of a state under its hash. */
function checkOldChain(path: string): void {
  const sql = new DatabaseSync(path, { readOnly: true })
  try {
    let parent: string | undefined
    for (const { number, hash, record } of sql
      .prepare('SELECT * FROM block ORDER BY number')
      .iterate()) {
      const block = decodeBlockRecord(record as Uint8Array)
      const isSo =
        block.hash === bytesToHex(hash as Uint8Array) &&
        block.header.number === BigInt(number as number) &&
        (parent === undefined || block.header.parentHash === parent)
      if (!isSo) throw damaged(path, `block ${number} has another hash, or is not on its parent`)
      parent = block.hash
    }
    for (const { hash, value } of sql.prepare('SELECT * FROM state_value').iterate()) {
      const key = bytesToHex(hash as Uint8Array)
      if (keccak256Hex(value as Uint8Array) !== key)
        throw damaged(path, `the value of state ${key} has another hash`)
    }
  } catch (error) {
    const { code } = error as { code?: string }
    throw code === 'BLOCK_RECORD_DAMAGED' ? damaged(path, (error as Error).message) : error
  } finally {
    sql.close()
  }
}
