import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Hash, Hex } from '#protocol/types/bytes'

interface Version1 {
  /** Base64, by name. */
  files: Record<string, string>
  /** What users were told of: hashes by block number, codes by wallet. */
  seen: { l2: Hash[]; l1: Hash[]; codes: Record<Hex, string> }
}

const FILE = join(import.meta.dirname, 'version-1.json.gz')

/**
 * A folder of `--state` as rollbed wrote it before files knew each other, made by commit 7632705: seven L2
 * blocks, five of L1 and three wallets, of a start at 1,700,000,000 and a second one.
 * @returns what users had seen
 */
export function unpackVersion1(folder: string): Version1['seen'] {
  const { files, seen } = JSON.parse(String(gunzipSync(readFileSync(FILE)))) as Version1
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), Buffer.from(content, 'base64'))
    // As version 1 left them, whatever mask a command that ran in this worker has set.
    chmodSync(join(folder, name), 0o644)
  }
  return seen
}
