import { z } from 'zod'
import { FAULTS, type FaultKind } from '#devnet/faults/fault-catalogue'
import { FAULT_TARGETS } from '#devnet/faults/fault-targets'
import { markdownTable } from './markdown-table.ts'

/** docs/faults.md: what can be put on what. */
export function faultsPage(): string {
  const targets = Object.entries(FAULT_TARGETS).map(([name, says]) => [`\`${name}\``, says])
  const faults = Object.entries<FaultKind>(FAULTS).map(([name, { on, says, with: schema }]) => [
    `\`${name}\``,
    on.join(', '),
    says,
    parameters(schema),
  ])
  return `# Faults

A devnet that was started for it takes faults, from a plan or one by one:

\`\`\`
rollbed up --faults plan.json                                         # a plan, from the start
rollbed up --faults none                                              # proxies in place, no plan
rollbed fault inject link:host-l1 latency --with latency=500 jitter=100
rollbed fault clear
\`\`\`

[Named stories](weather.md) are played in a world that is started for them, and judged by its log alone:

\`\`\`
rollbed fault list
rollbed fault run everything-at-once --out weather   # exit 1 and a line to repeat it by
rollbed fault run everything-at-once --real          # the same with processes and the wall clock
rollbed fault judge weather/events.ndjson
\`\`\`

\`--explore 20\` branches: each run that comes to a state first is a root, and every second run is a future of the
root whose state fewest runs have reached: the same beginning until that moment, then other faults, twenty futures
of each; then the next run that comes there is one. What takes two rare things in a row needs each of them once
then, and not both in one run by chance. \`coverage.html\` in \`--out\` is the picture of what was met: each fault by
each state, and which never met.

\`--out\` has reports in every format, and the log: one event a line, \`{t, who, what, data}\`, \`t\` in
milliseconds.

## Swarms

\`rollbed fault swarm\` plays random faults under random load, and ends with exit 1 at the first run
that breaks what must hold (\`--go-on\`: it goes on). That run is then shrunk: fewer faults, less load,
plainer faults and less time, as long as the same sentence is broken. The last line plays what is left.

\`\`\`
rollbed fault swarm --runs 100 --seed 1 --out weather
rollbed fault swarm --runs 100 --seed 1 --shard 0/4   # the first of four parts
rollbed fault swarm --runs 5 --real                   # with processes and the wall clock
rollbed fault swarm --upgrades azul=genesis,denim=+10s # every run crosses to blocks of 200 ms
rollbed fault swarm --runs 400 --explore 20             # branches from what came to something first
rollbed fault run --plan weather/shrunk.json          # or the JSON itself, as the last line has it
rollbed fault shrink weather/plan.json                # what a swarm with --no-shrink left as it was
\`\`\`

Each run has a seed of its own, which lets one run of four cross to [blocks of 200 ms](todays-base.md), switches half of the kinds of faults off, and some parts of the
load. What the runs before it met rarely is drawn more: faults, and states such as an enclave that
dies between comparing and signing. So a plan depends on the runs before it, and the same \`--runs\`,
\`--seed\` and \`--shard\` draw the same plans. At the end stands what no run has reached: that is a
finding, too.

\`--out\` has reports in the seven formats of the gate, the HTML one with a timeline of each run that
failed: parts, faults, latencies, heads. Beside them stand the log (\`events.ndjson\`), the plan and the
shrunk plan; \`rollbed fault replay weather/shrunk.json --until 9000\` looks into the world at that
moment, and with \`--branch\` goes on from it without the faults. \`rollbed fault why weather/shrunk.json\`
says since when the failure could not be avoided any more: futures with other faults are played from
ever other moments, and it says how many of them fail. \`rollbed report merge\` makes one
report of the parts.

Parts of a swarm in a CI matrix (GitHub Actions):

\`\`\`yaml
strategy:
  fail-fast: false
  matrix: { shard: [0, 1, 2, 3] }
steps:
  - run: npx rollbed fault swarm --runs 400 --seed \${{ github.run_number }}000 --shard \${{ matrix.shard }}/4 --out weather
  - if: always()
    uses: actions/upload-artifact@v4
    with: { name: 'weather-\${{ matrix.shard }}', path: weather }
\`\`\`

In a Kubernetes Indexed Job the shard is \`JOB_COMPLETION_INDEX\`, which Kubernetes sets, of
\`JOB_COMPLETIONS\`, which the manifest sets. [A farm](farm.md) remembers what it found, plays that first
the next time, and goes on for hours; its page has the manifest.

## Plans

A plan is data: what clients do, what goes wrong and when, and what world it is made for (\`world\`:
seconds between blocks, actors, when upgrades of Base come). Its schema is \`fixtures/faults/plan.schema.json\`:

\`\`\`json
{
  "seed": 7,
  "duration": 30000,
  "load": { "transfers": 60, "proofs": 2 },
  "faults": [
    { "at": 2000, "until": 9000, "target": "link:host-l1", "fault": "latency", "with": { "latency": 800 } },
    { "when": "enclave.16 proving", "target": "process:enclave.16", "fault": "kill" }
  ]
}
\`\`\`

## Targets

\`*\` is the CID of an enclave; the first is 16.

${markdownTable(['Target', 'What it is'], targets)}

## Faults

${markdownTable(['Fault', 'On', 'What happens', 'Told'], faults)}
`
}

interface Described {
  properties?: Record<string, { default?: unknown; description?: string }>
}

function parameters(schema: z.ZodObject): string {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as Described
  return Object.entries(properties)
    .map(([name, { default: standard, description }]) => {
      return `\`${name}\` (${JSON.stringify(standard)}): ${description}`
    })
    .join('\n')
}
