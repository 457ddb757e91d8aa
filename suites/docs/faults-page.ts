import { z } from 'zod'
import { FAULTS, type FaultKind } from '../../devnet/faults/fault-catalogue.ts'
import { FAULT_TARGETS } from '../../devnet/faults/fault-targets.ts'
import { markdownTable } from './markdown-table.ts'

/** docs/faults.md: what can be put on what. */
export function faultsPage(): string {
  const targets = Object.entries(FAULT_TARGETS).map(([name, says]) => [`\`${name}\``, says])
  const faults = Object.entries<FaultKind>(FAULTS).map(([name, { on, says, with: told }]) => [
    `\`${name}\``,
    on.join(', '),
    says,
    parameters(told),
  ])
  return `# Faults

A devnet that was started for it takes faults, from a plan or one by one:

\`\`\`
rollbed up --faults plan.json                                         # a plan, from the start
rollbed up --faults none                                              # proxies in place, no plan
rollbed fault inject link:host-l1 latency --with latency=500 jitter=100
rollbed fault clear
\`\`\`

Named stories are played in a world that is started for them, and judged by its log alone:

\`\`\`
rollbed fault list
rollbed fault run everything-at-once --out weather   # exit 1 and a line to repeat it by
rollbed fault run everything-at-once --real          # the same with processes and the wall clock
rollbed fault judge weather/events.ndjson
\`\`\`

\`--out\` has reports in every format, and the log: one event a line, \`{t, who, what, data}\`, \`t\` in
milliseconds.

A plan is data; its schema is \`fixtures/faults/plan.schema.json\`:

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

function parameters(told: z.ZodObject): string {
  const { properties = {} } = z.toJSONSchema(told, { io: 'input' }) as Described
  return Object.entries(properties)
    .map(([name, { default: standard, description }]) => {
      return `\`${name}\` (${JSON.stringify(standard)}): ${description}`
    })
    .join('\n')
}
