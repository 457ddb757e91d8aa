import { errorObject } from '#devnet/base/json-rpc/dispatch'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { LargeBodies } from '#devnet/base/json-rpc/large-bodies'
import { parseJson } from '#devnet/base/json-rpc/parse-json'
import type { Turns } from '#devnet/base/process/turns'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { AnswerGate } from './answer-gate.ts'
import type { ArchiveKeeper } from './archive-keeper.ts'
import type { Recall } from './recall.ts'
import { splitMining } from './split-mining.ts'

export interface AnswerOptions {
  anvil: RpcClient
  recall: ReadonlyMap<string, Recall>
  /** Archives what is new on L1; while it cannot, nothing that changes L1 reaches anvil. */
  keeper: Pick<ArchiveKeeper, 'archive' | 'requireWritten'>
  /** Is called for each call that anvil carried out and that may have changed it. */
  onCheat?: ((method: string, params: readonly unknown[], answer: unknown) => void) | undefined
  /** Closed while a call may have changed anvil and the archive does not have the change yet. */
  gate?: AnswerGate | undefined
  /** Whoever mines blocks at times of their own takes them, too: a jump of anvil's clock in between is lost. */
  turns: Turns
  /** Parses what is too long to be parsed where flashblocks are made. */
  largeBodies: LargeBodies
}

interface Request {
  id?: unknown
  method: string
  params?: readonly unknown[]
}

/** How messages of a caller come, and what becomes of those that anvil answers alone. */
export interface Caller {
  /**
   * Gives anvil one JSON object or array to which it has an answer.
   * @returns that answer; undefined where it comes to the caller by itself
   */
  forward(message: string): Promise<Buffer | undefined>
  /** Whether it can hear of events. */
  subscribes: boolean
}

/** Methods that may make new blocks. */
const MAY_MINE = /^(evm|anvil|hardhat)_|^eth_send/
/** Among them the methods that may move anvil's clock. */
const MAY_MOVE_TIME = /^(evm|anvil|hardhat)_/

/**
 * Answers JSON-RPC messages in anvil's place where anvil alone cannot: reads of what it forgot, calls
 * that mine so many blocks at once that it would forget what they hold, and what is no message at all,
 * which its socket could not tell from the next. The others are forwarded as they are. While the disk
 * does not take what anvil has, each is refused in words. Undefined: there is nothing to say.
 */
