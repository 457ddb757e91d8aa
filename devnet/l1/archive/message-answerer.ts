import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Turns } from '#devnet/base/process/turns'
import type { AnswerGate } from './answer-gate.ts'
import type { Recall } from './recall.ts'
import { splitMining } from './split-mining.ts'

export interface AnswerOptions {
  anvil: RpcClient
  recall: ReadonlyMap<string, Recall>
  /** Archives what is new on L1. */
  archive(): Promise<void>
  /** Is called for each call that anvil carried out and that may have changed it. */
  onCheat?: ((method: string, params: readonly unknown[], answer: unknown) => void) | undefined
  /** Closed while a call may have changed anvil and the archive does not have the change yet. */
  gate?: AnswerGate | undefined
  /** Whoever mines blocks at times of their own takes them, too: a jump of anvil's clock in between is lost. */
  turns: Turns
}

interface Request {
  id?: unknown
  method: string
  params: readonly unknown[]
}

/** Methods that may make new blocks. */
const MAY_MINE = /^(evm|anvil|hardhat)_|^eth_send/
/** Among them the methods that may move anvil's clock. */
const MAY_MOVE_TIME = /^(evm|anvil|hardhat)_/

/**
 * Answers JSON-RPC messages in anvil's place where anvil alone cannot: reads of what it forgot, and
 * calls that mine so many blocks at once that it would forget what they hold. Undefined: pass the
 * message on to anvil as it is.
 */
export function messageAnswerer(options: AnswerOptions) {
  const { anvil, recall, archive, onCheat, gate, turns } = options

  async function result({ method, params }: Request): Promise<unknown> {
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
      const answer = await anvil.request(method, params)
      onCheat?.(method, params, answer)
      return answer
    }
    const answer = await (MAY_MOVE_TIME.test(method) ? turns.take(carryOut) : carryOut())
    await archive()
    return answer
  }

  async function reply(request: Request): Promise<unknown> {
    const { id } = request
    try {
      return { jsonrpc: '2.0', id, result: await result(request) }
    } catch (error) {
      if (!(error instanceof RpcRefused || error instanceof JsonRpcError)) throw error
      const { rpcCode: code, data } = error
      const message = error instanceof RpcRefused ? error.rpcMessage : error.message
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  const needsUs = ({ method }: Request) => recall.has(method) || MAY_MINE.test(method)

  return async (text: string): Promise<string | undefined> => {
    const message = parse(text)
    if (isRequest(message))
      return needsUs(message) ? JSON.stringify(await reply(message)) : undefined
    // What is malformed, and notifications and subscriptions, anvil answers alone.
    if (!Array.isArray(message) || !message.every(isRequest) || !message.some(needsUs))
      return undefined
    const replies: unknown[] = []
    for (const request of message) replies.push(await reply(request))
    return JSON.stringify(replies)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRequest(message: unknown): message is Request {
  const { id, method, params, jsonrpc } = Object(message) as Record<string, unknown>
  const isWhole = jsonrpc === '2.0' && (typeof id === 'number' || typeof id === 'string')
  return (
    isWhole &&
    typeof method === 'string' &&
    (params === undefined || Array.isArray(params)) &&
    !method.startsWith('eth_subscri')
  )
}
