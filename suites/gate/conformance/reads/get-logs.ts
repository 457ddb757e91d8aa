import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** Logs that fit a filter. @throws CaseFailure on an error, or on anything but a list of objects */
export async function getLogs(
  rpc: JsonRpcClient,
  filter: Record<string, unknown>,
): Promise<JsonObject[]> {
  return toLogs(await rpc.result('eth_getLogs', [filter]))
}

/** A result of eth_getLogs (RPC-GETLOGS-01). @throws CaseFailure */
export function toLogs(result: unknown): JsonObject[] {
  return expectArray(result, 'result').map((log, index) => expectObject(log, `result[${index}]`))
}
