import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { judgeEach } from '../../seen/judge-each.ts'

export const cases = defineCases([
  {
    id: 'prover.keys.watched.01',
    title: 'The list of keys has the same keys in the same order in every answer of the run',
    area: 'prover',
    rules: ['HOST-RPC-02', 'HOST-RPC-04'],
    needs: ['prover'],
    judgesAll: true,
    watches: true,
    rationale: 'Callers pair keys with documents by their place; a key is made once, at boot.',
    async run(t) {
      await t.prover.call('enclave_signerPublicKey', [])
      const answers = t.seenProver.to('enclave_signerPublicKey')
      await judgeEach(answers, 'lists of keys', ({ result }) =>
        expectEqual(result, answers[0]!.result, 'keys'),
      )
    },
  },
  {
    id: 'prover.health.watched.01',
    title: 'A host that was healthy once is healthy in every answer of the run',
    area: 'prover',
    rules: ['HOST-HEALTH-03', 'HOST-HEALTH-04'],
    needs: ['prover'],
    judgesAll: true,
    watches: true,
    rationale: 'Health latches: who routes by it must not see it come and go.',
    async run(t) {
      await t.prover.call('healthz', [])
      const answers = t.seenProver.to('healthz')
      const first = answers[0] ?? notApplicable('The host was never healthy.')
      const later = t.seenProver.errorsTo('healthz').filter(({ asked }) => asked > first.answered)
      for (const error of later)
        await judgeEach([error], 'refusals', ({ exchange }) =>
          expectThat(false, 'healthy, as before', exchange.response, 'answer of healthz'),
        )
      // What a healthy host answers no document says; but it is not no at another time.
      const isYes = Boolean(first.result)
      await judgeEach(answers, 'answers of healthz', ({ result }) =>
        expectEqual(Boolean(result), isYes, 'whether healthz says yes'),
      )
    },
  },
])
