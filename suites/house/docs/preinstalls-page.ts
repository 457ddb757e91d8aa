import { getAddress, keccak256 } from 'viem'
import { loadPreinstalls } from '#fixtures/preinstalls/load-preinstalls'
import { markdownTable } from './markdown-table.ts'

/** The contracts that everybody finds on Base, and where ours are from. */
export function preinstallsPage(): string {
  const rows = loadPreinstalls().map(({ name, address, code, from, licence }) => [
    name,
    `\`${getAddress(address)}\``,
    `\`${keccak256(code)}\``,
    `\`${from}\``,
    licence,
  ])
  return `# Contracts that are there from the start

At genesis of L2, at the addresses that they have on Base, so that viem's and wagmi's multicall, wallets,
bundlers and deployment tools find them. The code is what the npm packages hold; where they hold only
creation code it was run at its address. Permit2 and the entry point 0.8 keep the chain's id in their
code. With another \`--chain-id\` Permit2 gets other code, as in the genesis of OP chains, and the entry
point works it out at each call, as it does after a fork.

${markdownTable(['Contract', 'Address', 'Code hash', 'From', 'Licence'], rows)}

The predeploys of the OP stack (\`0x4200…\`), [the bridges and their factories](bridging.md) among them, and
the system contracts are beside them, and Arachnid's
deterministic deployment proxy \`0x4e59b44847b379578588920cA78FbF26c0B4956C\`.
\`npx node suites/oracles/preinstalls/write-preinstalls.ts\` fetches the packages and writes the file again.
`
}
