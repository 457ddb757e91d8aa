import { DatabaseSync } from 'node:sqlite'
import { RollbedError } from '#protocol/errors/rollbed-error'

/**
 * Opens an SQLite file that outlives the process: what was committed is there after a crash at any
 * moment (write-ahead log, full synchronisation).
 * @param version of what is in it; a file of another one is refused
 * @throws RollbedError STATE_UNREADABLE
 */
export function openKeptDatabase(path: string, version: number): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    const found = Number(database.prepare('PRAGMA user_version').get()!.user_version)
    if (found !== 0 && found !== version) throw new Error(`it has version ${found}, not ${version}`)
    database.exec(`PRAGMA user_version = ${version}`)
    return database
  } catch (cause) {
    database?.close()
    throw new RollbedError(
      'STATE_UNREADABLE',
      `${path} cannot be used: ${(cause as Error).message}.`,
      {
        cause,
        hint: 'Was it written by another version of rollbed, or by something else? Another --state folder begins anew.',
      },
    )
  }
}
