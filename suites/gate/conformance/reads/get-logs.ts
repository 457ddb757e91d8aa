import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** Logs that fit a filter. @throws CaseFailure on an error, or on anything but a list of objects */
export async function getLogs(
  rpc: JsonRpcClient,
  filter: Record<string, unknown>,
): Promise<JsonObject[]> {
  return toLogs(await rpc.result('eth_getLogs', [filter]))
}

/**
 * A result of eth_getLogs (RPC-GETLOGS-01) in chain order, whatever order it came in: none is stated
 * (OPEN-22), and one case alone asks for it.
 *
 * @throws CaseFailure
 */
export function toLogs(result: unknown): JsonObject[] {
  const logs = expectArray(result, 'result')
  return logs.map((log, index) => expectObject(log, `result[${index}]`)).sort(inChainOrder)
}

/** By block, then by position in it. What is no number stays where it is. */
export function inChainOrder(a: JsonObject, b: JsonObject): number {
  return compare(a.blockNumber, b.blockNumber) || compare(a.logIndex, b.logIndex)
}

function compare(a: unknown, b: unknown): number {
  return Number(a) - Number(b) || 0
}
