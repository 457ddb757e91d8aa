import { toRlp } from 'viem'
import { expectBytes } from '../matchers/expect-hex.ts'
import { expectString, type JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'
import { HEADER_FIELDS, HEADER_QUANTITIES } from './header-fields.ts'

/** Header as RLP items, from nothing but the answer's members. */
function headerItems(block: JsonObject): Hex[] {
  return HEADER_FIELDS.map((name) => {
    const value = expectString(block[name], `block.${name}`)
    return HEADER_QUANTITIES.has(name)
      ? toRlpInteger(BigInt(value))
      : expectBytes(value.toLowerCase(), name)
  })
}

/** keccak256 of the RLP header (RPC-BLK-06). */
export function headerHash(block: JsonObject): Hex {
  return keccak256(toRlp(headerItems(block)))
}

/** Bytes of the RLP block: header, transactions, uncles, withdrawals (RPC-BLK-18). */
export function blockSize(block: JsonObject, transactions: readonly Hex[]): bigint {
  const header = byteLength(toRlp(headerItems(block)))
  const bodies = transactions.reduce((sum, each) => sum + lengthInBlock(each), 0)
  const emptyLists = 2
  return BigInt(listLength(header + listLength(bodies) + emptyLists))
}

/** Legacy transactions stand in a block as they are, typed ones as byte strings (EIP-2718). */
function lengthInBlock(encoded: Hex): number {
  return Number(encoded.slice(0, 4)) >= 0xc0 ? byteLength(encoded) : byteLength(toRlp(encoded))
}

/** Bytes of an RLP list with so many bytes inside. */
function listLength(payload: number): number {
  return payload + (payload < 56 ? 1 : 1 + Math.ceil(payload.toString(16).length / 2))
}

function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2
}

/** Without leading zeros; zero is empty. */
export function toRlpInteger(value: bigint): Hex {
  if (value === 0n) return '0x'
  const hex = value.toString(16)
  return `0x${hex.length % 2 ? '0' : ''}${hex}`
}
