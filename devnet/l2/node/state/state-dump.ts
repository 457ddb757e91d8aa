import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { z } from 'zod'
import { type JsonLimits, measureJson } from '#devnet/base/json-rpc/measure-json'
import type { Slices } from '#devnet/base/process/slices'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import { type ValueKind, visitReferences } from './visit-references.ts'

/** A trie node or a code. */
export interface DumpedValue {
  hash: Hash
  kind: ValueKind
  value: Uint8Array
}

/** A whole state, every trie node and every code once. */
export interface StateDump {
  chainId: bigint
  stateRoot: Hash
  /** What a value refers to stands before it. */
  values: readonly DumpedValue[]
}

const FORMAT = 'rollbed-state'
/** Grows when the format changes; older ones are read for ever. */
const VERSION = 1
/**
 * What a dump may grow to when it is unpacked. A call has room for 15 MB of it, and bytes that cannot be
 * foretold, as hashes are, shrink by half: a state of a chain is far within both.
 */
const MAX_UNPACKED_MEGABYTES = 64
const LIMITS: JsonLimits = { maxValues: 131_072, maxDepth: 2 }

const hex = z.string().regex(/^0x([0-9a-f]{2})+$/)
const dumpSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int(),
  chainId: z.int().nonnegative(),
  stateRoot: z.string().regex(/^0x[0-9a-f]{64}$/),
  values: z.array(hex),
})

/** A state of a chain with all that belongs to it. @throws RollbedError STATE_DUMP_INVALID where it is no longer kept */
export function collectState(store: StateSource, chainId: bigint, stateRoot: Hash): StateDump {
  return { chainId, stateRoot, values: [...visitState(stateRoot, valuesOf(store))] }
}

/**
 * The same as bytes for a file, gzipped JSON with its format and version, made in slices of this
 * thread's time.
 * @throws RollbedError STATE_DUMP_INVALID where it is no longer kept
 */
export async function writeStateDump(
  store: StateSource,
  { chainId, stateRoot }: Omit<StateDump, 'values'>,
  slices: Slices,
): Promise<Uint8Array> {
  const head = { format: FORMAT, version: VERSION, chainId: Number(chainId), stateRoot }
  const parts = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"values":[`)]
  let separator = '"'
  for (const { value } of visitState(stateRoot, valuesOf(store))) {
    parts.push(Buffer.from(`${separator}${bytesToHex(value)}"`))
    separator = ',"'
    if (slices.isOver) await slices.next()
  }
  parts.push(Buffer.from(']}'))
  return await promisify(gzip)(Buffer.concat(parts))
}

function valuesOf(store: StateSource): (hash: Hash) => Uint8Array {
  return (hash) => {
    const value = store.get(hash)
    if (value) return value
    throw invalid(`its part ${hash} is no longer kept`)
  }
}

/**
 * Reads a dump that anybody may have made: what is missing or does not fit is found out here.
 * @throws RollbedError STATE_DUMP_INVALID
 */
export function decodeStateDump(bytes: Uint8Array): StateDump {
  const parsed = dumpSchema.safeParse(unpack(bytes))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(`${issue?.path.join('.') || 'it'}: ${issue?.message}`)
  }
  const { version, chainId, stateRoot } = parsed.data
  if (version > VERSION) {
    throw invalid(`it has version ${version}, and this rollbed reads up to ${VERSION}`)
  }
  const known = new Map<Hash, Uint8Array>()
  for (const each of parsed.data.values) {
    const value = hexToBytes(each as Hex)
    known.set(bytesToHex(keccak256(value)), value)
  }
  const look = (hash: Hash) => {
    const value = known.get(hash)
    if (value) return value
    throw invalid(`its part ${hash} is missing`)
  }
  const values = [...visitState(stateRoot as Hash, look)]
  return { chainId: BigInt(chainId), stateRoot: stateRoot as Hash, values }
}

/** All that a state refers to, every value after those that it refers to itself. */
function* visitState(
  stateRoot: Hash,
  look: (hash: Hash) => Uint8Array,
): Generator<DumpedValue, void> {
  const seen = new Map<Hash, ValueKind>()
  const open = (hash: Hash, kind: ValueKind) => {
    seen.set(hash, kind)
    const value = look(hash)
    return { dumped: { hash, kind, value }, references: referencesOf(hash, kind, value) }
  }
  const path = [open(stateRoot, 'account node')]
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const reference = last.references.pop()
    if (!reference) {
      path.pop()
      yield last.dumped
      continue
    }
    const known = seen.get(reference.hash)
    // Code may have the bytes of a node.
    const isNews = !known || (known === 'code' && reference.kind !== 'code')
    if (isNews) path.push(open(reference.hash, reference.kind))
  }
}

function referencesOf(
  hash: Hash,
  kind: ValueKind,
  value: Uint8Array,
): { hash: Hash; kind: ValueKind }[] {
  const references: { hash: Hash; kind: ValueKind }[] = []
  if (kind === 'code') return references
  try {
    visitReferences(value, kind, (child, childKind) =>
      references.push({ hash: child, kind: childKind }),
    )
  } catch (cause) {
    throw invalid(`its part ${hash} is no trie node`, cause)
  }
  return references
}

function unpack(bytes: Uint8Array): unknown {
  const text = gunzip(bytes)
  const tooMuch = measureJson(text, LIMITS)
  if (tooMuch) throw invalid(`it is ${tooMuch}`)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch (cause) {
    throw invalid('it is not gzipped JSON', cause)
  }
}

function gunzip(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_MEGABYTES * 1024 * 1024 })
  } catch (cause) {
    const isTooLong = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLong
      ? `it unpacks to more than ${MAX_UNPACKED_MEGABYTES} MB`
      : 'it is not gzipped JSON'
    throw invalid(problem, cause)
  }
}

function invalid(problem: string, cause?: unknown): RollbedError {
  return new RollbedError('STATE_DUMP_INVALID', `The state cannot be used: ${problem}.`, {
    cause,
    hint: "Make one with 'rollbed state export', or anvil_dumpState of a rollbed devnet; those of anvil have another form.",
  })
}
