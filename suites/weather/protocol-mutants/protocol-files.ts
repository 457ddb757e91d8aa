import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PartName } from '../model/part-name.ts'

export const ROOT = join(import.meta.dirname, '../../..')

/** Whose files are changed: globs from the root of the project. Derivation is what others share. */
const PROTOCOL: Readonly<Partial<Record<PartName, readonly string[]>>> = {
  batcher: ['devnet/l2/batcher/*.ts'],
  sequencer: ['devnet/l2/node/sequencer/*.ts'],
  mempool: ['devnet/l2/node/mempool/*.ts'],
  derivation: ['enclave-sim/protocol/derivation/*.ts'],
  'safe head': ['devnet/l2/safe-head/*.ts'],
  'prover host': ['devnet/proving/prover/*.ts'],
  registrar: ['devnet/actors/registrar/*.ts'],
  proposer: ['devnet/actors/proposer/*.ts'],
  challenger: ['devnet/actors/challenger/*.ts'],
  'builder codes': ['devnet/builder-codes/*.ts'],
  'kept chain': [
    'devnet/l2/node/chain/*.ts',
    'devnet/l2/node/state/*.ts',
    'devnet/base/process/{kept-database,check-kept-file,row-sum,table-totals,write-at-once}.ts',
    'devnet/rollup/start/{progress-file,require-writes}.ts',
  ],
}

/**
 * Files that no world of the weather runs, or runs for its looks alone: their changes would live for that reason.
 */
const OUTSIDE = [
  // Cheats of a developer's devnet, dumps and forks.
  /chain-cheats|state-dump|read-fetching/,
  // Of a real devnet: sockets, processes, PostgreSQL, files of chains that are not its own.
  /postgres|sql-session|open-registry-at|open-api-document|chain-file|host-metrics|serve-metrics|start-upstream-heartbeat/,
  // Batches in blobs, and whatever is written for people.
  /blob|words|describe/,
]

export interface ProtocolFile {
  part: PartName
  /** From the root of the project. */
  path: string
  text: string
}

/** All files whose changes a swarm should notice, by part. */
export function protocolFiles(): ProtocolFile[] {
  return Object.entries(PROTOCOL).flatMap(([part, globs]) =>
    globSync([...globs], { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts') && !OUTSIDE.some((each) => each.test(path)))
      .sort()
      .map((path) => ({
        part: part as PartName,
        path,
        text: readFileSync(join(ROOT, path), 'utf8'),
      })),
  )
}
