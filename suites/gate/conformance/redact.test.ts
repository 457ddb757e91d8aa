import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { REPORT_FORMATS, summarise, writeReports } from '#reports/index'
import { CaseFailure } from './case-failure.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { TargetUnreachable } from './reach-targets.ts'
import { createRedactor } from './redact.ts'
import { runConformance } from './run-conformance.ts'
import { type ScriptedTarget, startScriptedTarget, TIP } from './testing-target.ts'

const KEY = 'k3yInThePath0123456789'
const QUERY = 'k3yInTheQuery'
const TOKEN = 'k3y.in.the.header'
const PASSWORD = 'k3y-password'

let target: ScriptedTarget | undefined
afterEach(() => target?.stop())

/** Tells all it knows, as a careless case and a careless target would. */
const tells: ConformanceCase = {
  id: 'rpc.test.tells.01',
  title: 'A case made for a test',
  area: 'envelope',
  rules: ['RPC-ENV-01'],
  needs: ['rpc'],
  rationale: 'It fails with what it was given.',
  async run({ rpc, targets }) {
    const answer = await rpc.result('eth_echo', [])
    throw new CaseFailure({ at: 'x', expected: targets, actual: answer, hint: rpc.url })
  },
}

test('given keys in URL and headers, then no format of the report holds one', async () => {
  target = await startScriptedTarget(({ id, method }) => ({
    jsonrpc: '2.0',
    id,
    result: method === 'eth_echo' ? `Bearer ${TOKEN} ${KEY}` : TIP,
  }))
  const rpc = `${target.url.replace('//', `//me:${PASSWORD}@`)}/v2/${KEY}?apikey=${QUERY}`
  // fetch takes no credentials in a URL, so they are only in one that nothing is sent to.
  const run = await runConformance({
    targets: { rpc: rpc.replace(`me:${PASSWORD}@`, ''), ws: rpc },
    cases: [tells],
    clock: systemClock,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(run.cases[0]?.verdict).toBe('fail')
  const dir = await mkdtemp(join(tmpdir(), 'rollbed-redact-'))
  try {
    const files = await writeReports(run, { dir, formats: REPORT_FORMATS })
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    for (const text of [...texts, summarise(run), JSON.stringify(run)]) {
      for (const secret of [KEY, QUERY, TOKEN, PASSWORD]) expect(text).not.toContain(secret)
    }
    expect(summarise(run)).toContain('/v2/***')
  } finally {
    await rm(dir, { recursive: true })
  }
})

test('given a target that does not answer, then its error holds no key', async () => {
  const unreachable = runConformance({
    targets: { rpc: `http://127.0.0.1:1/${KEY}` },
    cases: [tells],
    clock: systemClock,
  })
  await expect(unreachable).rejects.toThrow(TargetUnreachable)
  await expect(unreachable).rejects.not.toThrow(KEY)
})

test('given plain URLs, then nothing is changed', () => {
  const targets = { rpc: 'http://127.0.0.1:8545/base', ws: 'ws://127.0.0.1:8545?view=base' }
  expect(createRedactor({ targets })(targets)).toBe(targets)
})

/** What stands in a report, with texts that are like the values of headers. */
const report = {
  schema: 'rollbed.run/1',
  cases: [
    { id: 'rpc.test.tells.01', rules: ['RPC-ENV-01'], verdict: 'fail', reason: '1 did fail' },
  ],
}

test.each([
  ['short', { 'x-version': '1' }, '1 did fail'],
  ['like a verdict', { 'x-mode': 'fail' }, '1 did fail'],
  ['like a verdict, and secret by its name', { 'x-api-key': 'fail' }, '1 did ***'],
  ['short, and secret by its name', { authorization: '1' }, '*** did fail'],
  ['like an id', { 'x-case': 'rpc.test.tells.01' }, '1 did fail'],
])(
  'given a header whose value is %s, then schema, ids, rules and verdicts stay',
  (_, headers, reason) => {
    const [each] = report.cases
    expect(createRedactor({ targets: {}, headers })(report)).toEqual({
      ...report,
      cases: [{ ...each, reason }],
    })
  },
)

test('given a short secret, then it is taken out where it stands by itself, in members of an answer too', () => {
  const redact = createRedactor({ targets: {}, headers: { 'x-api-key': 'k.3' } })
  const said = { failure: { actual: { 'k.3': 'my k.3, not ok.3' } } }
  expect(redact(said)).toEqual({ failure: { actual: { '***': 'my ***, not ok.3' } } })
})
