import { isDeepStrictEqual } from 'node:util'
import { notApplicable } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { expectBytes } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { stateQuestions } from '../../seen/watched.ts'
import { type CountedSelector, writtenCounts } from '../../seen/written-counts.ts'

/**
 * A case about one method: the watch writes one more each time, so what the method reads lies between what
 * had been written by the look before and by the look after, whichever block that was.
 */
const ofMethod = (
  about: Pick<ConformanceCase, 'id' | 'area' | 'rules' | 'profiles'>,
  method: string,
  selector: CountedSelector,
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
    const countAt = writtenCounts(t, selector)
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
