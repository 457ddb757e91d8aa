import { notApplicable } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { pendingQuestions } from '../../watch/watch-node.ts'
import { saysNothing } from '../../wire/json-rpc-client.ts'

type About = Pick<ConformanceCase, 'area' | 'rules' | 'profiles'>

/** What a method answers with; what is in it other cases ask. */
const KINDS: Readonly<Record<string, (result: unknown) => boolean>> = {
  'a block': (result) => typeof result === 'object' && result !== null && !Array.isArray(result),
  'a list': (result) => Array.isArray(result),
  hex: (result) => typeof result === 'string',
}

/** One look finds an answer; only all of them tell of a moment without one. */
const ofMethod = (
  method: string,
  kind: keyof typeof KINDS,
  { area, rules, profiles }: About,
): ConformanceCase => ({
  id: `rpc.${area === 'logs' ? 'getlogs' : area}.watched-answered.01`,
  title: `${method} at pending answers with ${kind} at any moment, never with null or an error`,
  ...{ area, rules: ['RPC-SEL-03', ...rules] },
  ...(profiles && { profiles }),
  needs: ['rpc', 'driver'],
  judgesAll: true,
  watches: true,
  rationale:
    'There is a block under construction at any time: who polls it would stop at a moment without one.',
  async run({ seen, watched }) {
    const asked = new Set(
      pendingQuestions(watched).flatMap(([name, params]) =>
        name === method ? [JSON.stringify(params)] : [],
      ),
    )
    const isAsked = ({ params }: { params: readonly unknown[] }) =>
      asked.has(JSON.stringify(params))
    const results = seen.inCalm(method).filter(isAsked)
    // Another case says so, by the rule that this breaks.
    if (results.length === 0) notApplicable(`The node answers no ${method} at pending.`)
    const errors = seen
      .errorsInCalm(method)
      .filter((each) => isAsked(each) && !saysNothing(each.error))
    const inOrder = [...errors, ...results].toSorted((a, b) => a.asked - b.asked)
    await judgeEach(inOrder, `answers to ${method} at pending`, (answer) => {
      const isRight = answer.error === undefined && KINDS[kind]!(answer.result)
      expectThat(isRight, kind, answer.error ?? answer.result, `answer to ${method} at pending`)
    })
  },
})

export const cases = defineCases([
  ofMethod('eth_getBlockByNumber', 'a block', { area: 'pending', rules: ['RPC-SEL-09'] }),
  ofMethod('eth_getLogs', 'a list', { area: 'logs', rules: ['RPC-GETLOGS-02'] }),
  ofMethod('eth_call', 'hex', { area: 'call', rules: ['RPC-CALL-19'] }),
  ofMethod('eth_getStorageAt', 'hex', { area: 'storage', rules: ['RPC-STOR-08'] }),
  ofMethod('eth_simulateV1', 'a list', { area: 'simulate', rules: ['RPC-SIM-03'] }),
])
