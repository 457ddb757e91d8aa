import { keccak_256 } from '@noble/hashes/sha3.js'
import { createKeccak } from 'hash-wasm'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import { type BenchResult, median, type Row, sideBySide } from './measurement.ts'

/** Bytes: a storage key, a node of a trie, a contract's code. */
const SIZES = [32, 200, 4_000]
const ROUNDS = 30
/** Of each round; a hash alone is shorter than the clock can see. */
const HASHES = 2_000

/** Our Keccak beside the fastest one on npm and one in plain JavaScript. */
export async function benchKeccak(): Promise<BenchResult> {
  const hasher = await createKeccak(256)
  const contestants = {
    ours: keccak256,
    'hash-wasm': (data: Uint8Array) => hasher.init().update(data).digest('binary'),
    '@noble/hashes': keccak_256,
  }
  const rows = []
  for (const size of SIZES) rows.push(await compare(size, contestants))
  return {
    title: 'Keccak-256',
    note: 'Ours is that of the EVM, there at once; hash-wasm has to be awaited.',
    rows,
  }
}

async function compare<Name extends string>(
  size: number,
  contestants: Record<Name, (data: Uint8Array) => Uint8Array>,
): Promise<Row> {
  const data = Uint8Array.from({ length: size }, (_, index) => index * 7)
  const entries = Object.entries(contestants) as [Name, (data: Uint8Array) => Uint8Array][]
  const [expected, ...others] = entries.map(([, hash]) => bytesToHex(hash(data)))
  if (others.some((digest) => digest !== expected)) throw new Error('Two of them differ.')
  const repeated = entries.map(([name, hash]) => [name, () => repeat(hash, data)] as const)
  const works = Object.fromEntries(repeated) as Record<Name, () => void>
  const times = await sideBySide(works, ROUNDS)
  const perHash = entries.map(([name]) => [`${name} µs`, (median(times[name]) * 1_000) / HASHES])
  return { what: `${size} bytes`, values: Object.fromEntries(perHash) }
}

function repeat(hash: (data: Uint8Array) => Uint8Array, data: Uint8Array): void {
  for (let index = 0; index < HASHES; index++) hash(data)
}
