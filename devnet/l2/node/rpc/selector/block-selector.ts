import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { jsonType, quote } from '#devnet/base/json-rpc/params/hex-digits'
import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import type { Hash } from '#protocol/types/bytes'
import type { BlockTag } from '../../chain-view.ts'
import { ANSWERED_AT_BASE, type ProfileValues } from '../profile-differences.ts'

/** Which block a caller means: a tag, a height, or (for state reads) a hash. */
export type BlockSelector = BlockTag | bigint | { hash: Hash }

const TAGS: ReadonlySet<string> = new Set<BlockTag>([
  'latest',
  'pending',
  'safe',
  'finalized',
  'earliest',
])

/**
 * A hex number or a tag, in any letter case (RPC-SEL-01…08, OPEN-10, OPEN-11).
 * @throws JsonRpcError -32602
 */
export function parseBlockSelector(value: unknown, name: string): BlockTag | bigint {
  if (value === undefined || value === null) throw invalidParams(`${name}: missing`)
  if (typeof value !== 'string') {
    throw invalidParams(`${name}: must be a hex number or a tag, not a JSON ${jsonType(value)}`)
  }
  const tag = value.toLowerCase()
  if (isTag(tag)) return tag
  if (!/^0x/i.test(value)) {
    throw invalidParams(`${name}: ${quote(value)} is neither a 0x number nor one of ${tagList()}`)
  }
  return parseQuantity(value, name, 64)
}

/**
 * A selector of a state: also a block hash, and the object of EIP-1898.
 * @throws JsonRpcError -32602
 */
export function parseStateSelector(value: unknown, name: string): BlockSelector {
  if (typeof value === 'string' && value.length === 66) return { hash: parseHash(value, name) }
  if (typeof value !== 'object' || value === null) return parseBlockSelector(value, name)
  const { blockNumber, blockHash } = parseRecord(value, name)
  if ((blockNumber === undefined) === (blockHash === undefined)) {
    throw invalidParams(`${name}: must have either blockNumber or blockHash`)
  }
  if (blockHash !== undefined) return { hash: parseHash(blockHash, `${name}.blockHash`) }
  return parseBlockSelector(blockNumber, `${name}.blockNumber`)
}

/** The same, where absent and null mean `fallback`. */
export function parseOptionalStateSelector(
  value: unknown,
  name: string,
  fallback: BlockTag,
): BlockSelector {
  return value === undefined || value === null ? fallback : parseStateSelector(value, name)
}

/**
 * The same for the reads where the spec requires a block and deployed nodes do not.
 * @throws JsonRpcError -32602
 */
export function parseRequiredStateSelector(
  value: unknown,
  name: string,
  profile: ProfileValues,
): BlockSelector {
  const isOmitted = value === undefined || value === null
  if (isOmitted && profile.omittedBlock === 'refused') {
    throw invalidParams(`${name}: missing (${ANSWERED_AT_BASE})`)
  }
  return parseOptionalStateSelector(value, name, 'latest')
}

/** As error messages name a block. */
export function describeSelector(selector: BlockSelector): string {
  if (typeof selector === 'string') return selector
  return typeof selector === 'bigint' ? `0x${selector.toString(16)}` : `hash ${selector.hash}`
}

function isTag(value: string): value is BlockTag {
  return TAGS.has(value)
}

function tagList(): string {
  return [...TAGS].join(', ')
}
