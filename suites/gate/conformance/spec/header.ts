import { toRlp } from 'viem'
import { serializeTransaction } from 'viem/op-stack'
import { expectBytes } from '../matchers/expect-hex.ts'
import { expectString, type JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'
import { HEADER_FIELDS, HEADER_QUANTITIES } from './header-fields.ts'

/** Header of a sealed block as RLP items, from nothing but the answer's members. */
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

/**
 * A full transaction as its EIP-2718 bytes, by viem.
 *
 * @throws when viem does not know the type, or a member is missing
 */
export function encodeTransaction(transaction: JsonObject): Hex {
  const at = (name: string) => expectString(transaction[name], `transactions[].${name}`) as Hex
  const common = {
    to: (transaction.to as Hex | null) ?? undefined,
    value: BigInt(at('value')),
    gas: BigInt(at('gas')),
    data: at('input'),
  }
  if (transaction.type === '0x7e') {
    return serializeTransaction({
      ...common,
      type: 'deposit',
      from: at('from'),
      sourceHash: at('sourceHash'),
      mint: BigInt((transaction.mint as Hex | undefined) ?? '0x0'),
      isSystemTx: transaction.isSystemTx === true,
    })
  }
  const signature = { r: at('r'), s: at('s') }
  const nonce = Number(at('nonce'))
  if (transaction.type === '0x2') {
    return serializeTransaction(
      {
        ...common,
        type: 'eip1559',
        nonce,
        chainId: Number(at('chainId')),
        maxFeePerGas: BigInt(at('maxFeePerGas')),
        maxPriorityFeePerGas: BigInt(at('maxPriorityFeePerGas')),
        accessList: transaction.accessList as [],
      },
      { ...signature, yParity: Number(transaction.yParity ?? at('v')) },
    )
  }
  if (transaction.type === '0x0') {
    return serializeTransaction(
      { ...common, type: 'legacy', nonce, gasPrice: BigInt(at('gasPrice')) },
      { ...signature, v: BigInt(at('v')) },
    )
  }
  throw new RangeError(`transactions of type ${String(transaction.type)} are not encoded here`)
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

function toRlpInteger(value: bigint): Hex {
  if (value === 0n) return '0x'
  const hex = value.toString(16)
  return `0x${hex.length % 2 ? '0' : ''}${hex}`
}
