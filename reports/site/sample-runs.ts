import type { Exchange, RunResult, Verdict } from '#reports/model'
import { sampleCase, sampleRun } from '#reports/sample-run'
import type { NamedRun } from './site-of.ts'

export const CASE = 'rpc.log.members.01'
export const KNOWN = 'rpc.block.drift.01'
const HOSTILE = '<script>document.title="owned"</script>'

function run(day: number, verdict: Verdict, change: Partial<RunResult> = {}): RunResult {
  const reason = verdict === 'fail' ? `Broken. ${HOSTILE}` : undefined
  return {
    ...sampleRun(),
    startedAt: `2026-11-0${day}T00:00:00.000Z`,
    cases: [
      sampleCase(),
      sampleCase({ id: CASE, rules: ['RPC-LOG-01'], verdict, ...(reason && { reason }) }),
    ],
    rules: [{ ...sampleRun().rules[0]!, verdict, isJudged: true }],
    ...change,
  }
}

const blocked = sampleCase({
  id: 'rpc.simulate.gas.01',
  verdict: 'not-applicable',
  blockedBy: CASE,
  reason: `Blocked by ${CASE}: the target has no eth_simulateV1.`,
})

const known = sampleCase({
  id: KNOWN,
  verdict: 'expected-fail',
  expectation: { reason: 'anvil has no drift.', expires: '2099-12-31' },
  exchanges: [
    asked('eth_driftOf', '"error":{"code":-32601,"message":"Method not found"}'),
    asked('eth_subscribe', '"error":{"code":-32601,"message":"no subscription pendingLogs"}'),
    asked('eth_subscribe', '"result":"0x1"'),
  ],
})

function asked(method: string, answer: string): Exchange {
  return {
    transport: 'http',
    at: 1,
    duration: 1,
    url: 'http://127.0.0.1:8545',
    request: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`,
    response: `{"jsonrpc":"2.0","id":1,${answer}}`,
  }
}

/** Three targets and five runs: one got worse, one is whole, one lacks a method. For tests. */
export const SAMPLE_RUNS: readonly NamedRun[] = [
  { target: 'devnet', run: run(1, 'pass') },
  { target: 'devnet', run: run(3, 'fail') },
  { target: 'devnet', run: run(2, 'fail') },
  { target: 'anvil', run: { ...run(1, 'pass'), cases: [...run(1, 'pass').cases, known] } },
  { target: 'ganache', run: { ...run(1, 'fail'), cases: [...run(1, 'fail').cases, blocked] } },
]
