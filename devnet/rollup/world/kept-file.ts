import { checkKeptFile } from '#devnet/base/process/check-kept-file'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { ProgressFile, readProgress } from '../start/progress-file.ts'
import { requireWrites } from '../start/require-writes.ts'
import type { DatabaseName } from '../start/state-files.ts'

/** Which devnet and which run of it a file is of is judged where there are several. */
const OWN = { devnet: 'world', run: 'world' }

/**
 * The database of one part of a world, which outlives its process as those of `--state` do: each opening reads it
 * whole, and holds it against how much of it somebody was told.
 */
export class KeptFile {
  readonly path: string
  /** Where it says how far the database was written. */
  readonly progressPath: string
  readonly #name: DatabaseName
  #progress: ProgressFile | undefined

  constructor(path: string, name: DatabaseName) {
    this.path = path
    this.progressPath = `${path}.progress`
    this.#name = name
  }

  /** Whoever opened it before has closed it. @throws RollbedError STATE_DAMAGED, STATE_UNREADABLE */
  open(): KeptDatabase {
    this.close()
    const name = this.#name
    const facts = checkKeptFile(this.path)
    const known = readProgress(this.progressPath)
    requireWrites(this.path, facts?.writes ?? 0, known?.writes[name] ?? 0)
    const writes = { l1: 0, l2: 0, builderCodes: 0, [name]: facts?.writes ?? 0 }
    const progress = new ProgressFile(this.progressPath, {
      ...{ devnet: OWN.devnet, runs: [OWN.run], writes },
    })
    this.#progress = progress
    return new KeptDatabase(this.path, (now) => progress.wrote(name, now))
  }

  /** Its owner closes the database. */
  close(): void {
    this.#progress?.close()
    this.#progress = undefined
  }
}
