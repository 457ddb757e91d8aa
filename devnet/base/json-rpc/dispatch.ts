import type { Clock } from '#protocol/clock/clock'
import { BatchRun, type Reply } from './batch-run.ts'
import type { FairTurns } from './fair-turns.ts'
import type { HeldFor } from './held-bytes.ts'
import { invalidRequest, JsonRpcError } from './json-rpc-error.ts'
import type { RpcContext, RpcMethod, RpcParams } from './json-rpc-server.ts'
import { JsonText } from './json-text.ts'
import type { LargeBodies } from './large-bodies.ts'

export interface DispatchOptions {
  methods: Readonly<Record<string, RpcMethod>>
  maxBatch: number
  /** Characters; a longer answer is replaced by -32008. */
  maxResponse: number
  /** Characters of all answers of a batch together; beyond, it is given up with -32008. */
  maxBatchResponse: number
  /** Milliseconds after which no member of a batch is begun any more. */
  maxBatchTime: number
  clock: Clock
  turns: FairTurns
  /** Takes bodies that came as bytes and are too long to be parsed here; default: all are parsed here. */
  largeBodies?: Pick<LargeBodies, 'isLarge' | 'parse'> | undefined
  /** Hears of exceptions that are nobody's fault but ours; the caller only sees -32603. */
  onInternalError?: ((error: unknown, method: string) => void) | undefined
}

/** Who asks. */
export interface DispatchContext extends RpcContext {
  /** Counts what a batch has answered and not sent. */
  unsent?: HeldFor
}

type Id = number | string | null
type MaybePromise<T> = T | Promise<T>

/**
 * Answers one JSON-RPC 2.0 message: a call, a notification or a batch (OPEN-01). Never throws
 * and never rejects. Stays synchronous when the methods are, so that the answer to `eth_subscribe`
 * goes out before the subscription's first notification.
 *
 * @returns the text to send back; undefined when nothing is due.
 */
export function dispatch(
  body: string | Uint8Array,
  context: DispatchContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  const { turns, largeBodies } = options
  if (typeof body !== 'string') {
    if (largeBodies?.isLarge(body)) return dispatchLarge(body, context, options)
    return dispatch(utf8.decode(body), context, options)
  }
  if (turns.isOpen) return answer(body, context, options)
  return turns.next().then(() => {
    // Nobody waits for it any more.
    return context.signal.aborted ? undefined : answer(body, context, options)
  })
}

/** Without the byte order mark that JSON may not begin with being taken away. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

async function dispatchLarge(
  body: Uint8Array,
  context: DispatchContext,
  options: DispatchOptions,
): Promise<Reply> {
  const { largeBodies, turns } = options
  let parsed: { value: unknown } | undefined
  try {
    parsed = await largeBodies!.parse(body, context.signal)
  } catch (error) {
    return failure(null, asRpcError(error, 'large body', options, context))
  }
  if (!turns.isOpen) await turns.next()
  return context.signal.aborted ? undefined : answerParsed(parsed, context, options)
}

function answerParsed(
  parsed: { value: unknown } | undefined,
  context: DispatchContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  if (!parsed) return notJson()
  if (Array.isArray(parsed.value)) return answerBatch(parsed.value, context, options)
  return options.turns.run(() => answerCall(parsed.value, context, options))
}

function answer(
  body: string,
  context: DispatchContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  const { turns } = options
  if (!BATCH.test(body)) {
    return turns.run(() => {
      const call = parse(body)
      return call ? answerCall(call.value, context, options) : notJson()
    })
  }
  const calls = turns.run(() => parse(body))
  return calls ? answerBatch(calls.value as unknown[], context, options) : notJson()
}

/** JSON that begins so is a list. */
const BATCH = /^[ \t\r\n]*\[/

function parse(body: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) }
  } catch {
    return undefined
  }
}

function notJson(): Reply {
  return failure(null, new JsonRpcError(-32700, 'Parse error', 'The body is not JSON.'))
}

function answerBatch(
  calls: unknown[],
  context: DispatchContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  if (calls.length === 0) return failure(null, invalidRequest('The batch is empty.'))
  if (calls.length > options.maxBatch) {
    const data = `The batch has ${calls.length} calls, the limit is ${options.maxBatch}.`
    return failure(null, new JsonRpcError(-32010, 'The batch request was too large', data))
  }
  const { turns, clock, maxBatchResponse: maxLength, maxBatchTime } = options
  const began = clock.now()
  const run = new BatchRun(calls, {
    answer: (call) => answerCall(call, context, options),
    tooLate: (call) => lateReply(call, maxBatchTime),
    turns,
    isLate: () => clock.now() - began > maxBatchTime,
    maxLength,
    ...context,
  })
  const finish = () => {
    const replies = run.end()
    return run.length > maxLength
      ? failure(null, responseTooBig(run.length, maxLength))
      : joinBatch(replies)
  }
  const obstacle = run.go()
  return obstacle ? goOn(run, obstacle).then(finish) : finish()
}

async function goOn(run: BatchRun, obstacle: Promise<unknown>): Promise<void> {
  for (let next: Promise<unknown> | undefined = obstacle; next; next = run.go()) await next
}

function joinBatch(replies: Reply[]): Reply {
  const due = replies.filter((reply) => reply !== undefined)
  return due.length ? `[${due.join(',')}]` : undefined
}

/** For a member that was not begun in the time a batch has. */
function lateReply(call: unknown, limit: number): Reply {
  if (!isCall(call)) return notACall()
  const { id } = call
  if (id === undefined) return undefined
  const data = `A batch has ${limit / 1000} s; this call was not begun.`
  return failure(isId(id) ? id : null, new JsonRpcError(-32016, 'The batch took too long', data))
}

function answerCall(
  request: unknown,
  context: RpcContext,
  options: DispatchOptions,
): MaybePromise<Reply> {
  if (!isCall(request)) return notACall()
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

function isCall(call: unknown): call is Record<string, unknown> {
  return typeof call === 'object' && call !== null && !Array.isArray(call)
}

function notACall(): Reply {
  return failure(null, invalidRequest('A call must be an object.'))
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
