import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MutantOutcome } from '#suites/weather/protocol-mutants/mutant-outcome'
import { reasonToLive } from '#suites/weather/protocol-mutants/reason-to-live'
import { isNamed } from '#suites/weather/protocol-mutants/table-of'
import { markdownTable } from './markdown-table.ts'
import { ROOT } from './source-tree.ts'

const FILE = 'suites/weather/protocol-mutants/outcomes.json'

/** The page of mutants of the protocol: which the swarm found, whom it named, and which lived. */
export function protocolMutantsPage(): string {
  const { runs, again, outcomes } = JSON.parse(readFileSync(join(ROOT, FILE), 'utf8')) as {
    runs: number
    /** Found only once judge and loads were mended for what lived. */
    again?: number
    outcomes: MutantOutcome[]
  }
  const played = outcomes.filter(({ verdict }) => verdict !== 'nothing')
  const lived = played.filter(({ verdict, isReached }) => verdict === 'survived' && isReached)
  const parts = [...new Set(played.map(({ part }) => part))]
  const row = (name: string, own: readonly MutantOutcome[]) => {
    const found = own.filter(({ verdict }) => verdict === 'found')
    const alive = own.filter(({ verdict }) => verdict === 'survived')
    const counts = [
      own.length,
      found.length,
      found.filter(isNamed).length,
      alive.filter((each) => each.isReached && reasonToLive(each)).length,
      alive.filter((each) => each.isReached && !reasonToLive(each)).length,
      alive.filter(({ isReached }) => !isReached).length,
    ]
    return [name, ...counts.map(String)]
  }
  return `# What the weather notices

\`npm run protocol-mutants\` changes the protocol in one small place at a time (a condition turned, a bound moved, a line
dropped, an operand or a field of another), by the syntax tree, and plays runs of [a swarm](faults.md#swarms) against each
change in a process of its own: those that come to its place, as a series with nothing changed shows, until one finds it. The
nightly workflow plays others each night, and a release some of its own. Here ${played.length} were played, ${runs} runs each
at most. Named: the report says by whose output the model was first contradicted, and it was that of the changed part or of
one that runs its code.${again ? ` Of those that were found ${again} lived at first, and showed what judge and loads lacked.` : ''}

${markdownTable(
  ['Part', 'Played', 'Found', 'Named', 'Lived with a reason', 'Lived without', 'Never reached'],
  [
    ...parts.map((part) =>
      row(
        part,
        played.filter((each) => each.part === part),
      ),
    ),
    row('all', played),
  ],
)}

## Those that lived

One without a reason is work that is left.

${markdownTable(
  ['Place', 'Change', 'Reason'],
  lived.map((each) => [
    `\`${each.id}\``,
    `\`${short(each.from)}\` → \`${short(each.to)}\``,
    reasonToLive(each) ?? '',
  ]),
)}
`
}

const short = (code: string) => code.replaceAll(/\s+/g, ' ').replaceAll('`', "'").slice(0, 90)
