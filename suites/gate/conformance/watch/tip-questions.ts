import { sleep } from '#protocol/clock/clock'
import { notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { toLogs } from '../reads/get-logs.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import {
  type JsonRpcClient,
  type RpcReply,
  resultOf,
  saysNothing,
} from '../wire/json-rpc-client.ts'
import { type KnownQuestion, rpcDialogue } from './known-question.ts'

type Call = (method: string, params: readonly unknown[]) => Promise<RpcReply>

/** Further than any chain gets between two looks. */
const BEYOND = 1_000n
/** Milliseconds from one look for a new block to the next, and after which the old one will do. */
const [PAUSE, LONGEST] = [25, 3_000]
/** Blocks before the newest at which a range begins. */
const BACK = 3n

const hex = (value: bigint) => `0x${value.toString(16)}`
const isZero = (bytes: unknown) => /^0x0*$/.test(String(bytes))

const blockOf = (reply: RpcReply, at: string) =>
  expectObject(resultOf(reply, 'eth_getBlockByNumber'), at)

const newest = async (call: Call) =>
  blockOf(await call('eth_getBlockByNumber', ['latest', false]), 'latest')

/** Where a reorganization came between two looks, nothing is known of what was between. */
function expectOnTop(before: JsonObject, after: JsonObject): void {
  const isSame = after.hash === before.hash
  if (!isSame && after.parentHash !== before.hash)
    notApplicable('More than one block came, or another one in the place of the newest.')
}

const places = (logs: readonly JsonObject[]) =>
  logs.map(({ blockHash, transactionHash, logIndex }) => ({ blockHash, transactionHash, logIndex }))

/** Waits until another block is the newest than the one before, and gives that. */
function createTipWatch({ clock, signal }: CaseContext) {
  let last: unknown
  return async (call: Call): Promise<JsonObject> => {
    const until = clock.now() + LONGEST
    for (;;) {
      const tip = await newest(call)
      if (tip.hash !== last || clock.now() > until) {
        last = tip.hash
        return tip
      }
      await sleep(clock, PAUSE, signal)
    }
  }
}

function expectBlock(reply: RpcReply, { hash, number }: JsonObject): void {
  const at = `block ${number}, which was latest just before`
  expectEqual(blockOf(reply, at).hash, hash, `hash of ${at}`)
}

/** A block is there under its height as soon as it is the newest. */
async function blocks(t: CaseContext): Promise<KnownQuestion[]> {
  const nextTip = createTipWatch(t)
  return [
    rpcDialogue(t.rpc, async (call) => {
      const before = await nextTip(call)
      const reply = await call('eth_getBlockByNumber', [before.number, false])
      const after = await newest(call)
      return {
        reply,
        judge() {
          expectOnTop(before, after)
          expectBlock(reply, before)
        },
      }
    }),
  ]
}

/** After the newest block there is none, and a height in capitals is the same height. */
async function heights({ rpc }: CaseContext): Promise<KnownQuestion[]> {
  const next = (full: boolean) =>
    rpcDialogue(rpc, async (call) => {
      const tip = expectQuantity((await newest(call)).number, 'latest.number')
      const reply = await call('eth_getBlockByNumber', [hex(tip + 1n), full])
      return {
        reply,
        judge() {
          const result = resultOf(reply, 'eth_getBlockByNumber')
          if (result === null) return
          const { number, hash } = expectObject(result, 'result')
          const found = { number, hasHash: typeof hash === 'string' && !isZero(hash) }
          const sealed = { number: hex(tip + 1n), hasHash: true }
          expectEqual(found, sealed, 'the block after latest, where there is one by now')
        },
      }
    })
  const inCapitalLetters = rpcDialogue(rpc, async (call) => {
    const { number } = await newest(call)
    const height = withLetter(expectQuantity(number, 'latest.number'))
    const before = blockOf(await call('eth_getBlockByNumber', [hex(height), false]), 'block')
    const reply = await call('eth_getBlockByNumber', [inCapitals(hex(height)), false])
    return {
      reply,
      judge() {
        // Quantities have small letters; whoever takes others takes the same number.
        if ('error' in reply.body) notApplicable('It takes small letters alone.')
        expectBlock(reply, before)
      },
    }
  })
  return [next(false), inCapitalLetters, next(true)]
}

/** The highest up to this one that has a letter; the first block where none has. */
function withLetter(height: bigint): bigint {
  for (let each = height; each > 0n; each--) if (/[a-f]/.test(each.toString(16))) return each
  return 0n
}

const isOfNext = (log: JsonObject, { blockHash, toBlock }: JsonObject, next: JsonObject) =>
  !blockHash && (toBlock === undefined || toBlock === 'latest') && log.blockHash === next.hash

