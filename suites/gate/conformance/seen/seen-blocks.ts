import type { Exchange } from '#reports/model'
import { expectEqual } from '../matchers/expect-equal.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { encodeTransaction } from '../spec/encode-transaction.ts'
import { indexedRoot } from '../spec/indexed-root.ts'
import type { SeenAnswer, SeenAnswers } from './seen-answers.ts'

/** A block in one of the forms in which the node told it. */
export interface SeenBlock {
  block: JsonObject
  /** Asked for as `pending`. */
  isPending: boolean
  /** Whole transactions; undefined in an answer that lists their hashes. */
  transactions: readonly JsonObject[] | undefined
  hashes: readonly unknown[]
  /** Of the first answer that told it so; milliseconds of the run's clock. */
  asked: number
  answered: number
  exchange: Exchange
}

const known = new WeakMap<SeenAnswers, { of: number; blocks: SeenBlock[] }>()

/** Every block as it was told, each form once, in the order of the first answers. */
export function seenBlocks(seen: SeenAnswers): SeenBlock[] {
  const answers = seen.to('eth_getBlockByNumber')
  const before = known.get(seen)
  // Many cases ask, one after the other, when nothing has come in between.
  if (before?.of === answers.length) return before.blocks
  const distinct = new Map<string, SeenAnswer>()
  for (const answer of answers) {
    if (!isObject(answer.result)) continue
    const key = `${isPendingTag(answer.params[0])} ${JSON.stringify(answer.result)}`
    if (!distinct.has(key)) distinct.set(key, answer)
  }
  const blocks = [...distinct.values()].map(toSeenBlock)
  known.set(seen, { of: answers.length, blocks })
  return blocks
}

export function seenSealed(seen: SeenAnswers): SeenBlock[] {
  return seenBlocks(seen).filter(({ isPending }) => !isPending)
}

export function seenPending(seen: SeenAnswers): SeenBlock[] {
  return seenBlocks(seen).filter(({ isPending }) => isPending)
}

/** Each look at the pending block while nothing disturbed the chain, again where it told the same. */
export function pendingLooks(seen: SeenAnswers): SeenBlock[] {
  return seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, result }) => isPendingTag(params[0]) && isObject(result))
    .map(toSeenBlock)
}

/** The sealed block on the same parent that came of a pending one; undefined while none was seen. */
export function sealedFrom(pending: SeenBlock, sealed: readonly SeenBlock[]): SeenBlock[] {
  return sealed.filter(({ block }) => block.parentHash === pending.block.parentHash)
}

/** The sealed block that another is built on. */
export function parentOf({ block }: SeenBlock, sealed: readonly SeenBlock[]) {
  return sealed.find((each) => each.block.hash === block.parentHash)
}

/** One form of each sealed block: that with whole transactions, where one was seen. */
export function oneOfEach(sealed: readonly SeenBlock[]): SeenBlock[] {
  const byHash = new Map<unknown, SeenBlock>()
  for (const each of sealed) {
    const known = byHash.get(each.block.hash)
    if (!known || (!known.transactions && each.transactions)) byHash.set(each.block.hash, each)
  }
  return [...byHash.values()]
}

/** Heights of which the run has seen more than one block: the gate, or L1, took one back. */
export function replacedHeights(seen: SeenAnswers): Set<unknown> {
  const hashes = new Map<unknown, unknown>()
  const replaced = new Set<unknown>()
  for (const { block } of seenSealed(seen)) {
    const { number, hash } = block
    if (hashes.has(number) && hashes.get(number) !== hash) replaced.add(number)
    hashes.set(number, hash)
  }
  return replaced
}

/** One answer as a block; the caller knows that it is one. */
export function toSeenBlock({ params, result, asked, answered, exchange }: SeenAnswer): SeenBlock {
  const block = result as JsonObject
  const listed: readonly unknown[] = Array.isArray(block.transactions) ? block.transactions : []
  return {
    block,
    isPending: isPendingTag(params[0]),
    transactions: listed.every(isObject) ? (listed as JsonObject[]) : undefined,
    hashes: listed.map((each) => (isObject(each) ? each.hash : each)),
    asked,
    answered,
    exchange,
  }
}

function isPendingTag(selector: unknown): boolean {
  return String(selector).toLowerCase() === 'pending'
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Its transactions as they are hashed; none where it lists hashes alone. */
export const encodedOf = ({ transactions = [] }: SeenBlock) => transactions.map(encodeTransaction)

/** RPC-BLK-11: the root is that of the transactions that the block lists, whole. */
export async function expectOwnTransactionsRoot(each: SeenBlock): Promise<void> {
  const expected = await indexedRoot(encodedOf(each))
  expectEqual(each.block.transactionsRoot, expected, 'transactionsRoot')
}
