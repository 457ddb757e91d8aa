import { notApplicable } from '../case-failure.ts'
import { type JsonRpcClient, judgeNoAnswer } from '../wire/json-rpc-client.ts'

/**
 * The answers to a batch, as they came.
 * @throws CaseSetAside where the node answers none (OPEN-01), or gave one of the calls up
 */
export async function askBatch(rpc: JsonRpcClient, calls: readonly unknown[]) {
  const { http } = await rpc.post(JSON.stringify(calls))
  if (!Array.isArray(http.json)) notApplicable('The node answers no such batch (OPEN-01).')
  for (const each of http.json) judgeNoAnswer({ body: Object(each), http })
  return http.json
}
