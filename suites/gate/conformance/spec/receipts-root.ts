import { concatHex, toRlp } from 'viem'
import { expectBytes, expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { toRlpInteger } from './header.ts'
import { indexedRoot } from './indexed-root.ts'

type RlpItem = Hex | readonly RlpItem[]

const DEPOSIT = 0x7en

/**
 * Root of the trie of receipts (EIP-658, EIP-2718). Those of deposits carry nonce and version since
 * Canyon (OP spec, "Deposit receipt").
 */
export function receiptsRoot(receipts: readonly JsonObject[]): Promise<Hex> {
  return indexedRoot(receipts.map(encodeReceipt))
}

function encodeReceipt(receipt: JsonObject): Hex {
  const quantity = (name: string) => toRlpInteger(expectQuantity(receipt[name], `receipt.${name}`))
  const type = expectQuantity(receipt.type, 'receipt.type')
  const logs = expectArray(receipt.logs, 'receipt.logs').map((each) => {
    const log = expectObject(each, 'receipt.logs[]')
    const topics = expectArray(log.topics, 'topics').map((topic) => expectBytes(topic, 'topics[]'))
    return [String(log.address).toLowerCase() as Hex, topics, expectBytes(log.data, 'data')]
  })
  const bloom = expectBytes(receipt.logsBloom, 'receipt.logsBloom', 256)
  const items: RlpItem[] = [quantity('status'), quantity('cumulativeGasUsed'), bloom, logs]
  if (type === DEPOSIT && receipt.depositNonce !== undefined) items.push(quantity('depositNonce'))
  if (type === DEPOSIT && receipt.depositReceiptVersion !== undefined)
    items.push(quantity('depositReceiptVersion'))
  const encoded = toRlp(items)
  return type === 0n ? encoded : concatHex([toRlpInteger(type), encoded])
}
