import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { getTip } from '../../reads/get-block.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'

/** Where the selector of each method stands, of those whose answer at a sealed height never changes. */
const SELECTOR_AT = { eth_call: 1, eth_getStorageAt: 2 } as const

const NOBODY = `0x${'00'.repeat(20)}`

/** Further than any chain gets while it is judged. */
const PAST_THE_HEAD = 100_000n

const heightOf = (selector: unknown) =>
  typeof selector === 'string' && /^0x[0-9a-f]+$/i.test(selector) ? BigInt(selector) : undefined

/** Answers to the same question at the same height, where there are several. */
async function repeated({ rpc, seen }: CaseContext, method: keyof typeof SELECTOR_AT) {
  const tip = await getTip(rpc)
  // Where no other case asks twice, there are two answers all the same.
  const height = `0x${tip.toString(16)}`
  const question = method === 'eth_call' ? [{ to: NOBODY }, height] : [NOBODY, '0x0', height]
  for (const _ of [1, 2]) await rpc.call(method, question)
  const groups = new Map<string, SeenAnswer[]>()
  for (const answer of seen.inCalm(method)) {
    const height = heightOf(answer.params[SELECTOR_AT[method]])
    if (height === undefined || height > tip) continue
    const key = JSON.stringify(answer.params)
    groups.set(key, [...(groups.get(key) ?? []), answer])
  }
  return [...groups.values()].flatMap(([first, ...later]) =>
    later.map((answer) => ({ ...answer, first: first! })),
  )
}

export const cases = defineCases([
  {
    id: 'rpc.selectors.seen-height.01',
    title: 'Every block of the run that was asked for by its number has that number',
    area: 'selectors',
    rules: ['RPC-SEL-01'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Past the head there is none; a block of another height is a wrong answer.',
    async run(t) {
      const past = (await getTip(t.rpc)) + PAST_THE_HEAD
      for (const height of [0n, past])
        await t.rpc.result('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      const asked = t.seen.to('eth_getBlockByNumber').flatMap((answer) => {
        const height = heightOf(answer.params[0])
        return height !== undefined && answer.result ? [{ ...answer, height }] : []
      })
      await judgeEach(asked, 'blocks by number', ({ result, height }) => {
        const { number } = result as JsonObject
        expectEqual(expectQuantity(number, 'number'), height, 'number')
      })
    },
  },
  ...(Object.keys(SELECTOR_AT) as (keyof typeof SELECTOR_AT)[]).map((method) => ({
    id: `rpc.selectors.seen-same-${method.slice(4).toLowerCase()}.01`,
    title: `${method} with the same parameters at a sealed height has one result in the whole run`,
    area: 'selectors' as const,
    rules: ['RPC-SEL-01', method === 'eth_call' ? 'RPC-CALL-18' : 'RPC-STOR-07'],
    needs: ['rpc' as const],
    judgesAll: true as const,
    rationale: 'What is sealed does not change, whoever else asks, and however often.',
    async run(t: CaseContext) {
      const again = await repeated(t, method)
      if (again.length === 0) notApplicable('No question was asked twice at one height.')
      await judgeEach(again, `answers to ${method}`, ({ result, first }) =>
        expectEqual(result, first.result, 'result'),
      )
    },
  })),
])
