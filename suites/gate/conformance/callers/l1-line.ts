import type { RpcCall } from '#mocks/index'
import type { CaseContext } from '../conformance-case.ts'
import type { CallerWorld } from '../drivers/caller-world.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { describeCall } from './describe-call.ts'
import { AnswerLost, listenTo, type Spoilt } from './listen-to.ts'
import { type SentTransaction, transactionOf } from './sent-transaction.ts'

/** As nodes behind one address say it, of which one has not seen the newest block. */
const PASSING = { code: -32000, message: 'nonce too low' }
/** As most nodes say it, which do not fill in transactions: who sends has to ask for gas and nonce. */
const NO_SUCH_METHOD = { code: -32601, message: 'the method eth_fillTransaction does not exist' }

/** What a caller sends to L1, and what becomes of it on the way. */
export interface L1Line {
  sent: readonly SentTransaction[]
  /** Calls of proposing and disputing that it had estimated or called, and that L1 refused. */
  tried: readonly SentTransaction[]
  /** From now on L1 gets none of its transactions, though it is told the contrary. @returns what ends that */
  keepFromL1(): () => void
  isKeptFromL1(): boolean
  /** From now on L1 refuses its transactions, for a reason that passes. @returns what ends that */
  refuseTransactions(): () => void
  /** It asked something of L1 in which this text stands, such as an address without its `0x`. */
  asksOfL1(text: string): boolean
  /** From now on L1 has no answer for it; what it asks waits. @returns what ends that */
  holdL1(): () => void
  /**
   * L1 takes the next transaction, and the answer is lost: once it is in a block, where whoever looks again sees
   * what came of it, or at once, while it is in none.
   */
  loseAnswer(when: 'in a block' | 'at once'): void
  /**
   * L1 makes no block from the moment it gets the next transaction. Estimates of gas are by its newest block, as
   * those of geth and reth, not by what waits, as anvil's: they do not keep anybody from sending twice.
   * @returns what ends that
   */
  standStillWithNext(): () => Promise<void>
}

export interface L1LineOptions {
  world: CallerWorld
  /** How long a transaction may take into a block, in milliseconds. */
  patience: number
  begin: (call: RpcCall) => void
  spoilt: () => Spoilt | undefined
}

/** Opens a line to the world's L1, which hears what a caller sends. */
export async function openL1Line(
  { clock, signal, connectTo, overhear }: CaseContext,
  { world, patience, begin, spoilt }: L1LineOptions,
): Promise<{ url: string; line: L1Line; forget(): void; stop(): Promise<void> }> {
  const sent: SentTransaction[] = []
  const tried: SentTransaction[] = []
  const asked: string[] = []
  let isKept = false
  let isRefusing = false
  let losing: 'in a block' | 'at once' | undefined
  let open: Promise<void> | undefined
  let standing: { reached: boolean; goOn: () => Promise<void> } | undefined
  const { l1RpcUrl } = world.description
  const l1 = connectTo(l1RpcUrl)

  const note = async (call: RpcCall, response: JsonObject) => {
    const found = await transactionOf(call, response)
    if (!found) return
    const { transaction, isSent } = found
    const described = describeCall(transaction)
    if (!isSent && !('call' in described && transaction.refusal)) return
    const { refusal } = transaction
    const request = { method: call.method, [isSent ? 'sent' : 'tried']: described }
    overhear(l1RpcUrl, request, { ...response, ...(refusal && { refusal }) })
    if (isSent) sent.push(transaction)
    else tried.push(transaction)
  }

  /** What it is told in the stead of L1. */
  const answer = async (call: RpcCall): Promise<JsonObject | undefined> => {
    const { id, method, params } = call
    await open
    asked.push(JSON.stringify(params ?? []).toLowerCase())
    if (standing && method === 'eth_fillTransaction')
      return { jsonrpc: '2.0', id, error: NO_SUCH_METHOD }
    if (standing && method === 'eth_estimateGas' && params.length === 1) {
      const { body } = await l1.call(method, [...params, 'latest'])
      return { ...(body as JsonObject), id }
    }
    if (method !== 'eth_sendRawTransaction') return undefined
    if (isRefusing) return { jsonrpc: '2.0', id, error: PASSING }
    if (standing && !standing.reached) {
      standing.reached = true
      standing.goOn = await world.fault('chain:l1', 'still')
    }
    if (!isKept) return undefined
    const reply = { jsonrpc: '2.0', id, result: keccak256(params[0] as Hex) }
    await note(call, reply)
    return reply
  }

  const hear = async (call: RpcCall, response: JsonObject): Promise<JsonObject> => {
    await note(call, response)
    const { result: hash } = response
    if (!losing || call.method !== 'eth_sendRawTransaction' || !hash) return response
    const when = losing
    losing = undefined
    const receipt = async () => (await l1.result('eth_getTransactionReceipt', [hash])) ?? undefined
    if (when === 'in a block') await poll({ clock, signal, every: 50, within: patience }, receipt)
    throw new AnswerLost()
  }

  const proxy = await listenTo(l1RpcUrl, clock, { begin, spoilt, answer, hear })
  const line: L1Line = {
    sent,
    tried,
    keepFromL1() {
      isKept = true
      return () => {
        isKept = false
      }
    },
    isKeptFromL1: () => isKept,
    refuseTransactions() {
      isRefusing = true
      return () => {
        isRefusing = false
      }
    },
    asksOfL1: (text) => asked.some((params) => params.includes(text)),
    holdL1() {
      const { promise, resolve } = Promise.withResolvers<void>()
      open = promise
      return resolve
    },
    loseAnswer(when) {
      losing = when
    },
    standStillWithNext() {
      const mine = { reached: false, goOn: async () => {} }
      standing = mine
      return async () => {
        standing = undefined
        await mine.goOn()
      }
    },
  }
  return {
    url: proxy.url,
    line,
    forget() {
      for (const list of [sent, tried, asked]) list.length = 0
    },
    stop: () => proxy.stop(),
  }
}
