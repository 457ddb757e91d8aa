import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { diffValues } from './diff-values.ts'
import { toHtml } from './html/to-html.ts'
import type { RuleStatus, RunResult } from './model.ts'
import { sampleCase, sampleRun } from './sample-run.ts'
import { summarise } from './summarise.ts'
import { toBadge } from './to-badge.ts'
import { toCtrf } from './to-ctrf.ts'
import { toJUnit } from './to-junit.ts'
import { toMarkdown } from './to-markdown.ts'
import { toSarif } from './to-sarif.ts'
import { REPORT_FORMATS, writeReports } from './write-reports.ts'

const passed = () => ({ ...sampleRun(), cases: [sampleCase()], staleExpectations: [] })

describe('the JUnit report', () => {
  it('given a run, then each area has a suite, and what fails and what is skipped is counted', () => {
    const xml = toJUnit(sampleRun())
    expect(xml).toContain(
      '<testsuites name="rollbed conform" tests="8" failures="3" time="12.345">',
    )
    expect(xml).toContain('<testsuite name="call" tests="5" failures="2" skipped="3"')
    expect(xml.match(/<testcase /g)).toHaveLength(8)
    expect(xml.match(/<failure /g)).toHaveLength(3)
    expect(xml.match(/<skipped /g)).toHaveLength(3)
  })

  it('given a failure, then its text tells rule, difference and command', () => {
    const [, text] = /<failure [^>]*>([\s\S]*?)<\/failure>/.exec(toJUnit(sampleRun())) ?? []
    expect(text).toContain('RPC-LOG-01')
    expect(text).toContain('-   &quot;removed&quot;: false')
    expect(text).toContain('(- expected, + actual)')
    expect(text).toContain('--only rpc.log.members.01')
  })

  it('given whatever a target answered, then it is well-formed', () => {
    const xml = toJUnit(sampleRun())
    const rest = xml.replace(
      /<\?xml[^>]*\?>|<\/?(testsuites|testsuite|testcase|properties|property|failure|skipped|system-out)( [\w]+="[^"<]*")*\/?>/g,
      '',
    )
    expect(rest).not.toMatch(/<|&(?!(amp|lt|gt|quot|#39);)/)
    expect(xml).not.toContain('\u0007')
  })
})

describe('the HTML report', () => {
  it('given an answer that is markup, then it never becomes markup', () => {
    const html = toHtml(sampleRun())
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;alert')
    expect(html.match(/<script>/g)).toHaveLength(1)
  })

  it('given an exchange of before the case, then it says how long before', () => {
    const [exchange] = sampleCase().exchanges
    const cases = [sampleCase({ exchanges: [{ ...exchange!, at: -1_500 }] })]
    expect(toHtml({ ...sampleRun(), cases })).toContain('>1500 ms before · ')
  })

  it('when it is opened, then it loads nothing from anywhere', () => {
    const html = toHtml(sampleRun())
    expect(html).toContain("default-src 'none'")
    expect(html).not.toMatch(/\b(src|srcset)=|@import|url\(|<link/)
    expect(html).not.toMatch(/ (style|on\w+)="/)
  })
})

describe('the other formats', () => {
  it('given CTRF, then every status is counted', () => {
    const { summary, tests } = JSON.parse(toCtrf(sampleRun())).results
    expect(summary).toMatchObject({ tests: 8, passed: 1, failed: 3, skipped: 3, other: 1 })
    expect(summary.stop - summary.start).toBe(12_345)
    expect(tests[1]).toMatchObject({ status: 'failed', rawStatus: 'fail', tags: ['RPC-LOG-01'] })
  })

  it('given SARIF, then each rule of a failing case has a result', () => {
    const [run] = JSON.parse(toSarif(sampleRun())).runs
    expect(run.results.filter(({ level }: { level: string }) => level === 'error')).toHaveLength(3)
    expect(run.results[0]).toMatchObject({
      ruleId: 'RPC-LOG-01',
      partialFingerprints: { caseId: 'rpc.log.members.01' },
    })
    expect(run.tool.driver.rules[0].id).toBe('RPC-LOG-01')
  })

  it('given SARIF, then it names no file but one that the user gave', () => {
    const locationsOf = (result: RunResult) =>
      JSON.parse(toSarif(result)).runs[0].results[0].locations
    expect(JSON.stringify(locationsOf(sampleRun()))).not.toContain('physicalLocation')
    const [location] = locationsOf({ ...sampleRun(), expectationsFile: 'known-failures.yaml' })
    expect(location.physicalLocation.artifactLocation.uri).toBe('known-failures.yaml')
  })

  it('given Markdown, then failures are diffs with their command', () => {
    const text = toMarkdown(sampleRun())
    expect(text).toContain('# Conformance: 3 of 8 cases failed')
    expect(text).toContain('-   "removed": false,')
    for (const [summary] of text.matchAll(/<summary>.*<\/summary>/g)) {
      expect(summary).not.toContain('<script>')
    }
    expect(toMarkdown(passed())).toContain('# Conformance: passed, judged 1 of 2 rules')
  })

  it('given backticks in an answer, then the fences of Markdown hold', () => {
    const run = sampleRun()
    run.cases[1]!.failure = { at: 'x', expected: '', actual: '```\n# Not a heading' }
    expect(toMarkdown(run)).toContain('````diff')
  })

  it('given a badge, then it says how many failed, or passed', () => {
    expect(toBadge(sampleRun())).toContain('3 failed')
    expect(toBadge(passed())).toContain('1 passed, 1 of 2 rules')
  })

  it('given a terminal, then it gets failures in full and the counts last', () => {
    const lines = summarise(sampleRun()).split('\n')
    expect(lines[0]).toBe('FAIL rpc.log.members.01 [RPC-LOG-01]')
    expect(lines).toContain('    +   "removed": "false",')
    expect(lines.at(-2)).toBe(
      '8 cases in 12.3 s: 1 fail, 1 unknown, 1 unexpected-pass, 1 non-strict, 1 expected-fail, 1 gap, 1 not-applicable, 1 pass',
    )
    expect(lines.at(-1)).toBe(
      'judged 1 of 2 rules; not judged: 1 that no case can show; 1 `should` not met; 1 point of the specs is open',
    )
  })

  it('given a run of a part, then its last line says how many rules were judged and why the rest was not', () => {
    const [judged, waived] = passed().rules as [RuleStatus, RuleStatus]
    const left = (reason: string, flags: string[]) => ({
      ...judged,
      isJudged: false,
      unjudged: { reason, flags },
    })
    const rules = [
      judged,
      waived,
      left('Left out by --only or --shard.', []),
      left('No case could run: something to judge it by was not given.', ['--ws', '--api']),
      left('No case could run: something to judge it by was not given.', ['--prover']),
      left('The chain stood still.', []),
    ]
    expect(
      summarise({ ...passed(), rules })
        .split('\n')
        .at(-1),
    ).toBe(
      'judged 1 of 6 rules; not judged: 2 for want of --api, --prover, --ws, 1 that no case can show, 1 left out by --only or --shard, 1 for a reason told above; 1 point of the specs is open',
    )
  })

  it('given a terminal, then it learns why cases were not judged', () => {
    const skipped = sampleCase({ verdict: 'not-applicable', reason: 'No driver was given.' })
    expect(summarise({ ...passed(), cases: [skipped, sampleCase(), skipped] }).split('\n')).toEqual(
      [
        'not-applicable, 2: No driver was given.',
        'not judged, 1: Inside the enclave process. (ENC-START-01)',
        expect.stringContaining('3 cases'),
        expect.any(String),
      ],
    )
  })

  it('given all formats, then they are written into one folder', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'rollbed-reports-'))
    try {
      const paths = await writeReports(sampleRun(), {
        dir: join(dir, 'a/b'),
        formats: REPORT_FORMATS,
      })
      expect(paths).toHaveLength(7)
      expect(await readdir(join(dir, 'a/b'))).toHaveLength(7)
      const json = paths.find((path) => path.endsWith('conformance.json'))
      expect(JSON.parse(await readFile(json!, 'utf8'))).toMatchObject(sampleRun())
    } finally {
      await rm(dir, { recursive: true })
    }
  })
})

describe('a should that is not met', () => {
  it('given a terminal, then expected, actual and command are shown', () => {
    expect(summarise(sampleRun())).toContain(
      [
        'NON-STRICT rpc.pending.refresh.01 [RPC-BLK-06]',
        '  A sent transaction is listed soon',
        '  at delay   (- expected, + actual)',
        '    - at most 500 ms',
        '    + 812',
        '  npx rollbed conform --rpc http://127.0.0.1:8545 --only rpc.pending.refresh.01',
      ].join('\n'),
    )
  })

  it('given Markdown, then it has a part of its own with the difference', () => {
    const [, part = ''] = toMarkdown(sampleRun()).split('## Not strict')
    expect(part).toContain('<code>rpc.pending.refresh.01</code>')
    expect(part).toContain('- at most 500 ms\n+ 812')
    expect(toMarkdown(passed())).not.toContain('## Not strict')
  })

  it('given JUnit, then the difference is its output, and it counts as no failure', () => {
    const [, output] = /<system-out>([\s\S]*?)<\/system-out>/.exec(toJUnit(sampleRun())) ?? []
    expect(output).toContain('+ 812')
  })

  it('given CTRF and SARIF, then they tell the difference, SARIF as a note', () => {
    const { tests } = JSON.parse(toCtrf(sampleRun())).results
    expect(tests[2]).toMatchObject({ status: 'other', trace: expect.stringContaining('+ 812') })
    const { results } = JSON.parse(toSarif(sampleRun())).runs[0]
    const [note, ...others] = results.filter(({ level }: { level: string }) => level === 'note')
    expect(note.message.text).toContain('+ 812')
    expect(others).toEqual([])
  })
})

describe('a note of a case that passed', () => {
  const note = 'The chain does not follow from L1 since block 7 (rollback).'
  const run = { ...passed(), cases: [sampleCase({ id: 'ws.logs.removed.01', note })] }

  it.each([
    ['the terminal', summarise],
    ['Markdown', toMarkdown],
    ['the page', toHtml],
  ])('given %s, then it is told', (_, write) => {
    expect(write(run)).toContain(note)
    expect(write(passed())).not.toContain('note, ')
  })
})

describe('what was not judged', () => {
  const rules = (count: number): RuleStatus[] =>
    Array.from({ length: count }, (_, index) => ({
      ...sampleRun().rules[0]!,
      id: `PRV-REQ-0${index + 1}`,
      verdict: undefined!,
      isJudged: false,
      unjudged: { reason: 'No prover was given.', flags: ['--prover'] },
    }))
  const run = { ...passed(), rules: [...passed().rules, ...rules(3)] }

  it.each(REPORT_FORMATS)('given %s, then it is told there, with the count', async (format) => {
    const dir = await mkdtemp(join(tmpdir(), 'rollbed-reports-'))
    try {
      const [path] = await writeReports(run, { dir, formats: [format] })
      const text = await readFile(path!, 'utf8')
      if (format === 'badge') return expect(text).toContain('1 of 5 rules')
      expect(text).toContain('--prover')
      expect(text).toContain('No prover was given.')
    } finally {
      await rm(dir, { recursive: true })
    }
  })

  it('given a terminal, then it is told, the reason with the most rules first', () => {
    const lines = summarise(run).split('\n')
    expect(lines[0]).toBe(
      'not judged, 3: No prover was given. Give --prover. (PRV-REQ-01 PRV-REQ-02 PRV-REQ-03)',
    )
    expect(lines.at(-1)).toContain('judged 1 of 5 rules')
    expect(lines.at(-2)).toMatch(/^1 case in /)
  })

  it('given one reason and other flags for other rules, then it is one line with all of them', () => {
    const [one, other, third] = rules(3)
    const unjudged = { reason: 'No prover was given.', flags: ['--l1'] }
    const lines = summarise({ ...run, rules: [one!, { ...other!, unjudged }, third!] }).split('\n')
    expect(lines.filter((line) => line.startsWith('not judged, '))).toEqual([
      'not judged, 3: No prover was given. Give --prover, --l1. (PRV-REQ-01 PRV-REQ-03 PRV-REQ-02)',
    ])
  })
})

describe('cases without a verdict for one reason', () => {
  it('given several of them, then they are told once, with all their names', () => {
    const reason = 'The target limits requests (HTTP 429).'
    const cases = ['rpc.a.01', 'rpc.b.01'].map((id) =>
      sampleCase({ id, verdict: 'unknown', reason }),
    )
    const text = summarise({ ...passed(), cases })
    expect(text.match(/HTTP 429/g)).toHaveLength(1)
    expect(text).toContain('UNKNOWN 2 cases: The target limits requests')
    expect(text).toContain('    rpc.b.01')
  })
})

describe('the difference of two values', () => {
  const marked = (expected: unknown, actual: unknown) =>
    diffValues(expected, actual)
      .filter(({ side }) => side !== 'both')
      .map(({ side, text }) => `${side[0]}${text.trim()}`)

  it('given a member that is equal, wherever it stands, then it is not marked', () => {
    expect(marked({ a: 1, b: 2 }, { b: 2, a: 1, c: 3 })).toEqual(['a"c": 3'])
    expect(marked({ a: 1, b: 2 }, { b: 2, a: 7 })).toEqual(['e"a": 1,', 'a"a": 7,'])
  })

  it('given what the expectation leaves open, then nothing is marked', () => {
    const expected = { error: { code: -32000, message: 'a string' }, result: '(absent)' }
    expect(marked(expected, { error: { code: -32000, message: 'no' } })).toEqual([])
    expect(marked(expected, { error: { code: 3, message: 'no' } })).toEqual([
      'e"code": -32000,',
      'a"code": 3,',
    ])
  })
})

describe('the line diff', () => {
  const marks = (expected: string, actual: string) =>
    diffLines(expected, actual).map(({ side, text }) => `${side[0]}${text}`)

  it('given two texts, then what both have is kept and the rest is named', () => {
    expect(marks('a\nb\nc', 'a\nx\nc')).toEqual(['ba', 'eb', 'ax', 'bc'])
    expect(marks('a', 'a\nb')).toEqual(['ba', 'ab'])
    expect(marks('same', 'same')).toEqual(['bsame'])
  })

  it('given long texts, then it stays quick', () => {
    const long = (letter: string) => Array(5_000).fill(letter).join('\n')
    expect(diffLines(long('a'), long('b'))).toHaveLength(10_000)
  })
})
