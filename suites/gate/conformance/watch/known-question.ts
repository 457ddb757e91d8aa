import type { Exchange } from '#reports/model'
import type { CaseContext } from '../conformance-case.ts'
import type { JsonRpcClient, RpcReply } from '../wire/json-rpc-client.ts'

/** A question whose answer the gate can tell before it asks. */
export interface KnownQuestion {
  /** @throws where nothing answers; what is wrong in an answer, `judge` throws */
  ask(): Promise<KnownReply>
}

export interface KnownReply {
  judge(): void
  exchange: Exchange
}

/** Makes the questions of a kind; each is asked in its turn, again and again. */
export type MakeQuestions = (t: CaseContext) => Promise<readonly KnownQuestion[]>

/**
 * A question by JSON-RPC.
 * @param judge throws a CaseFailure where the reply is wrong
 */
export function rpcQuestion(
  rpc: JsonRpcClient,
  [method, params]: readonly [method: string, params: readonly unknown[]],
  judge: (reply: RpcReply) => void,
): KnownQuestion {
  return {
    async ask() {
      const reply = await rpc.call(method, params)
      const exchange = {
        ...{ transport: 'http' as const, at: 0, duration: 0, url: rpc.url },
        request: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        ...{ response: reply.http.text, status: reply.http.status },
      }
      return { judge: () => judge(reply), exchange }
    },
  }
}
