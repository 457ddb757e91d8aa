import { Worker } from 'node:worker_threads'
import type { Clock } from '#protocol/clock/clock'
import type { OwnedResource } from '../process/owned-resource.ts'
import { Turns } from '../process/turns.ts'
import { JsonRpcError } from './json-rpc-error.ts'
import type { LargeBody, LargeBodyAnswer } from './large-body-worker.ts'
import { type JsonLimits, measureJson } from './measure-json.ts'

/** Bytes up to which a body is parsed on the thread of the server, whatever it holds. */
const LARGE_BODY = 64 * 1024
/**
 * Bytes up to which one is that holds little: to look at it and to parse it takes a millisecond at most, and to
 * take over what another thread has parsed takes as long.
 */
const LARGE_TEXT = 512 * 1024
const LITTLE: JsonLimits = { maxValues: 16_384, maxDepth: 64 }

export interface LargeBodiesOptions {
  clock: Clock
  /** Milliseconds for one body; then it is -32016. Default 5,000. */
  timeLimit?: number
  /** Bytes of bodies that wait or are parsed; more get -32005. Default 64 MB. */
  maxBytes?: number
}

/**
 * A smaller body cannot hold more. What is within is handed on between threads in a few milliseconds,
 * however long its strings are.
 */
const LIMITS: JsonLimits = { maxValues: 32_768, maxDepth: 64 }
const MAX_HEAP_MEGABYTES = 128

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./large-body-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/**
 * Parses large bodies on a thread of its own, started by the first: 15 MB of JSON may be millions of
 * values, and would keep flashblocks and all other callers waiting for seconds. One at a time, in order.
 */
export class LargeBodies implements OwnedResource {
  readonly #clock: Clock
  readonly #timeLimit: number
  readonly #maxBytes: number
  readonly #turns = new Turns()
  #bytes = 0
  #thread: Worker | undefined
  #isStopped = false

  constructor({ clock, timeLimit = 5_000, maxBytes = 64 * 1024 * 1024 }: LargeBodiesOptions) {
    this.#clock = clock
    this.#timeLimit = timeLimit
    this.#maxBytes = maxBytes
  }

  /** Whether to parse it would keep others waiting. */
  isLarge(body: Uint8Array): boolean {
    if (body.length < LARGE_BODY) return false
    return body.length >= LARGE_TEXT || measureJson(body, LITTLE) !== undefined
  }

  /**
   * @param signal of the caller: for one that is gone nothing is done any more
   * @returns what the body holds; undefined when it is not JSON
   * @throws JsonRpcError -32007 for too many values, or too deep; -32016, -32005
   */
  async parse(body: Uint8Array, signal: AbortSignal): Promise<{ value: unknown } | undefined> {
    const { length } = body
    if (this.#bytes + length > this.#maxBytes) throw tooMany(this.#maxBytes)
    this.#bytes += length
    try {
      const answer = await this.#turns.take(async () => {
        signal.throwIfAborted()
        return await this.#ask(body)
      })
      if ('tooMuch' in answer) throw tooMuch(answer.tooMuch)
      return 'value' in answer ? answer : undefined
    } finally {
      this.#bytes -= length
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#thread?.terminate()
    await this.#turns.idle()
  }

  async #ask(body: Uint8Array): Promise<LargeBodyAnswer> {
    if (this.#isStopped) throw new JsonRpcError(-32603, 'The server is being stopped.')
    const thread = this.#started()
    const { promise, resolve, reject } = Promise.withResolvers<LargeBodyAnswer>()
    const impatience = this.#clock.after(this.#timeLimit, () => {
      this.#thread = undefined
      reject(tookTooLong(this.#timeLimit))
      void thread.terminate()
    })
    const lose = () => reject(died())
    thread.once('message', resolve)
    thread.once('exit', lose)
    try {
      // A copy, but for a body that has its memory for itself.
      const bytes = body.byteLength === body.buffer.byteLength ? body : Uint8Array.from(body)
      const request: LargeBody = { bytes, limits: LIMITS }
      thread.postMessage(request, [bytes.buffer as ArrayBuffer])
      return await promise
    } finally {
      impatience.cancel()
      thread.off('message', resolve)
      thread.off('exit', lose)
    }
  }

  #started(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(ENTRY, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
    })
    // It ends after that, which is told.
    thread.on('error', () => {})
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    thread.unref()
    this.#thread = thread
    return thread
  }
}

function died(): JsonRpcError {
  return new JsonRpcError(-32603, 'The thread that parses large bodies has died.')
}

function tooMuch(what: string): JsonRpcError {
  const data = `It is ${what}; a body of ${LARGE_BODY} bytes and more may be ${LIMITS.maxDepth} deep, and hold ${LIMITS.maxValues} values and names.`
  return new JsonRpcError(-32007, 'Request is too big', data)
}

function tookTooLong(limit: number): JsonRpcError {
  const data = `Parsing it took more than ${limit / 1000} s.`
  return new JsonRpcError(-32016, 'Request is too big', data)
}

function tooMany(limit: number): JsonRpcError {
  const data = `Large bodies of ${limit} bytes are waiting already.`
  return new JsonRpcError(-32005, 'too many large requests at once', data)
}
