import { concatHex, type Hex, hexToBytes, keccak256, toHex, toRlp } from 'viem'
import type { LogSeen, ReceiptSeen } from './events-of.ts'
import { quantity } from './trie-root.ts'

const BLOOM_SIZE = 256

/** Yellow Paper, 4.3.1: three bits for each address and topic. */
export function bloomOf(logs: readonly Pick<LogSeen, 'address' | 'topics'>[]): Hex {
  const bloom = new Uint8Array(BLOOM_SIZE)
  for (const each of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = hexToBytes(keccak256(each))
    for (const at of [0, 2, 4]) {
      const bit = ((hash[at]! << 8) | hash[at + 1]!) % (8 * BLOOM_SIZE)
      const byte = BLOOM_SIZE - 1 - (bit >> 3)
      bloom[byte] = bloom[byte]! | (1 << (bit & 7))
    }
  }
  return toHex(bloom)
}

/** EIP-2718, and what OP's Regolith and Canyon add to deposits. @param gas used up to it in its block */
export function encodedReceipt(receipt: ReceiptSeen, gas: bigint): Hex {
  const { status, logs, type = '0x2', depositNonce } = receipt
  const list = logs.map(({ address, topics, data }) => [address, [...topics], data])
  const body = [status === '0x1' ? '0x01' : '0x', quantity(gas), bloomOf(logs), list] as const
  const ofDeposit = depositNonce ? [quantity(BigInt(depositNonce)), '0x01' as const] : []
  const encoded = toRlp([...body, ...ofDeposit])
  return type === '0x0' ? encoded : concatHex([`0x${type.slice(2).padStart(2, '0')}`, encoded])
}
