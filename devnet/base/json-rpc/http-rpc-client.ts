import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { json } from 'node:stream/consumers'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** One JSON-RPC endpoint. */
export interface RpcClient {
  /** @throws RpcRefused for an error answer, RpcUnreachable when there is none. */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/**
 * JSON-RPC over HTTP POST with nothing around it: no batching, no timer of its own, so that the
 * caller's signal and clock alone decide how long something may take. A request is sent again only
 * where a connection that was used before is reset without an answer: nearly always the server closed
 * it, idle, at the moment of its use. One that died while it answered may then get the request twice.
 * @param headers beside those of JSON-RPC, for a provider's key
 * @throws RpcUnreachable where there is no answer, RpcRefused where the answer is an error; `request` does
 * @example
 * const head = await httpRpcClient('http://127.0.0.1:8545').request('eth_blockNumber', [])
 */
export function httpRpcClient(url: string, headers?: Readonly<Record<string, string>>): RpcClient {
  let id = 0
  return {
    async request(method, params, signal) {
      id += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      return resultOf(await post(url, body, signal, headers), method, url)
    },
  }
}

/** A URL, or the path of a UNIX socket. */
type Where = string | { socket: string }

/** What an answer to a call says. @throws RpcUnreachable, RpcRefused */
export function resultOf(answer: unknown, method: string, where: Where): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new RpcUnreachable(where, 'the answer is not JSON-RPC')
  if ('error' in answer && answer.error) throw new RpcRefused(method, answer.error)
  if (!('result' in answer)) throw new RpcUnreachable(where, 'the answer is not JSON-RPC')
  return answer.result
}

/** `fetch` gives up after 300 s without headers, which a long proof may need: hence node:http. */
function post(
  url: string,
  body: string,
  signal: AbortSignal | undefined,
  headers?: Readonly<Record<string, string>>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(signal?.aborted ? signal.reason : new RpcUnreachable(url, error.message))
    if (!URL.canParse(url)) return fail(new Error('it is no URL'))

    const open = url.startsWith('https:') ? httpsRequest : httpRequest
    const call = open(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      signal,
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      const closedWhenIdle = call.reusedSocket && error.code === 'ECONNRESET' && !signal?.aborted
      if (closedWhenIdle) post(url, body, signal, headers).then(resolve, reject)
      else fail(error)
    })
    call.on('response', (response) => {
      json(response).then(resolve, () =>
        fail(new Error(`HTTP ${response.statusCode} without JSON`)),
      )
    })
    call.end(body)
  })
}

/** The endpoint answered with an error object. */
export class RpcRefused extends RollbedError {
  readonly rpcCode: number
  /** The error's `message` as it came. */
  readonly rpcMessage: string
  /** The error's `data` as it came: of a call that reverted, what it reverted with. */
  readonly data: unknown

  constructor(method: string, error: unknown) {
    const { code, message, data } = Object(error) as Record<string, unknown>
    super('RPC_REFUSED', `${method}: ${String(message)}`)
    this.rpcCode = Number(code)
    this.rpcMessage = String(message)
    this.data = data
  }

  /** The endpoint does not have the method (-32601; some nodes say so in words only). */
  get methodUnknown(): boolean {
    return this.rpcCode === -32601 || /method not (found|supported)/i.test(this.message)
  }
}

export class RpcUnreachable extends RollbedError {
  constructor(where: Where, why: string) {
    const place = typeof where === 'string' ? withoutSecrets(where) : `socket ${where.socket}`
    super('RPC_UNREACHABLE', `No JSON-RPC answer from ${place}: ${why}.`, {
      hint: 'Check that the node runs and that the URL is right.',
    })
  }
}

/** Providers put API keys into paths, queries and user names: only the origin is shown. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'the given URL'
}