/** Logs of the newest block are found as soon as it is the newest: by hash, by height, and in what ends with it. */
async function logs(t: CaseContext): Promise<KnownQuestion[]> {
  const nextTip = createTipWatch(t)
  const ranges: readonly ((block: JsonObject) => JsonObject)[] = [
    ({ hash }) => ({ blockHash: hash }),
    ({ number }) => ({ fromBlock: number, toBlock: number }),
    ({ number }) => ({ fromBlock: number }),
    ({ number }) => ({ fromBlock: number, toBlock: 'latest' }),
  ]
  return ranges.map((rangeOf) =>
    rpcDialogue(t.rpc, async (call) => {
      const before = await nextTip(call)
      const range = rangeOf(before)
      const reply = await call('eth_getLogs', [range])
      const after = await newest(call)
      return {
        reply,
        judge() {
          expectOnTop(before, after)
          // What ends with the newest may have the block that came while it was asked for.
          const all = toLogs(resultOf(reply, 'eth_getLogs'))
          const found = all.filter(({ blockHash }) => blockHash === before.hash)
          const others = all.filter((log) => !found.includes(log) && !isOfNext(log, range, after))
          expectEqual(others, [], `logs of other blocks than ${before.number}`)
          const [none, expected] = [found.length === 0, isZero(before.logsBloom)]
          expectEqual(none, expected, `whether block ${before.number} has no logs, as its bloom`)
        },
      }
    }),
  )
}

const BEGINS = ['latest', 'number', 'back'] as const

/** Ranges that begin with sealed blocks and go past the last of them. */
async function rangesPast({ rpc }: CaseContext): Promise<KnownQuestion[]> {
  const ends = ['pending', 'beyond'] as const
  return BEGINS.flatMap((begin) => ends.map((end) => rangeAtTip(rpc, begin, end)))
}

/** Ranges to the newest block, and one that lies past it whole. */
async function rangesTo({ rpc }: CaseContext): Promise<KnownQuestion[]> {
  return [...BEGINS.map((begin) => rangeAtTip(rpc, begin, 'latest')), rangeBeyond(rpc)]
}

/** What is served once is served at any moment: between two blocks, too. */
function createServedBefore() {
  let isServed = false
  return ({ body: { error } }: RpcReply) => {
    // Whether such a range is served other cases say, and some nodes refuse what is not there yet.
    if (error !== undefined && (!isServed || saysNothing(error)))
      notApplicable('It refuses such ranges.')
    expectThat(error === undefined, 'logs, as before', error, 'answer to a range')
    isServed = true
  }
}

function rangeAtTip(
  rpc: JsonRpcClient,
  begin: (typeof BEGINS)[number],
  end: 'pending' | 'beyond' | 'latest',
): KnownQuestion {
  const expectServed = createServedBefore()
  return rpcDialogue(rpc, async (call) => {
    const before = await newest(call)
    const tip = expectQuantity(before.number, 'latest.number')
    const first = begin === 'back' && tip > BACK ? tip - BACK : tip
    const fromBlock = begin === 'latest' ? 'latest' : hex(first)
    const toBlock = end === 'beyond' ? hex(tip + BEYOND) : end
    const reply = await call('eth_getLogs', [{ fromBlock, toBlock }])
    const sealed = await call('eth_getLogs', [{ fromBlock: hex(first), toBlock: hex(tip) }])
    const after = await newest(call)
    const judge = () => {
      expectServed(reply)
      if (begin === 'latest' && after.hash !== before.hash)
        notApplicable('latest was another block by then.')
      expectOnTop(before, after)
      const found = toLogs(resultOf(reply, 'eth_getLogs'))
      // One that is in no block yet need not name a height (OPEN-09).
      const upTo = found.filter(
        ({ blockNumber }) =>
          blockNumber !== null && expectQuantity(blockNumber, 'blockNumber of a log') <= tip,
      )
      const wanted = toLogs(resultOf(sealed, 'eth_getLogs'))
      expectEqual(places(upTo), places(wanted), `logs up to block ${tip}`)
      if (end === 'pending') return
      const top = expectQuantity(after.number, 'latest.number')
      for (const { blockNumber, blockHash } of found) {
        const at = 'a log in a range of sealed blocks'
        const height = expectQuantity(blockNumber, `blockNumber of ${at}`)
        expectThat(height <= top, `${top} or less, as it is sealed`, height, at)
        expectThat(!isZero(blockHash), 'the hash of a block', blockHash, at)
      }
    }
    return { reply, judge }
  })
}

/** Where no block is yet there are no logs. */
function rangeBeyond(rpc: JsonRpcClient): KnownQuestion {
  return rpcDialogue(rpc, async (call) => {
    const tip = expectQuantity((await newest(call)).number, 'latest.number')
    const [fromBlock, toBlock] = [hex(tip + BEYOND), hex(tip + BEYOND + BACK)]
    const reply = await call('eth_getLogs', [{ fromBlock, toBlock }])
    return {
      reply,
      judge() {
        if ('error' in reply.body) notApplicable('It refuses such ranges.')
        expectEqual(toLogs(resultOf(reply, 'eth_getLogs')), [], 'logs past the newest block')
      },
    }
  })
}

/** What is there at the tip of the chain, and what is not: asked in between two looks at the newest block. */
export const tipQuestions = { blocks, heights, logs, rangesPast, rangesTo }
