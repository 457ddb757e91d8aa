import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunResult } from './model.ts'
import { sampleCase, sampleRun } from './sample-run.ts'
import { summarise } from './summarise.ts'
import { type ReportFormat, writeReports } from './write-reports.ts'

const unmet = { level: 'should', verdict: 'non-strict' } as const
/** Two cases passed, and three that only `should` be so are not met. */
const run = (): RunResult => ({
  ...sampleRun(),
  staleExpectations: [],
  cases: [
    sampleCase(),
    sampleCase({ id: 'rpc.call.sample.01', area: 'call' }),
    ...[1, 2, 3].map((at) => sampleCase({ id: `rpc.log.sample.0${at}`, area: 'logs', ...unmet })),
  ],
})
const SAID = '3 `should` not met'

async function written(format: ReportFormat, result: RunResult = run()): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'rollbed-heads-'))
  try {
    const [path] = await writeReports(result, { dir, formats: [format] })
    return await readFile(path!, 'utf8')
  } finally {
    await rm(dir, { recursive: true })
  }
}

const lastLine = () => summarise(run()).split('\n').at(-1)

it('given a should that is not met, then the last line of a terminal counts it', () => {
  expect(lastLine()).toContain(`; ${SAID}; `)
})

it('given HTML, then the headline counts each should that is not met', async () => {
  const html = await written('html')
  expect(html).toContain('<h2>Passed, 3 <code>should</code> not met, judged 1 of 2 rules</h2>')
  expect(await written('html', sampleRun())).toContain(
    '<h2>3 of 8 cases failed, 1 <code>should</code> not met, judged 1 of 2 rules</h2>',
  )
})

it('given Markdown, then the title counts each should that is not met', async () => {
  const [title] = (await written('md')).split('\n')
  expect(title).toBe(`# Conformance: passed, ${SAID}, judged 1 of 2 rules`)
})

it('given JUnit, then each suite counts its own, and says what the terminal says of the whole', async () => {
  const suites = (await written('junit')).split('<testsuite ').slice(1)
  const counts = suites.map(
    (text) => /<property name="should not met" value="(\d+)"/.exec(text)?.[1],
  )
  expect(counts).toEqual(['0', '0', '3'])
  for (const suite of suites) expect(suite).toContain(`name="summary" value="${lastLine()}"`)
})

it('given SARIF, then the properties of the run have the count, and what the terminal says', async () => {
  const [{ properties, invocations }] = JSON.parse(await written('sarif')).runs
  expect(properties).toMatchObject({ shouldNotMet: 3, summary: lastLine() })
  expect(invocations[0].toolExecutionNotifications[0].message.text).toBe(lastLine())
})

it('given CTRF, then the summary has the count, and what the terminal says', async () => {
  const { summary } = JSON.parse(await written('ctrf')).results
  expect(summary.extra).toEqual({ shouldNotMet: 3, summary: lastLine() })
})

it('given JSON, then the totals stand before the cases, also where an older count was read', async () => {
  const old = { cases: 9, failed: 9, shouldNotMet: 9, summary: '' }
  const text = await written('json', { ...run(), totals: old })
  expect(JSON.parse(text).totals).toEqual({
    cases: 5,
    failed: 0,
    shouldNotMet: 3,
    summary: lastLine(),
  })
  expect(text.indexOf('"totals"')).toBeLessThan(text.indexOf('"cases": ['))
})

it('given a badge, then it counts each should that is not met', async () => {
  expect(await written('badge')).toContain('2 passed, 3 should not met, 1 of 2 rules')
})
