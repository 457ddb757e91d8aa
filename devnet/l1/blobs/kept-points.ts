import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'

/** viem's own path to its setup is wrong in its ES modules (2.57), so it is found beside its package.json. */
export const VIEM_FOLDER = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
/** Where an installation keeps what takes long to work out. */
export const KZG_CACHE = join(VIEM_FOLDER, '../.cache/rollbed/kzg')

/** Files; an hour of blobs, each with a commitment and a proof. */
const MOST = 2_048
/** So seldom the oldest are looked for. */
const EVERY = 128

/** Points that any process of an installation has worked out, by what they are of. */
export interface KeptPoints {
  /** Undefined where it is not there, or not whole. */
  read(key: string): Uint8Array | undefined
  write(key: string, point: Uint8Array): void
}

/**
 * A folder of points: a devnet commits to its blobs and proves them, and each prover host that is started
 * beside it would do so again, some 0.7 s of processor time a blob.
 *
 * @param folder made when something is written; one that is read-only keeps nothing
 * @param most files that stay, the newest
 */
export function keptPoints(folder: string, most = MOST): KeptPoints {
  let written = 0
  const fileOf = (key: string) => join(folder, `${digest(key)}.point`)

  /** Others may do the same at this moment. */
  function dropOldest(): void {
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.point'))
      .map((name) => ({
        name,
        at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs,
      }))
      .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
    for (const { name } of files.slice(most)) rmSync(join(folder, name), { force: true })
  }

  return {
    read(key) {
      try {
        const [point, check] = readFileSync(fileOf(key), 'utf8').split(' ')
        if (!point || check !== digest(`${key} ${point}`)) return undefined
        return hexToBytes(point as `0x${string}`)
      } catch {
        return undefined
      }
    },
    write(key, point) {
      const hex = bytesToHex(point)
      if (!keepFile(fileOf(key), `${hex} ${digest(`${key} ${hex}`)}`)) return
      written += 1
      if (written % EVERY === 0) dropOldest()
    },
  }
}

/** Writes what can be worked out again. @returns false where it cannot be kept, as in a read-only installation */
export function keepFile(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Renamed into place: a reader never sees half a file.
    const partial = `${path}.${process.pid}`
    writeFileSync(partial, text)
    renameSync(partial, path)
    return true
  } catch {
    return false
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