export function messageAnswerer(options: AnswerOptions) {
  const { anvil, recall, keeper, onCheat, gate, turns, largeBodies } = options

  async function result({ method, params = [] }: Request): Promise<unknown> {
    let answer: unknown
    for (const part of splitMining(method, params) ?? [params]) {
      if (!MAY_MINE.test(method)) answer = await anvil.request(method, part)
      else if (gate) answer = await gate.during(() => change(method, part))
      else answer = await change(method, part)
    }
    return (await recall.get(method)?.(params, answer))?.result ?? answer
  }

  async function change(method: string, params: readonly unknown[]): Promise<unknown> {
    const carryOut = async () => {
      keeper.requireWritten()
      const answer = await anvil.request(method, params)
      onCheat?.(method, params, answer)
      return answer
    }
    const answer = await (MAY_MOVE_TIME.test(method) ? turns.take(carryOut) : carryOut())
    await keeper.archive()
    return answer
  }

  async function reply(request: Request): Promise<unknown> {
    const { id } = request
    try {
      return { jsonrpc: '2.0', id, result: await result(request) }
    } catch (error) {
      if (isWaiting(error)) return errorOf(id, waits(error))
      if (!(error instanceof RpcRefused || error instanceof JsonRpcError)) throw error
      const { rpcCode: code, data } = error
      const message = error instanceof RpcRefused ? error.rpcMessage : error.message
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  const needsUs = (message: unknown) =>
    isRequest(message) && (recall.has(message.method) || MAY_MINE.test(message.method))
  const isAnvils = (message: unknown, { subscribes }: Caller) =>
    hasId(message) && !needsUs(message) && (subscribes || !isSubscription(message))

  const parseLarge = async (body: Buffer) => (await largeBodies.parse(body, NEVER_GIVEN_UP))?.value

  /** One member of a batch, or a message of its own that is not for anvil as it is. Undefined: it wants no answer. */
  async function one(message: unknown, caller: Caller): Promise<unknown> {
    if (isRequest(message) && !isSubscription(message)) return await reply(message)
    // Over HTTP, where nobody could hear of it.
    if (isSubscription(message)) return errorOf(message.id ?? null, METHOD_NOT_FOUND)
    const { id, method } = Object(message) as Record<string, unknown>
    if (id !== undefined || typeof method !== 'string') return errorOf(null, INVALID)
    await one({ params: [], ...(message as object), id: 0 }, caller)
    return undefined
  }

  async function answer(
    text: string,
    message: unknown,
    caller: Caller,
  ): Promise<string | Buffer | undefined> {
    if (!Array.isArray(message)) {
      // anvil takes brackets for the begin and the end of a message.
      if (isAnvils(message, caller)) return await caller.forward(text.trim())
      return textOf(await one(message, caller))
    }
    if (message.length === 0 || !message.every(isObject)) return textOf(errorOf(null, INVALID))
    const isTaken = (each: unknown) => isAnvils(each, caller)
    if (
      message.every(isTaken) ||
      (caller.subscribes && message.every(hasId) && message.some(isSubscription))
    )
      return await caller.forward(text.trim())
    const replies: unknown[] = []
    for (const each of message) replies.push(await one(each, caller))
    const said = replies.filter((each) => each !== undefined)
    return said.length > 0 ? textOf(said) : undefined
  }

  return async (body: Buffer, caller: Caller): Promise<string | Buffer | undefined> => {
    const text = body.toString()
    let message: unknown
    try {
      message = largeBodies.isLarge(body) ? await parseLarge(body) : parseJson(text)
      const said = gate?.isShut ? undefined : await answer(text, message, caller)
      await gate?.pass()
      return said
    } catch (error) {
      if (isWaiting(error)) return refusalOfAll(message, waits(error))
      if (error instanceof JsonRpcError) return textOf(errorOf(null, errorObject(error)))
      throw error
    }
  }
}

function isWaiting(error: unknown): error is RollbedError {
  return error instanceof RollbedError && error.code === 'L1_NOT_WRITTEN'
}

/** Internal error, which callers try again; of other codes viem says that parameters are wrong. */
function waits({ code, message }: RollbedError): RpcErrorJson {
  return { code: -32603, message: `L1 waits until there is room: ${message}`, data: { code } }
}

/** To each that wants an answer this one. */
function refusalOfAll(message: unknown, error: RpcErrorJson): string | undefined {
  if (!Array.isArray(message)) return hasId(message) ? textOf(refusalOf(message, error)) : undefined
  const wanting = message.filter(hasId)
  return wanting.length > 0 ? textOf(wanting.map((each) => refusalOf(each, error))) : undefined
}

function refusalOf(message: unknown, error: RpcErrorJson) {
  return errorOf((message as { id: unknown }).id, error)
}

interface RpcErrorJson {
  code: number
  message: string
  data?: unknown
}

/** What L1 has been given it may have to carry out, also for a caller that is gone. */
const NEVER_GIVEN_UP = new AbortController().signal

const INVALID = { code: -32600, message: 'Invalid request' }
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' }

function errorOf(id: unknown, error: RpcErrorJson) {
  return { jsonrpc: '2.0', id, error }
}

function textOf(reply: unknown): string | undefined {
  return reply === undefined ? undefined : JSON.stringify(reply)
}

function isObject(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !Array.isArray(message)
}

/** anvil answers whatever has an id, with an error if need be. */
function hasId(message: unknown): boolean {
  return isObject(message) && 'id' in (message as object)
}

function isSubscription(message: unknown): message is { id?: unknown } {
  const { method } = Object(message) as Record<string, unknown>
  return typeof method === 'string' && /^eth_(un)?subscribe$/.test(method)
}

function isRequest(message: unknown): message is Request {
  const { id, method, params, jsonrpc } = Object(message) as Record<string, unknown>
  const isWhole = jsonrpc === '2.0' && (id === null || ['number', 'string'].includes(typeof id))
  return isWhole && typeof method === 'string' && (params === undefined || Array.isArray(params))
}
