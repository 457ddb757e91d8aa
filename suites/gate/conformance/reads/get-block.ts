import { cannotJudge } from '../case-failure.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** A block that must be there. @throws CaseFailure */
export async function getBlock(
  rpc: JsonRpcClient,
  selector: string | bigint,
  full = false,
): Promise<JsonObject> {
  const block = typeof selector === 'bigint' ? `0x${selector.toString(16)}` : selector
  return expectObject(await rpc.result('eth_getBlockByNumber', [block, full]), `block ${block}`)
}

/** A transaction as a block tells it, whole; undefined where the block does not list it. @throws CaseFailure */
export async function findTransaction(
  rpc: JsonRpcClient,
  selector: string | bigint,
  hash: Hex,
): Promise<JsonObject | undefined> {
  const { transactions } = await getBlock(rpc, selector, true)
  return expectArray(transactions, 'transactions')
    .map((each) => expectObject(each, 'transactions[]'))
    .find((each) => each.hash === hash)
}

/** Height of the newest sealed block. */
export async function getTip(rpc: JsonRpcClient): Promise<bigint> {
  return expectQuantity((await getBlock(rpc, 'latest')).number, 'latest.number')
}

/** The first block, one of the first, and the newest: where constants must hold. */
export async function getSampleBlocks(rpc: JsonRpcClient, full = false): Promise<JsonObject[]> {
  const tip = await getTip(rpc)
  const heights = [...new Set([0n, tip > 0n ? 1n : 0n, tip])]
  return Promise.all(heights.map((height) => getBlock(rpc, height, full)))
}

/** Up to `count` blocks in a row, the newest last. */
export async function getLastBlocks(rpc: JsonRpcClient, count: number, full = false) {
  const tip = await getTip(rpc)
  if (tip === 0n) cannotJudge('The chain has only its first block.')
  const first = tip >= BigInt(count) ? tip - BigInt(count) + 1n : 0n
  const heights = Array.from({ length: Number(tip - first) + 1 }, (_, i) => first + BigInt(i))
  return Promise.all(heights.map((height) => getBlock(rpc, height, full)))
}
