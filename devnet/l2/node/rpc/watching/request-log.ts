import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcConnection, RpcMethod, RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { methodsFrom } from '#devnet/base/json-rpc/methods-from'
import type { Clock } from '#protocol/clock/clock'

/** One call that the node answered. */
export interface LoggedRequest {
  /** Grows by one with each call. */
  id: number
  /** Unix time in milliseconds. */
  at: number
  method: string
  /** As they came; null where they are longer than the log keeps. */
  params: RpcParams | null
  transport: 'http' | 'ws'
  /** Milliseconds until the answer. */
  took: number
  /** Null for a call that succeeded, or whose caller left. */
  error: { code: number; message: string } | null
  /** Its caller went away before there was an answer: nobody was told anything. */
  callerLeft: boolean
}

/** Calls that are kept; older ones are forgotten. */
const MAX_REQUESTS = 500
/** Characters of all texts in the params of a kept call, and values in them. */
const MAX_PARAM_TEXT = 2_000
const MAX_PARAM_VALUES = 50

/** The newest calls that a node answered, for whoever looks at what a dapp asks. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = []
  readonly #readers = new WeakSet<RpcConnection>()
  #lastId = 0

  /** Calls after the one with this id, oldest first. */
  after(id: number): LoggedRequest[] {
    return this.#requests.filter((request) => request.id > id)
  }

  /** A page that shows the log would fill it with its own calls. */
  leaveOut(connection: RpcConnection): void {
    this.#readers.add(connection)
  }

  /** The same methods, each call of them logged. A method that is synchronous stays so. */
  watch(methods: Record<string, RpcMethod>, clock: Clock): Record<string, RpcMethod> {
    return methodsFrom(methods, (method, name) => (params, context) => {
      const { connection, signal } = context
      const began = clock.now()
      const done = (error?: unknown) => {
        if (connection && this.#readers.has(connection)) return
        const callerLeft = error !== undefined && signal.aborted
        this.#add({
          at: began,
          method: name,
          params: isSmall(params) ? params : null,
          transport: connection ? 'ws' : 'http',
          took: clock.now() - began,
          error: error === undefined || callerLeft ? null : wireError(error),
          callerLeft,
        })
      }
      try {
        const result = method(params, context)
        if (result instanceof Promise) result.then(() => done(), done)
        else done()
        return result
      } catch (error) {
        done(error)
        throw error
      }
    })
  }

  #add(request: Omit<LoggedRequest, 'id'>): void {
    this.#requests.push({ id: ++this.#lastId, ...request })
    if (this.#requests.length > MAX_REQUESTS) this.#requests.shift()
  }
}

function wireError(error: unknown): { code: number; message: string } {
  return error instanceof JsonRpcError
    ? { code: error.rpcCode, message: error.message }
    : { code: -32603, message: 'Internal error' }
}

/** Looks at no more of the params than it would keep. */
function isSmall(params: unknown): boolean {
  return fits(params, { values: MAX_PARAM_VALUES, text: MAX_PARAM_TEXT })
}

function fits(value: unknown, left: { values: number; text: number }): boolean {
  left.values--
  if (typeof value === 'string') left.text -= value.length
  if (left.values < 0 || left.text < 0) return false
  if (typeof value !== 'object' || value === null) return true
  const inner = Array.isArray(value) ? value : Object.values(value)
  return inner.length <= left.values && inner.every((one) => fits(one, left))
}
