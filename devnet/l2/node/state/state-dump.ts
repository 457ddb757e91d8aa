import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import { type ValueKind, visitReferences } from './visit-references.ts'

/** A whole state, every trie node and every code once. */
export interface StateDump {
  chainId: bigint
  stateRoot: Hash
  values: ReadonlyMap<Hash, Uint8Array>
}

const FORMAT = 'rollbed-state'
/** Grows when the format changes; older ones are read for ever. */
const VERSION = 1
/** What a dump may grow to when it is unpacked; bytes. */
const MAX_UNPACKED = 256 * 1024 * 1024

const hex = z.string().regex(/^0x([0-9a-f]{2})+$/)
const dumpSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int(),
  chainId: z.int().nonnegative(),
  stateRoot: z.string().regex(/^0x[0-9a-f]{64}$/),
  values: z.array(hex),
})

/** A state of a chain with all that belongs to it. @throws NodeMissing where it is no longer kept */
export function collectState(store: StateSource, chainId: bigint, stateRoot: Hash): StateDump {
  const values = new Map<Hash, Uint8Array>()
  visitState(stateRoot, (hash) => {
    if (values.has(hash)) return undefined
    const value = store.get(hash)
    if (!value) throw invalid(`its part ${hash} is no longer kept`)
    values.set(hash, value)
    return value
  })
  return { chainId, stateRoot, values }
}

/** As bytes for a file: gzipped JSON with its format and version. */
export function encodeStateDump({ chainId, stateRoot, values }: StateDump): Uint8Array {
  const text = JSON.stringify({
    ...{ format: FORMAT, version: VERSION, chainId: Number(chainId), stateRoot },
    values: [...values.values()].map(bytesToHex),
  })
  return gzipSync(text)
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
  const values = new Map<Hash, Uint8Array>()
  for (const each of parsed.data.values) {
    const value = hexToBytes(each as Hex)
    values.set(bytesToHex(keccak256(value)), value)
  }
  const reached = new Set<Hash>()
  visitState(stateRoot as Hash, (hash) => {
    const value = values.get(hash)
    if (!value) throw invalid(`its part ${hash} is missing`)
    if (reached.has(hash)) return undefined
    reached.add(hash)
    return value
  })
  return { chainId: BigInt(chainId), stateRoot: stateRoot as Hash, values }
}

/** @param take gives the value to look into; undefined where it was looked into before */
function visitState(stateRoot: Hash, take: (hash: Hash) => Uint8Array | undefined): void {
  const waiting: [Hash, ValueKind][] = [[stateRoot, 'account node']]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [hash, kind] = next
    const value = take(hash)
    if (!value || kind === 'code') continue
    try {
      visitReferences(value, kind, (child, childKind) => waiting.push([child, childKind]))
    } catch (cause) {
      throw invalid(`its part ${hash} is no trie node`, cause)
    }
  }
}

function unpack(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }).toString('utf8'))
  } catch (cause) {
    throw invalid('it is not gzipped JSON', cause)
  }
}

function invalid(problem: string, cause?: unknown): RollbedError {
  return new RollbedError('STATE_DUMP_INVALID', `The state cannot be used: ${problem}.`, {
    cause,
    hint: "Make one with 'rollbed state export', or anvil_dumpState of a rollbed devnet; those of anvil have another form.",
  })
}
