import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import { type BlockReceipts, indexLogs } from './log-index.ts'

const placeOf = ({ transactionHash, logIndex }: JsonObject) => `${transactionHash} ${logIndex}`

/**
 * Finds what the receipts say of a log: those that are at hand, and of an older block those that the node is
 * asked for, once.
 *
 * @returns undefined where no receipt of the block that the log names has it
 */
export function receiptLogsOf(
  rpc: JsonRpcClient,
  receipts: readonly BlockReceipts[],
): (log: JsonObject) => Promise<JsonObject | undefined> {
  const index = indexLogs(receipts)
  const known = new Map(index.logs.map((log) => [placeOf(log), log]))
  const asked = new Set<unknown>()
  const isAtHand = (height: bigint) => height >= index.first && height <= index.last
  return async (log) => {
    const { blockNumber } = log
    const isHeight = /^0x(0|[1-9a-f][0-9a-f]*)$/.test(String(blockNumber))
    if (isHeight && !isAtHand(BigInt(String(blockNumber))) && !asked.has(blockNumber)) {
      asked.add(blockNumber)
      for (const older of await logsOfBlock(rpc, blockNumber)) known.set(placeOf(older), older)
    }
    return known.get(placeOf(log))
  }
}

async function logsOfBlock(rpc: JsonRpcClient, height: unknown): Promise<readonly JsonObject[]> {
  const block = await rpc.result('eth_getBlockByNumber', [height, false])
  if (block === null) return []
  const list = expectArray(await rpc.result('eth_getBlockReceipts', [height]), 'receipts')
  const receipts = list.map((each, index) => expectObject(each, `receipts[${index}]`))
  return indexLogs([{ block: expectObject(block, 'block'), receipts }]).logs
}
