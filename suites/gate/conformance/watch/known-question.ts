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
  /** What was asked and answered; when, whoever asks knows. */
  exchange: Omit<Exchange, 'at' | 'duration'>
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
      return { judge: () => judge(reply), exchange: exchangeOf(rpc, [method, params], reply) }
    },
  }
}

/**
 * A question that takes several calls.
 * @param hold makes the calls; `reply` is the one that shows it where `judge` throws a CaseFailure
 */
export function rpcDialogue(
  rpc: JsonRpcClient,
  hold: (call: JsonRpcClient['call']) => Promise<{ reply: RpcReply; judge: () => void }>,
): KnownQuestion {
  return {
    async ask() {
      const asked = new Map<RpcReply, readonly [method: string, params: unknown]>()
      const { reply, judge } = await hold(async (method, params = []) => {
        const answer = await rpc.call(method, params)
        asked.set(answer, [method, params])
        return answer
      })
      return { judge, exchange: exchangeOf(rpc, asked.get(reply)!, reply) }
    },
  }
}

function exchangeOf(
  { url }: JsonRpcClient,
  [method, params]: readonly [method: string, params: unknown],
  { http }: RpcReply,
): KnownReply['exchange'] {
  return {
    ...{ transport: 'http' as const, url },
    request: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...{ response: http.text, status: http.status },
  }
}
