import { isDeepStrictEqual } from 'node:util'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { toLogs } from '../../reads/get-logs.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { type BlockReceipts, indexLogs } from '../../seen/log-index.ts'
import { looksAround } from '../../seen/looks-around.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { seenBlocks } from '../../seen/seen-blocks.ts'
import { L1_BLOCK, ORIGIN_CALL, ORIGIN_SLOT } from '../../spec/l1-origin.ts'
import { blockOrigins } from '../../watch/block-origins.ts'
import { logsAt, NOTHING } from '../../watch/watch-node.ts'

const TAGS = [
  ['latest', 'RPC-SEL-02'],
  ['safe', 'RPC-SEL-04'],
  ['finalized', 'RPC-SEL-05'],
] as const

/** A method that is asked at each tag, and which blocks an answer may be of. */
interface Reader {
  method: string
  question: (tag: string) => readonly unknown[]
  rule: string
  /** The heights from `least` to `most` of which the answer is. */
  heights(
    answer: SeenAnswer,
    range: { least: bigint; most: bigint },
    t: CaseContext,
  ): Promise<readonly bigint[]>
}

/** Answers of methods that read the L1 origin: each block of an OP chain has one. */
const byOrigin: Reader['heights'] = async ({ result }, { least, most }, t) => {
  const origins = await t.scene(blockOrigins)
  const found: bigint[] = []
  for (let height = least; height <= most; height++)
    if ((await origins.at(height)) === result) found.push(height)
  return found
}

const counted = new WeakMap<CaseContext['seen'], Map<string, number>>()

/** Counts the logs of a block by its receipts; undefined where the node serves none. */
async function logCounts({ rpc, seen, scene }: CaseContext) {
  const { receipts } = await scene(recentBlocks)
  const counts = counted.get(seen) ?? new Map<string, number>()
  counted.set(seen, counts)
  const count = (each: BlockReceipts) => indexLogs([each]).logs.length
  if (counts.size === 0)
    for (const each of receipts ?? []) counts.set(String(each.block.number), count(each))
  return async (number: string) => {
    if (receipts && !counts.has(number)) {
      const list = await rpc.result('eth_getBlockReceipts', [number])
      const own = Array.isArray(list) ? (list as JsonObject[]) : []
      counts.set(number, count({ block: { number }, receipts: own }))
    }
    return counts.get(number)
  }
}

const READERS: readonly Reader[] = [
  {
    method: 'eth_simulateV1',
    question: (tag) => [NOTHING, tag],
    rule: 'RPC-SIM-02',
    async heights({ result }, { least, most }, { seen, rpc }) {
      const [block] = (Array.isArray(result) ? result : []) as JsonObject[]
      const height = BigInt(String(block?.number)) - 1n
      const base = seenBlocks(seen).find((each) => each.block.hash === block?.parentHash)
      // Where blocks come faster than looks, the run need not have seen it.
      const found =
        base?.block ?? (await rpc.result('eth_getBlockByHash', [block?.parentHash, false]))
      const isBase = BigInt(String((found as JsonObject | null)?.number ?? -1)) === height
      return isBase && height >= least && height <= most ? [height] : []
    },
  },
  {
    method: 'eth_getLogs',
    question: logsAt,
    rule: 'RPC-FLT-05',
    async heights({ result }, { least, most }, t) {
      const countAt = await logCounts(t)
      const [one, ...others] = new Set(toLogs(result).map(({ blockNumber }) => blockNumber))
      if (others.length > 0) return []
      const found: bigint[] = []
      for (let height = least; height <= most; height++) {
        const number = `0x${height.toString(16)}`
        if (one !== undefined && one !== number) continue
        const count = await countAt(number)
        if (count === undefined || count === toLogs(result).length) found.push(height)
      }
      return found
    },
  },
  {
    method: 'eth_call',
    question: (tag) => [ORIGIN_CALL, tag],
    rule: 'RPC-CALL-18',
    heights: byOrigin,
  },
  {
    method: 'eth_getStorageAt',
    question: (tag) => [L1_BLOCK, ORIGIN_SLOT, tag],
    rule: 'RPC-STOR-07',
    heights: byOrigin,
  },
]

/** Before its first block, and on a chain that is no OP chain, nothing is written there. */
const isNothing = (result: unknown) => typeof result === 'string' && /^0x0*$/.test(result)

/** The heights that a tag had by the last look before a moment and by the first after another. */
function looksAt({ seen }: CaseContext, tag: string) {
  const looks = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, result }) => params[0] === tag && Object(result) === result)
    .map(({ asked, answered, result }) => {
      return { asked, answered, height: BigInt(String((result as JsonObject).number)) }
    })
  const around = looksAround(looks)
  return ({ asked, answered }: SeenAnswer) => {
    const least = around.before(asked)?.height
    const most = around.after(answered)?.height
    return least === undefined || most === undefined ? undefined : { least, most }
  }
}

export const cases = defineCases(
  TAGS.flatMap(([tag, rule]) =>
    READERS.map(
      ({ method, question, heights, rule: ofMethod }): ConformanceCase => ({
        id: `rpc.selectors.watched-${tag}-${method.slice(4).toLowerCase()}.01`,
        title: `${method} at ${tag} reads the block that eth_getBlockByNumber gives there, at any moment`,
        area: 'selectors',
        rules: [rule, 'RPC-SEL-07', ofMethod],
        needs: ['rpc', 'driver'],
        judgesAll: true,
        watches: true,
        rationale:
          'One vocabulary of tags holds for all methods; held against the looks before and after each answer.',
        async run(t) {
          await t.scene(recentBlocks)
          const rangeOf = looksAt(t, tag)
          const asked = t.seen
            .inCalm(method)
            .filter(({ params }) => isDeepStrictEqual(params, question(tag)))
          const known = asked.flatMap((answer) => {
            const range = rangeOf(answer)
            return range && !isNothing(answer.result) ? [{ ...answer, range }] : []
          })
          if (known.length === 0) notApplicable(`Nothing was read at ${tag}.`)
          const kept = new Map<string, readonly bigint[]>()
          await judgeEach(known, `answers to ${method} at ${tag}`, async (answer) => {
            const { least, most } = answer.range
            const key = `${least} ${most} ${JSON.stringify(answer.result)}`
            const own = kept.get(key) ?? (await heights(answer, answer.range, t))
            kept.set(key, own)
            expectThat(own.length > 0, `of block ${least} to ${most}`, answer.result, 'result')
          })
        },
      }),
    ),
  ),
)
