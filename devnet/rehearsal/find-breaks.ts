import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { FAST, SLOW } from './block-pace.ts'
import { type Called, hearsHeads, isLook, listOf, median } from './called.ts'
import { inWords } from './in-words.ts'

/** One way in which a program's calls stop to mean what they meant when blocks come every 200 ms. */
export interface Break {
  /** `breaks`: it gets an error, silence or less than before. `look`: whoever wrote it has to say. */
  kind: 'breaks' | 'look'
  /** What is called, as in `eth_call at pending`. */
  what: string
  /** How often it was. */
  count: number
  why: string
  instead: string
}

/** Looks at one thing that make somebody who polls. */
const POLLS = 5
/** Blocks of a range of logs that are worth a word. */
const WIDE = 100

/** Subscriptions that ended, and what takes their place. */
const STREAMS: Readonly<Record<string, string>> = {
  newFlashblocks: 'newHeads',
  newFlashblockTransactions: "newHeads, then the block's transactions",
  pendingLogs: 'logs',
}

/**
 * What of a program's calls breaks with Denim, or may: what breaks first, then by how often it was called.
 * Source: Base's guide "Migrate from Flashblocks".
 * @param calls of a run before Denim, oldest first
 * @example
 * findBreaks([{ at: 0, method: 'eth_getBlockByNumber', params: ['pending', false] }])[0]?.instead // 'latest'
 */
export function findBreaks(calls: readonly Called[]): Break[] {
  const found = [...calls.flatMap(breaksOfCall), ...slowPolls(calls), ...wideRanges(calls)]
  return merged(found)
}

/** Each once, with how often it was met in all: what breaks first, then by how often that was. */
export function merged(found: readonly Break[]): Break[] {
  const each = new Map<string, Break>()
  for (const one of found) {
    const known = each.get(one.what)
    each.set(one.what, known ? { ...known, count: known.count + one.count } : one)
  }
  const rank = ({ kind }: Break) => (kind === 'breaks' ? 0 : 1)
  return [...each.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count)
}

function breaksOfCall({ method, params }: Called): Break[] {
  const once = { kind: 'breaks', count: 1 } as const
  if (method === 'eth_sendRawTransactionSync') {
    const why = 'There is nothing to pre-confirm any more: it answers -32601.'
    return [{ ...once, what: method, why, instead: 'eth_sendRawTransaction, then the receipt' }]
  }
  if (method === 'eth_subscribe') {
    const stream = String(listOf(params)[0])
    const instead = Object.hasOwn(STREAMS, stream) ? STREAMS[stream] : undefined
    if (!instead) return []
    const why = 'It is accepted, and nothing ever comes.'
    return [{ ...once, what: `subscription ${stream}`, why, instead }]
  }
  return isAtPending(params) ? [atPending(method)] : []
}

function atPending(method: string): Break {
  const what = `${method} at pending`
  const once = { what, count: 1 } as const
  if (method === 'eth_getTransactionCount') {
    const why =
      'It still counts what waits in the pool of this node, and nothing that is pre-confirmed.'
    return { ...once, kind: 'look', why, instead: 'latest, and a count of your own while you send' }
  }
  if (method === 'eth_getLogs' || method === 'eth_newFilter') {
    const why = 'No logs are pre-confirmed: it ends at the newest block.'
    return { ...once, kind: 'breaks', why, instead: 'a range of blocks, or the subscription logs' }
  }
  const why =
    'There is no pre-confirmed state: it is that of latest, up to 200 ms later than it was.'
  return { ...once, kind: 'breaks', why, instead: 'latest' }
}

/** Who asks for the newest block more seldom than blocks come, and does not hear of each. */
function slowPolls(calls: readonly Called[]): Break[] {
  if (hearsHeads(calls)) return []
  const times = new Map<string, number[]>()
  for (const call of calls) {
    if (!isLook(call)) continue
    const { at, method, params } = call
    const [first = ''] = listOf(params)
    const key = `${method} ${first}`.trim()
    times.set(key, [...(times.get(key) ?? []), at])
  }
  return [...times].flatMap(([key, each]): Break[] => {
    const gap = median(each.slice(1).map((at, index) => at - each[index]!))
    if (each.length < POLLS || gap === undefined || gap <= FAST) return []
    return [
      {
        kind: 'look',
        what: `${key}, asked every ${Math.round(gap)} ms`,
        count: each.length,
        why: `Some ${Math.ceil(gap / FAST)} blocks come between two looks, where ${Math.ceil(gap / SLOW)} came: who looks at the newest alone misses the others.`,
        instead: 'newHeads, or all blocks since the last look',
      },
    ]
  })
}

function wideRanges(calls: readonly Called[]): Break[] {
  const widths = calls
    .filter(({ method }) => method === 'eth_getLogs' || method === 'eth_newFilter')
    .map(({ params }) => widthOf(listOf(params)[0]))
    .filter((width) => width >= WIDE)
  if (widths.length === 0) return []
  const widest = Math.max(...widths)
  return [
    {
      kind: 'look',
      what: `logs of ranges of up to ${widest} blocks`,
      count: widths.length,
      why: `That was ${inWords(widest * SLOW)}, and is ${inWords(widest * FAST)}.`,
      instead: 'ten times as many blocks for the same time; limits of providers count blocks',
    },
  ]
}

function widthOf(filter: unknown): number {
  const { fromBlock, toBlock } = Object(filter) as Record<string, unknown>
  const width = Number(toBlock) - Number(fromBlock) + 1
  return Number.isFinite(width) ? width : 0
}

function isAtPending(params: RpcParams | null): boolean {
  return listOf(params).some((each) => {
    const { fromBlock, toBlock } = Object(each) as Record<string, unknown>
    return [each, fromBlock, toBlock].some(
      (one) => typeof one === 'string' && one.toLowerCase() === 'pending',
    )
  })
}
