import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'

/** One JSON-RPC endpoint. */
export interface RpcClient {
  /** @throws RpcRefused for an error answer, RpcUnreachable when there is none. */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/**
 * JSON-RPC over HTTP POST with nothing around it: no retries, no batching, no timer of its own, so
 * that the caller's signal and clock alone decide how long something may take.
 */
export function httpRpcClient(url: string): RpcClient {
  let id = 0
  return {
    async request(method, params, signal) {
      id += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const answer = await post(url, body, signal)
      if (typeof answer !== 'object' || answer === null)
        throw new RpcUnreachable(url, 'the answer is not JSON-RPC')
      if ('error' in answer && answer.error) throw new RpcRefused(method, answer.error)
      if (!('result' in answer)) throw new RpcUnreachable(url, 'the answer is not JSON-RPC')
      return answer.result
    },
  }
}

async function post(url: string, body: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: signal ?? null,
    })
    return await response.json()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new RpcUnreachable(url, reason(error))
  }
}

/** fetch hides the useful part ("connect ECONNREFUSED …") in the cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  return cause instanceof Error && cause.message ? cause.message : message
}

/** The endpoint answered with an error object. */
export class RpcRefused extends RollbedError {
  readonly rpcCode: number

  constructor(method: string, error: unknown) {
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    super('RPC_REFUSED', `${method}: ${String(message)}`)
    this.rpcCode = Number(code)
  }

  /** The endpoint does not have the method (-32601; some nodes say so in words only). */
  get methodUnknown(): boolean {
    return this.rpcCode === -32601 || /method not (found|supported)/i.test(this.message)
  }
}

export class RpcUnreachable extends RollbedError {
  constructor(url: string, why: string) {
    super('RPC_UNREACHABLE', `No JSON-RPC answer from ${withoutSecrets(url)}: ${why}.`, {
      hint: 'Check that the node runs and that the URL is right.',
    })
  }
}

/** Providers put API keys into paths, queries and user names: only the origin is shown. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'the given URL'
}
