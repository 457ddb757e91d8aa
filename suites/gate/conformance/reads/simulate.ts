import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { type JsonRpcClient, type RpcReply, resultOf } from '../wire/json-rpc-client.ts'

/** Simulated blocks. @throws CaseFailure */
export async function simulate(
  rpc: JsonRpcClient,
  blockStateCalls: readonly unknown[],
  options: Record<string, unknown> = {},
  selector = 'latest',
): Promise<JsonObject[]> {
  return toBlocks(await rpc.call('eth_simulateV1', [{ blockStateCalls, ...options }, selector]))
}

/** A reply of eth_simulateV1 as block objects. @throws CaseFailure */
export function toBlocks(reply: RpcReply): JsonObject[] {
  return expectArray(resultOf(reply, 'eth_simulateV1'), 'result').map((block, index) =>
    expectObject(block, `result[${index}]`),
  )
}

/** One call's result in a simulated block. @throws CaseFailure */
export function callResult(block: JsonObject | undefined, index: number): JsonObject {
  const calls = expectArray(block?.calls, 'result[].calls')
  return expectObject(calls[index], `result[].calls[${index}]`)
}
