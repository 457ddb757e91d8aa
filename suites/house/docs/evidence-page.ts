import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Evidence, readEvidence } from '#suites/oracles/evidence/evidence'
import { isStale } from '#suites/oracles/evidence/stale-evidence'
import { METHODS } from '#suites/oracles/execution-apis/answer-problems'
import { compareInterfaces } from '#suites/prover/contracts/compare-interfaces'
import { markdownTable } from './markdown-table.ts'
import { ROOT } from './source-tree.ts'

/** docs/evidence.md: every body of outside evidence that was run against us. */
export function evidencePage(): string {
  const runs = Object.entries(readEvidence()).map(([name, record]) => [
    record.body,
    `${record.source} ${record.version}`,
    record.date,
    record.against,
    onExecutor(record),
    list(record.counts),
    list(record.leftOut) || 'nothing',
    `\`${name}\``,
  ])
  const every = everyRun().map(({ body, source, against, counts, leftOut }) => [
    body,
    source,
    against,
    counts,
    leftOut,
  ])
  return `# Evidence from outside

What other people have made to find mistakes, and what it found here. A count is what a run left behind,
not what somebody wrote down: the long runs write their record (\`fixtures/evidence\`) with
\`ROLLBED_RECORD=VERSION\`; without it, those of vectors and tests fail when they find other counts.

The executor is told by the first digits of the SHA-256 of all it is made of, the EVM's WASM included
(\`suites/oracles/evidence/executor-digest.ts\`). A body that was run on an earlier one is to be run again:
\`npm run release\` refuses until it was.

## Long runs, with files that are not part of the project

${markdownTable(['Evidence', 'Source', 'Run on', 'Held against', 'Executor', 'Found', 'Left out, or known to differ', 'Record'], runs)}

How to run each: \`suites/oracles/execution-apis/README.md\`, \`suites/oracles/state-tests/README.md\`, and
\`ROLLBED_DIFFERENTIAL_TXS\`, \`ROLLBED_EDR_TXS\`, \`ROLLBED_FUZZ_PROGRAMS\` for random blocks and programs.
The vectors of execution-apis that are answered otherwise stand one by one in
\`suites/oracles/execution-apis/known-differences.yaml\`; where profile \`base\` goes with deployed nodes is on
[the page of profiles](profiles.md).

## In every run of the tests

${markdownTable(['Evidence', 'Source', 'Held against', 'Count', 'Left out, or known to differ'], every)}
`
}

function onExecutor(record: Evidence): string {
  if (!record.executor) return 'none in it'
  return isStale(record)
    ? `\`${record.executor}\`, an earlier one`
    : `\`${record.executor}\`, this one`
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what}: ${count.toLocaleString('en')}`)
    .join('; ')
}

interface Row {
  body: string
  source: string
  against: string
  counts: string
  leftOut: string
}

/** Counted in the fixtures that the tests read. */
function everyRun(): Row[] {
  const interfaces = compareInterfaces()
  const lines = interfaces.flatMap(({ rows }) => rows).filter(({ published }) => published)
  const ours = lines.filter((row) => row.ours).length
  const { source } = json('contracts/published/interfaces.json')
  const anvil: { case: string }[] = parse(read('suites/gate/anvil/known-failures.yaml'))
  const cases = anvil.flatMap((entry) => entry.case.split(','))
  return [
    {
      body: 'Published interfaces of Base’s contracts',
      source: String(source),
      against: 'our contracts of these names',
      counts: `${ours} of ${lines.length} lines of ${interfaces.length} contracts`,
      leftOut: `${lines.length - ours} lines, each with its reason on [the page of contracts](contracts.md)`,
    },
    {
      body: 'Schemas of execution-apis, taken down by hand',
      source: 'github.com/ethereum/execution-apis',
      against: 'the answers of both profiles',
      counts: `${METHODS.length} methods`,
      leftOut: 'what profiles do otherwise, named one by one in the test',
    },
    ...['bincode', 'config-hash', 'enclave-frames'].map((name) => vectorRow(name)),
    {
      body: 'A bare anvil under our own gate',
      source: 'npm: @foundry-rs/anvil',
      against: 'the cases of the gate, of which it fails those of a list',
      counts: `${cases.length} failures, each understood`,
      leftOut: 'nothing',
    },
  ]
}

function vectorRow(name: string): Row {
  const { source, tests } = json(`vectors/${name}.json`)
  return {
    body: `Vectors: ${name}`,
    source: String(source),
    against: 'our codecs, and those of the gate',
    counts: `${(tests as unknown[]).length} vectors`,
    leftOut: 'nothing',
  }
}

function json(path: string): Record<string, unknown> {
  return JSON.parse(read(join('fixtures', path)))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
