import { type AskedBlocks, headAt, timeOf } from './asked-blocks.ts'
import { FAST } from './block-pace.ts'
import { type Called, hearsHeads, isLook, listOf } from './called.ts'

/** How long a program waited for a transaction. */
export interface Wait {
  /** Confirmations that it waited for: 1 is the block that holds it. */
  blocks: number
  /** Milliseconds since it knew the receipt. */
  ms: number
  /** Whether that block came 200 ms after the one before. */
  isFast: boolean
}

/** What a program asked of a chain. */
export interface AskedEra {
  /** Oldest first. */
  calls: readonly Called[]
  asked: AskedBlocks
}

const RECEIPTS = new Set(['eth_getTransactionReceipt', 'eth_getTransactionByHash'])

/**
 * One for each transaction whose receipt a program came to know: how many blocks it saw come after that,
 * while it looked at nothing but the newest block, before it did something else.
 */
export function findWaits(era: AskedEra): Wait[] {
  const hears = hearsHeads(era.calls)
  const first = new Map<string, number>()
  for (const [index, { method, params }] of era.calls.entries()) {
    const [hash] = listOf(params)
    if (!RECEIPTS.has(method) || era.asked.numbers[index] === undefined) continue
    if (!first.has(String(hash))) first.set(String(hash), index)
  }
  return [...first].flatMap(([hash, index]) => waitFor(hash, index, era, hears) ?? [])
}

/** @param begin place of the first call that asked for the transaction */
function waitFor(
  hash: string,
  begin: number,
  { calls, asked }: AskedEra,
  hears: boolean,
): Wait | undefined {
  const number = asked.numbers[begin]!
  const came = timeOf(asked, number)
  if (came === undefined) return undefined
  const isFast = came - (timeOf(asked, number - 1) ?? 0) <= FAST
  const rest = calls.slice(begin)
  const length = rest.findIndex((call) => !RECEIPTS.has(call.method) && !isLook(call))
  const looks = length === -1 ? rest : rest.slice(0, length)
  const asks = looks.filter(
    ({ method, params }) => RECEIPTS.has(method) && listOf(params)[0] === hash,
  )
  // A pre-confirmed receipt is known before its block.
  const knew = asks.find(({ at }) => headAt(asked, at) >= number) ?? asks.at(-1)!
  // Who hears of blocks asks for none: it has waited until it does something else.
  const last = hears ? rest[looks.length] : looks.at(-1)
  if (!last || last === knew || headAt(asked, last.at) < number) return { blocks: 1, ms: 0, isFast }
  return { blocks: headAt(asked, last.at) - number + 1, ms: last.at - knew.at, isFast }
}
