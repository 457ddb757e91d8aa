import { toEventSelector, toFunctionSelector } from 'viem'
import {
  compareInterfaces,
  type InterfaceComparison,
  type InterfaceRow,
} from '#suites/prover/contracts/compare-interfaces'
import { markdownTable } from './markdown-table.ts'

const behaviour = [
  [
    'Clones',
    "Both keep their arguments behind a proxy and log `ReceiveETH(uint256)` when ether comes without calldata. The event is the proxy's, so no ABI has it: topic `0x" +
      toEventSelector('ReceiveETH(uint256)').slice(2) +
      '`. The published proxy hands the arguments over behind the calldata, ours reads its own code: the code differs, the answers do not.',
  ],
  ['`BadExtraData`', 'Both revert with its four bytes, `0x9824bdab`, and name it in no ABI.'],
  [
    '`TEEProverRegistry.isValidSigner`',
    'Answers true for images of `setDevImage`, too. Nobody calls that unless you do.',
  ],
  [
    '`NITRO_VERIFIER`',
    "Has the published `verify` with its journal. It believes the signature of the devnet's registrar where the published one wants a ZK proof. `rollbed actors registrar` cannot make such a proof, and says so at a registry with another verifier.",
  ],
  ['`ZK_VERIFIER`', 'Accepts any bytes.'],
  [
    '`SystemConfig`',
    'Is its own `superchainConfig()`: `guardian()`, `paused()` and `paused(address)` answer there. `setPaused` is its switch.',
  ],
  [
    'OptimismPortal',
    'Its delay between proof and finalisation is 60 seconds. It holds, from block 0 on, more ether than L2 has at genesis.',
  ],
  [
    'Proxies',
    'There are none: an address is the implementation, and what `initialize` sets is immutable or set by the constructor.',
  ],
]

/** docs/contracts.md: our L1 contracts against the published ones, line by line. */
export function contractPage(): string {
  const comparisons = compareInterfaces()
  const counts = comparisons.map(({ ours, published, rows }) => [
    `[${ours}](#${ours.toLowerCase()})`,
    published,
    String(rows.filter((row) => row.published && row.ours).length),
    String(rows.filter((row) => row.published && !row.ours).length),
    String(rows.filter((row) => !row.published).length),
  ])
  return `# Contracts on L1

The contracts in \`devnet/l1/contracts\` are written from scratch after those of Base as they were before
schedule ids (July 2026, 8-byte block numbers in the journal). An actor that was written for those runs
against these. This page is made from a list of the published signatures and our compiled contracts; a
test asks that every difference has a reason.

${markdownTable(['Ours', 'Published', 'Same', 'Left out', 'Ours only'], counts)}

## What behaves otherwise

${markdownTable(['Where', 'How'], behaviour)}

## Storage

The slots of a game are the published ones. Elsewhere the published contracts stand behind proxies and
keep room for them; a test that writes with \`anvil_setStorageAt\` has to use the slots of this table
(\`slot:offset\`, offsets in bytes from the low end).

${markdownTable(['Contract', 'Variable', 'Published', 'Ours'], comparisons.flatMap(storageRows))}

${comparisons.map(section).join('\n\n')}
`
}

function storageRows({ ours, storage }: InterfaceComparison): string[][] {
  return storage
    .filter((row) => row.published !== row.ours)
    .map(({ variable, published, ours: own }) => [
      ours,
      `\`${variable}\``,
      published,
      own ?? 'not stored',
    ])
}

function section({ ours, published, rows }: InterfaceComparison): string {
  const lines = rows.map((row) => [
    `\`${row.signature}\``,
    selectorOf(row.signature),
    row.published ? '✓' : '',
    row.ours ? '✓' : '',
    row.reason?.why ?? '',
  ])
  const stands = ours === published ? '' : `\nStands for \`${published}\`.\n`
  return `## ${ours}\n${stands}\n${markdownTable(['Signature', 'Selector', 'Published', 'Ours', 'Why'], lines)}`
}

function selectorOf(signature: InterfaceRow['signature']): string {
  const [, kind, plain] = /^(function|error|event) (\w+\(.*?\))(?= |$)/.exec(signature) ?? []
  if (!plain) return ''
  const text = plain.replaceAll(' indexed', '')
  return kind === 'event'
    ? `\`${toEventSelector(text).slice(0, 10)}…\``
    : `\`${toFunctionSelector(text)}\``
}
