import type { FaultPlan } from '#devnet/faults/fault-plan'
import { CHECKERS } from '#suites/weather/judge-log'
import { allStories } from '#suites/weather/stories/all-stories'
import type { Story } from '#suites/weather/stories/story'
import { markdownTable } from './markdown-table.ts'

/** docs/weather.md: the named stories, and what must hold in each of them. */
export function weatherPage(): string {
  const rows = allStories.map((story) => [
    `\`${story.name}\``,
    [story.story, rulesOf(story)].filter(Boolean).join('\n'),
    faultsOf(story.plan),
    loadOf(story.plan),
    story.bodies.join(', '),
  ])
  return `# Named weather

\`rollbed fault run NAME\` plays one of these stories: it starts a world, lets the faults come over it while
clients load it, and judges the log. \`--real\` takes processes and the wall clock where the last column
says so, \`--seed\` another load. [Faults](faults.md) has the words.

Each ends with a liveness phase: the faults are over, and a read, a transaction, a builder code, all codes
told before, the safe head, a proof where proofs are part of the load, and a game where somebody lied
about one are tried until each of them works, for a minute at most.

## What must hold in all of them

${markdownTable(
  ['Sentence', 'By name'],
  CHECKERS.map(({ name, says }) => [says, `\`${name}\``]),
)}

## The stories

Times are milliseconds from the start; load is for a minute.

${markdownTable(['Name', 'Story', 'Faults', 'Load', 'Where'], rows)}
`
}

const rulesOf = ({ rules }: Story) => rules.join(', ')

function faultsOf({ faults }: FaultPlan): string {
  return faults
    .map(({ at = 0, when, until, target, fault, with: parameters }) => {
      const from = when ? `after \`${when}\`${at ? ` + ${at}` : ''}` : `${at}`
      const time = until === undefined ? from : `${from} to ${when ? `+ ${until}` : until}`
      return `${time}: \`${target}\` ${fault}${parameters ? ` ${JSON.stringify(parameters)}` : ''}`
    })
    .join('\n')
}

function loadOf({ load, duration, world }: FaultPlan): string {
  const used = Object.entries(load).filter(([, rate]) => rate > 0)
  const { sequencerWindow, actors } = world
  return [
    `${duration} ms`,
    ...used.map(([name, rate]) => `${name} ${rate}`),
    ...(sequencerWindow ? [`a sequencing window of ${sequencerWindow} L1 blocks`] : []),
    ...(actors ? ['with actors'] : []),
  ].join(', ')
}
