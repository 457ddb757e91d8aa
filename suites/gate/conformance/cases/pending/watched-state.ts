import { isDeepStrictEqual } from 'node:util'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { expectBytes } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { looksAround } from '../../seen/looks-around.ts'
import { type SeenBlock, seenSealed, toSeenBlock } from '../../seen/seen-blocks.ts'
import { stateQuestions } from '../../seen/watched.ts'

type Selector = 'pending' | 'latest' | 'safe'

/**
 * A case about one method: the watch writes one more each time, so what the method reads lies between what
 * had been written by the look before and by the look after, whichever block that was.
 */
const ofMethod = (
  about: Pick<ConformanceCase, 'id' | 'area' | 'rules' | 'profiles'>,
  method: string,
  selector: Selector,
): ConformanceCase => ({
  ...about,
  title: `${method} at ${selector} reads what the ${selector} block has written, no less and no more, at any moment`,
  needs: ['rpc', 'ws', 'driver'],
  judgesAll: true,
  watches: true,
  rationale:
    'A count that grows with each pre-confirmed transaction tells which snapshot was read.',
  async run(t) {
    const { slot } = t.watched
    if (!slot) notApplicable('The watch wrote nothing.')
    await t.scene(recentBlocks)
    const [, question] = stateQuestions(slot, selector).find(([name]) => name === method)!
    const countAt = countsOf(t, selector)
    const asked = t.seen
      .inCalm(method)
      .filter(({ params }) => isDeepStrictEqual(params.slice(0, question.length), question))
    await judgeEach(asked, `answers to ${method}`, ({ result, asked, answered }) => {
      const value = expectBytes(countReadBy(method, result), 'value')
      // Where it is younger than the block there is no contract that could answer.
      const count = value === '0x' ? 0n : BigInt(value)
      const [least, most] = [countAt.before(asked), countAt.after(answered)]
      expectThat(count >= least, `${least} or more`, count, 'the written count')
      expectThat(most === undefined || count <= most, `${most} or less`, count, 'the written count')
    })
  },
})

/** What was written by the last look before a moment, and by the first after one. */
function countsOf({ seen, watched }: CaseContext, selector: Selector) {
  const wrote = new Map(watched.sent.map(({ hash, wrote }) => [hash as unknown, wrote]))
  const countIn = (hashes: readonly unknown[]) =>
    hashes.reduce<bigint>((most, hash) => {
      const count = wrote.get(hash) ?? 0n
      return count > most ? count : most
    }, 0n)
  const sealed = new Map<unknown, bigint>()
  // Behind a block that was not seen nobody knows, until one writes itself.
  let [total, next]: [bigint | undefined, bigint] = [undefined, -1n]
  const blocks = seenSealed(seen).toSorted((a, b) => Number(numberOf(a) - numberOf(b)))
  for (const each of blocks) {
    const own = countIn(each.hashes)
    const number = numberOf(each)
    if (number > next) total = undefined
    if (own > (total ?? 0n)) total = own
    if (total !== undefined) sealed.set(each.block.hash, total)
    next = number + 1n
  }
  const countOf = ({ block, hashes }: SeenBlock): bigint | undefined => {
    if (selector !== 'pending') return sealed.get(block.hash)
    const below = sealed.get(block.parentHash)
    const own = countIn(hashes)
    return own > 0n ? own : below
  }
  const looks = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, result }) => params[0] === selector && Object(result) === result)
    .map(toSeenBlock)
    .flatMap((look) => {
      const count = countOf(look)
      return count === undefined ? [] : [{ asked: look.asked, answered: look.answered, count }]
    })
  // Who saw more before saw what there was; who sees less afterwards sees all that there is.
  const around = looksAround(looks, {
    before: (far, near) => (near.count > far.count ? near : far),
    after: (far, near) => (near.count < far.count ? near : far),
  })
  return {
    before: (moment: number) => around.before(moment)?.count ?? 0n,
    after: (moment: number) => around.after(moment)?.count,
  }
}

const numberOf = ({ block }: SeenBlock) => BigInt(String(block.number))

function countReadBy(method: string, result: unknown): unknown {
  if (method !== 'eth_simulateV1') return result
  const [block] = Array.isArray(result) ? (result as JsonObject[]) : []
  const [call] = (block?.calls ?? []) as JsonObject[]
  return call?.returnData
}

export const cases = defineCases([
  ofMethod(
    { id: 'rpc.call.watched-state.01', area: 'call', rules: ['RPC-CALL-19', 'RPC-CALL-18'] },
    'eth_call',
    'pending',
  ),
  ofMethod(
    { id: 'rpc.call.watched-state.02', area: 'call', rules: ['RPC-CALL-18'] },
    'eth_call',
    'latest',
  ),
  ofMethod(
    {
      id: 'rpc.storage.watched-state.01',
      area: 'storage',
      rules: ['RPC-STOR-08'],
      profiles: ['spec'],
    },
    'eth_getStorageAt',
    'pending',
  ),
  ofMethod(
    { id: 'rpc.storage.watched-state.02', area: 'storage', rules: ['RPC-STOR-07'] },
    'eth_getStorageAt',
    'latest',
  ),
  ofMethod(
    {
      id: 'rpc.call.watched-state.03',
      area: 'call',
      rules: ['RPC-CALL-18', 'RPC-SEL-04', 'RPC-SEL-07'],
    },
    'eth_call',
    'safe',
  ),
  ofMethod(
    {
      id: 'rpc.storage.watched-state.03',
      area: 'storage',
      rules: ['RPC-STOR-07', 'RPC-SEL-04', 'RPC-SEL-07'],
    },
    'eth_getStorageAt',
    'safe',
  ),
  ofMethod(
    { id: 'rpc.simulate.watched-state.01', area: 'simulate', rules: ['RPC-SIM-03'] },
    'eth_simulateV1',
    'pending',
  ),
  ofMethod(
    { id: 'rpc.simulate.watched-state.02', area: 'simulate', rules: ['RPC-SIM-03'] },
    'eth_simulateV1',
    'latest',
  ),
])
