import { join } from 'node:path'
import { ANVIL_VERSION } from '#suites/gate/anvil/anvil-version'
import {
  type ConformanceCase,
  loadExpectations,
  matchesId,
  selectCases,
} from '#suites/gate/conformance/index'
import { markdownTable } from './markdown-table.ts'
import { ruleLink } from './rules-page.ts'
import { ROOT } from './source-tree.ts'

const FILE = 'suites/gate/anvil/known-failures.yaml'

/** What no case asks for, because the spec does not; each with the reason. */
const NOT_JUDGED: readonly (readonly [what: string, why: string])[] = [
  ['A request with a member that JSON-RPC does not know is refused.', 'Open: OPEN-01.'],
  [
    'An id that is a fraction is refused.',
    'The spec has numbers for ids and no word on fractions (OPEN-01).',
  ],
  [
    'Blocks have one more member, `totalDifficulty`.',
    'RPC-BLK-03 says what must be there, not what may not.',
  ],
  [
    'stateRoot of block 0 is that of no accounts, and that of the pending block is zero.',
    'Roots of block 0 cannot be made again from reads alone; OPEN-07 leaves those of pending open.',
  ],
  [
    '`safe` and `finalized` follow `latest` at a fixed distance.',
    'What L1 says is not to be seen in the answers of one node (OPEN-10).',
  ],
  [
    'Tags may be in upper case, heights may have leading zeros.',
    'Open: OPEN-11; we allow it, too.',
  ],
  [
    'State reads above the head are -32602; a halt that is no revert is -32603.',
    'The spec names the code of a revert alone (OPEN-02).',
  ],
  [
    'Trailing nulls in topics match logs with fewer topics.',
    'RPC-FLT-11 lets null stand for whatever is there, and for nothing says no rule.',
  ],
  [
    'A range that begins above the head is an error; one of 5,000 blocks is answered.',
    'Open: OPEN-16; LIM-02 allows a limit and asks for none.',
  ],
  [
    'Without fees a call sees the true BASEFEE; gasPrice may stand beside maxFeePerGas.',
    'Open: OPEN-26.',
  ],
  ['A simulated creation, without `to`, is refused.', 'Open: OPEN-24.'],
  [
    'A simulated header names the base fee of its base, while BASEFEE is 0 in the call.',
    'RPC-SIM-29 asks for the form of the member alone.',
  ],
  [
    'With validation a fee below the base fee passes, and numbers with gaps get no blocks between.',
    'RPC-SIM-10 and -11 are about nonce and balance; gaps are open (OPEN-32).',
  ],
  [
    'Predeploys, L1 fees and deposits are missing in OP mode.',
    'The spec of reads has none of them.',
  ],
]

/** docs/anvil.md: where a bare anvil answers otherwise than the spec, from its known failures. */
export async function anvilPage(): Promise<string> {
  const rows = (await loadExpectations(join(ROOT, FILE))).map(({ case: pattern, reason, link }) => {
    const cases = selectCases().filter(({ id }) => matchesId(id, pattern))
    return [
      link ? `${reason} [Issue](${link})` : reason,
      unique(cases.flatMap(({ rules }) => rules))
        .map(ruleLink)
        .join(', '),
      unique(cases.map(({ level = 'must' }) => level)).join(', '),
      unique(cases.flatMap(profilesOf)).join(', '),
      cases.map(({ id }) => `\`${id}\``).join('<br>'),
    ]
  })
  const columns = ['What anvil does', 'Rules', 'Level', 'Profiles', 'Cases']
  return `# anvil and the spec

Where a bare anvil ${ANVIL_VERSION} answers otherwise than the spec says, with and without \`--optimism\`.
The list is \`${FILE}\`, an expectations file that a test holds against the gate:

\`\`\`
anvil --block-time 2
rollbed conform --rpc http://127.0.0.1:8545 --ws ws://127.0.0.1:8545 --driver devnet --expect ${FILE}
\`\`\`

Give anvil a block time: without one it seals each transaction at once, so that nothing is ever
pre-confirmed and most cases that need a history cannot be judged.

## Known failures

${markdownTable(columns, rows)}

## Not judged

Other things that anvil does differently from nodes of Base, and why no case fails on them.

${markdownTable(
  ['What anvil does', 'Why it is not judged'],
  NOT_JUDGED.map((row) => [...row]),
)}
`
}

const profilesOf = ({ profiles = ['spec', 'base'] }: ConformanceCase) => profiles

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
