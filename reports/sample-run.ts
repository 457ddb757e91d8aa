import type { CaseResult, RunResult } from './model.ts'

const HOSTILE = '<script>alert("x")</script> & \'quotes\' \u0007'

/** A run with every verdict in it and text that would break a careless writer. For tests. */
export function sampleRun(): RunResult {
  return {
    schema: 'rollbed.run/1',
    tool: { name: 'rollbed', version: '1.2.3' },
    startedAt: '2026-11-21T05:00:00.000Z',
    duration: 12_345,
    profile: 'spec',
    targets: { rpc: 'http://127.0.0.1:8545' },
    driver: null,
    cases: [
      sampleCase({ id: 'rpc.block.hash.01', title: 'hash is the header hash' }),
      sampleCase({
        id: 'rpc.log.members.01',
        title: `A log has ten members ${HOSTILE}`,
        area: 'logs',
        rules: ['RPC-LOG-01'],
        verdict: 'fail',
        reason: 'RPC-LOG-01: log is not what the rule asks for.',
        failure: {
          at: 'log',
          expected: { removed: false, blockTimestamp: '0x1' },
          actual: { removed: 'false', note: HOSTILE },
          hint: 'Missing: blockTimestamp.',
        },
      }),
      sampleCase({
        id: 'rpc.pending.refresh.01',
        title: 'A sent transaction is listed soon',
        area: 'pending',
        level: 'should',
        verdict: 'non-strict',
        failure: { at: 'delay', expected: 'at most 500 ms', actual: 812 },
      }),
      ...(['unknown', 'unexpected-pass', 'expected-fail', 'gap', 'not-applicable'] as const).map(
        (verdict, index) =>
          sampleCase({
            id: `rpc.call.sample.0${index + 1}`,
            area: 'call',
            verdict,
            reason: HOSTILE,
          }),
      ),
    ],
    rules: [
      {
        id: 'RPC-LOG-01',
        says: `A log object carries ten fields. ${HOSTILE}`,
        level: 'must',
        surface: 'http-rpc',
        status: 'covered',
        cases: ['rpc.log.members.01'],
        verdict: 'fail',
      },
      {
        id: 'ENC-START-01',
        says: 'Open a security module session.',
        level: 'must',
        surface: 'enclave-process',
        status: 'waived',
        reason: 'Inside the enclave process.',
        cases: [],
      },
    ],
    gaps: [{ id: 'OPEN-01', topic: 'Envelope', why: HOSTILE, affects: ['RPC-ENV-03'] }],
    staleExpectations: [{ pattern: 'rpc.x.*', reason: HOSTILE, problem: 'expired' }],
  }
}

/** A passing case; `change` makes it another. */
export function sampleCase(change: Partial<CaseResult> = {}): CaseResult {
  const id = change.id ?? 'rpc.sample.case.01'
  return {
    id,
    title: 'A sample case',
    area: 'block',
    surface: 'rpc',
    level: 'must',
    rules: ['RPC-BLK-06'],
    rationale: 'One wrong member shows here.',
    verdict: 'pass',
    exchanges: [
      {
        transport: 'http',
        at: 3,
        duration: 4,
        url: 'http://127.0.0.1:8545',
        request: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{}]}',
        response: `{"jsonrpc":"2.0","id":1,"result":["${HOSTILE.replaceAll('"', '\\"')}"]}`,
        status: 200,
      },
    ],
    exchangesDropped: 0,
    duration: 7,
    repro: `npx rollbed conform --rpc http://127.0.0.1:8545 --only ${id}`,
    ...change,
  }
}
