import { invalidRequest, JsonRpcError } from './json-rpc-error.ts'
import type { RpcContext, RpcMethod, RpcParams } from './json-rpc-server.ts'
import { JsonText } from './json-text.ts'

export interface DispatchOptions {
  methods: Readonly<Record<string, RpcMethod>>
  maxBatch: number
  /** Characters; a longer answer is replaced by -32008. */
  maxResponse: number
  /** Hears of exceptions that are nobody's fault but ours; the caller only sees -32603. */
  onInternalError?: ((error: unknown, method: string) => void) | undefined
}

type Id = number | string | null
type MaybePromise<T> = T | Promise<T>
/** The text of one response object; undefined after a notification. */
type Reply = string | undefined

/**
 * Answers one JSON-RPC 2.0 message: a call, a notification or a batch (OPEN-01). Never throws
 * and never rejects. Stays synchronous when the methods are, so that the answer to `eth_subscribe`
 * goes out before the subscription's first notification.
 *
 * @returns the text to send back; undefined when nothing is due.
 */
export function dispatch(
  body: string,
  context: RpcContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return failure(null, new JsonRpcError(-32700, 'Parse error', 'The body is not JSON.'))
  }
  return Array.isArray(message)
    ? answerBatch(message, context, options)
    : answerCall(message, context, options)
}

function answerBatch(
  calls: unknown[],
  context: RpcContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  if (calls.length === 0) return failure(null, invalidRequest('The batch is empty.'))
  if (calls.length > options.maxBatch) {
    const data = `The batch has ${calls.length} calls, the limit is ${options.maxBatch}.`
    return failure(null, new JsonRpcError(-32010, 'The batch request was too large', data))
  }
  const replies = calls.map((call) => answerCall(call, context, options))
  return replies.some((reply) => reply instanceof Promise)
    ? Promise.all(replies).then((settled) => joinBatch(settled, options.maxResponse))
    : joinBatch(replies as Reply[], options.maxResponse)
}

function joinBatch(replies: Reply[], maxResponse: number): Reply {
  const due = replies.filter((reply) => reply !== undefined)
  const length = due.reduce((sum, reply) => sum + reply.length, 0)
  if (length > maxResponse) return failure(null, responseTooBig(length, maxResponse))
  return due.length ? `[${due.join(',')}]` : undefined
}

function answerCall(
  call: unknown,
  context: RpcContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) {
    return failure(null, invalidRequest('A call must be an object.'))
  }
  const request = call as Record<string, unknown>
  const id = isId(request.id) ? request.id : null
  const refusal = refuse(request)
  if (refusal) return failure(id, refusal)

  const isNotification = request.id === undefined
  const name = request.method as string
  const settle = (reply: string) => (isNotification ? undefined : reply)
  const fail = (error: unknown) => settle(failure(id, asRpcError(error, name, options, context)))
  const succeed = (result: unknown) => {
    try {
      return settle(success(id, result, options.maxResponse))
    } catch (error) {
      return fail(error)
    }
  }
  try {
    const params = (request.params ?? undefined) as RpcParams
    const result = methodNamed(name, options)(params, context)
    return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
  } catch (error) {
    return fail(error)
  }
}

function refuse(request: Record<string, unknown>): JsonRpcError | undefined {
  if (request.jsonrpc !== '2.0') return invalidRequest('jsonrpc must be the string "2.0".')
  if (typeof request.method !== 'string') return invalidRequest('method must be a string.')
  if (request.id !== undefined && !isId(request.id)) {
    return invalidRequest('id must be a number, a string or null.')
  }
  if (typeof (request.params ?? []) !== 'object') {
    return invalidRequest('params must be an array or an object.')
  }
  return undefined
}

/** @throws JsonRpcError -32601 */
function methodNamed(name: string, options: DispatchOptions): RpcMethod {
  const method = Object.hasOwn(options.methods, name) ? options.methods[name] : undefined
  if (method) return method
  throw new JsonRpcError(
    -32601,
    'Method not found',
    `The method ${quote(name)} is not served here.`,
  )
}

/** What the caller may know of a failure: ours as they are, anything else as -32603, no stack. */
export function asRpcError(
  error: unknown,
  method: string,
  options: Pick<DispatchOptions, 'onInternalError'>,
  { signal }: RpcContext,
): JsonRpcError {
  if (error instanceof JsonRpcError) return error
  // Work that was given up because its caller left is no failure of ours.
  if (!signal.aborted) options.onInternalError?.(error, method)
  return new JsonRpcError(-32603, 'Internal error')
}

/** The error object of a response. */
export function errorObject(error: JsonRpcError): {
  code: number
  message: string
  data?: unknown
} {
  const { rpcCode: code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}

function success(id: Id, result: unknown, maxResponse: number): string {
  const text = result instanceof JsonText ? result.text : JSON.stringify(result ?? null)
  if (text.length > maxResponse) throw responseTooBig(text.length, maxResponse)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`
}

function failure(id: Id, error: JsonRpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: errorObject(error) })
}

function responseTooBig(length: number, limit: number): JsonRpcError {
  const data = `The answer has ${length} characters, the limit is ${limit}.`
  return new JsonRpcError(-32008, 'Response is too big', data)
}

function isId(value: unknown): value is Id {
  return value === null || typeof value === 'number' || typeof value === 'string'
}

function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name)
}
