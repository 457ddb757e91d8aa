import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe('what was judged', () => {
  const IMAGE = `0x${'1a'.repeat(32)}`
  const judged = (): RunResult => ({
    ...run(),
    build: 'v2 <rc>',
    judged: { client: 'base-reth/1.2', imageHashes: [IMAGE] },
    catalogue: 7,
  })
  const LINE = `Build v2 <rc>. The node calls itself base-reth/1.2. Enclave image ${IMAGE}. Catalogue of cases, version 7.`
  const ESCAPED = LINE.replace('<', '&lt;').replace('>', '&gt;')

  it('given a terminal, then it stands before the counts, once', () => {
    const lines = summarise(judged()).split('\n')
    expect(lines.filter((line) => line === LINE)).toHaveLength(1)
    expect(lines.at(lines.indexOf(LINE) + 1)).toMatch(/^5 cases in 12\.3 s/)
  })

  it('given HTML, then it stands below the headline', async () => {
    expect(await written('html', judged())).toContain(`</h2>\n<p class="target">${ESCAPED}</p>`)
  })

  it('given JUnit, then each suite has it', async () => {
    const suites = (await written('junit', judged())).split('<testsuite ').slice(1)
    expect(suites).toHaveLength(3)
    for (const suite of suites)
      expect(suite).toContain(`<property name="target" value="${ESCAPED}"/>`)
  })

  it('given Markdown, then it stands below the title', async () => {
    const [, , below] = (await written('md', judged())).split('\n')
    expect(below).toContain(LINE.replace('<', '&lt;'))
  })

  it('given SARIF, then the properties of the run have it, and a notification says it', async () => {
    const [{ properties, invocations }] = JSON.parse(await written('sarif', judged())).runs
    expect(properties.target).toBe(LINE)
    expect(invocations[0].toolExecutionNotifications[1].message.text).toBe(LINE)
  })

  it('given CTRF, then the environment has it', async () => {
    const { environment } = JSON.parse(await written('ctrf', judged())).results
    expect(environment.extra.target).toBe(LINE)
  })

  it('given JSON, then it has the members of which the line is made', async () => {
    const { build, judged: target, catalogue } = JSON.parse(await written('json', judged()))
    expect({ build, target, catalogue }).toEqual({
      build: 'v2 <rc>',
      target: { client: 'base-reth/1.2', imageHashes: [IMAGE] },
      catalogue: 7,
    })
  })

  it('given a run from before anything of it was noted, then no format has an empty place for it', async () => {
    expect(await written('html')).not.toContain('class="target"')
    expect(await written('junit')).not.toContain('name="target"')
    expect(await written('sarif')).not.toContain('"target"')
    expect(await written('ctrf')).not.toContain('"target"')
  })
})
