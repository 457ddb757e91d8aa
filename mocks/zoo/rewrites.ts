import type { JsonObject, MutantContext, MutantHooks, RpcCall } from './mutant.ts'

type Apply = (context: MutantContext) => MutantHooks

/** Changes the result of one method (any method when `method` is '*'); errors pass. */
export function rewriteResult(
  method: string,
  change: (result: unknown, call: RpcCall, context: MutantContext) => unknown,
): Apply {
  return (context) => ({
    async response(response, call) {
      if ((method !== '*' && call.method !== method) || !('result' in response)) return response
      return { ...response, result: await change(response.result, call, context) }
    },
  })
}

/** Changes every block that eth_getBlockByNumber finds. */
export function rewriteBlock(
  change: (block: JsonObject, call: RpcCall) => JsonObject,
  only: 'any' | 'sealed' | 'pending' = 'any',
): Apply {
  return rewriteResult('eth_getBlockByNumber', (result, call) => {
    if (result === null) return null
    const isPending = call.params[0] === 'pending'
    if (only !== 'any' && isPending !== (only === 'pending')) return result
    return change(result as JsonObject, call)
  })
}

/** Changes every log that eth_getLogs finds. */
export function rewriteLog(change: (log: JsonObject) => JsonObject): Apply {
  return rewriteResult('eth_getLogs', (result) => (result as JsonObject[]).map(change))
}

/** Changes the params of one method before the target sees them. */
export function rewriteParams(
  method: string,
  change: (params: readonly unknown[]) => readonly unknown[],
): Apply {
  return () => ({
    call: (call) => (call.method === method ? { ...call, params: change(call.params) } : call),
  })
}

/** Changes the object in the first place of a method's params. */
export function rewriteFirst(method: string, change: (first: JsonObject) => JsonObject): Apply {
  return rewriteParams(method, ([first, ...rest]) =>
    typeof first === 'object' && first !== null
      ? [change(first as JsonObject), ...rest]
      : [first, ...rest],
  )
}

/** Answers some calls itself; `undefined` lets the call through. */
export function answerInstead(
  method: string,
  reply: (params: readonly unknown[], call: RpcCall) => JsonObject | undefined,
): Apply {
  return () => ({
    call(call) {
      const members = call.method === method ? reply(call.params, call) : undefined
      return members ? { reply: { jsonrpc: '2.0', id: call.id, ...members } } : call
    },
  })
}

/** Changes whole responses, results and errors alike. */
export function rewriteResponse(
  change: (response: JsonObject, call: RpcCall) => JsonObject,
): Apply {
  return () => ({ response: change })
}

/** Answers with another content type, to whatever was asked. */
export function answersAs(contentType: string): Apply {
  return () => ({
    async http(request, forward) {
      const answer = await forward(request)
      return { ...answer, headers: { ...answer.headers, 'content-type': contentType } }
    },
  })
}

/** Changes error objects of one method. */
export function rewriteError(
  method: string,
  change: (error: JsonObject, call: RpcCall) => JsonObject,
): Apply {
  return rewriteResponse((response, call) => {
    if (call.method !== method || !('error' in response)) return response
    return { ...response, error: change(response.error as JsonObject, call) }
  })
}

/** An object without one of its members. */
export function without(object: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
