import { PROFILE_DIFFERENCES } from '#devnet/l2/node/rpc/profile-differences'
import { DEPARTURES } from './departures.ts'
import { markdownTable } from './markdown-table.ts'

/** docs/profiles.md: where profile `base` answers otherwise than profile `spec`. */
export function profilePage(): string {
  const rows = Object.entries(PROFILE_DIFFERENCES).map(([name, row]) => [
    `\`${name}\``,
    row.about,
    String(row.spec),
    String(row.base),
    row.rules.join(', '),
  ])
  const departures = DEPARTURES.map(({ rule, open, instead }) => [
    `[${rule}](rules.md#${rule.toLowerCase()})`,
    `[${open}](rules.md#${open.toLowerCase()})`,
    instead,
  ])
  return `# Profiles

\`rollbed up --profile spec\` (the default) answers as the two specifications say ([*Node RPC and builder codes*, *TEE prover*](rules.md)), to the letter;
\`--profile base\` as nodes of Base did before the Denim upgrade. Both are always there on the same port:
\`/spec\` and \`/base\`, and \`/plain\`, which is \`/base\` without pre-confirmations. These are all the
differences. A chain that crosses Denim answers as \`base\` at \`/\` too, has no \`/spec\`, and refuses
\`--profile spec\`.

${markdownTable(['Difference', 'What', 'spec', 'base', 'Rules'], rows)}

## Decisions that depart from a rule's own check

Each rule of the [catalogue](rules.md) has a check. Profile \`spec\` does as it says, but for these:

${markdownTable(['Rule', 'Decided for', 'Instead'], departures)}

## Clients

The spec gives the pending block no \`number\` and no \`hash\`. viem reads such a block. ethers
(\`getBlock('pending')\`) and Foundry (\`cast block pending\`) insist on a number: give them
\`/base\`, which is the path for people ([clients](clients.md)).

\`cast send\` takes the nonce at \`latest\`, and has its receipt before the block is sealed: for two
transactions within a block give \`--nonce $(cast nonce ADDRESS --block pending)\`.
`
}
