import type { ChainName } from '#devnet/index'
import type { Claim, Profile } from '../conformance/index.ts'

/** Something that the board judges each week. */
export interface BoardTarget {
  name: string
  /** Of npm, with its version; absent for our own node. */
  package?: string
  /** The command of the package that starts a node on a port. */
  command?: (port: string) => readonly string[]
  /** Of our own node: the path that it is judged at. */
  path?: string
  /** Of our own node: the chain that it makes. Default: that of the specification. */
  chain?: ChainName
  profile?: Profile
}

/** What a target is judged as. Nothing is excused on the board: a node is judged as what one can ask it. */
export function claimsOf({ profile }: BoardTarget): Claim[] {
  return profile === 'today' ? ['reads', 'today'] : ['reads', 'pending', 'streams']
}

/** The accounts that the gate drives chains by. */
const MNEMONIC = 'test test test test test test test test test test test junk'
/** Seconds from block to block. */
const BLOCK_TIME = '2'

/** Beside its package, for Hardhat. */
export const HARDHAT_CONFIG = `export default { networks: { op: {
  type: 'edr-simulated', chainType: 'op', accounts: { mnemonic: '${MNEMONIC}' },
  mining: { auto: false, interval: ${BLOCK_TIME}000 },
} } }
`

const anvil = (version: string): BoardTarget => ({
  name: `anvil-${version}`,
  package: `@foundry-rs/anvil@${version}`,
  command: (port) => ['anvil', '--port', port, '--block-time', '1'],
})
const hardhat = (version: string): BoardTarget => ({
  name: `hardhat-${version}`,
  package: `hardhat@${version}`,
  command: (port) => ['hardhat', 'node', '--network', 'op', '--port', port],
})
const ganache = (version: string): BoardTarget => ({
  name: `ganache-${version}`,
  package: `ganache@${version}`,
  command: (port) => ['ganache', '-p', port, '-m', MNEMONIC, '-b', BLOCK_TIME],
})

/** What one can install, in several versions, and the profiles of our own node. */
export const BOARD_TARGETS: readonly BoardTarget[] = [
  ...['1.7.1', '1.7.0', '1.5.1'].map(anvil),
  ...['3.18.0', '3.17.0'].map(hardhat),
  ...['7.9.2', '7.9.1'].map(ganache),
  { name: 'rollbed-spec', path: '', profile: 'spec' },
  { name: 'rollbed-base', path: '/base', profile: 'base' },
  { name: 'rollbed-plain', path: '/plain', profile: 'spec' },
  { name: 'rollbed-today', path: '', chain: 'today', profile: 'today' },
]

/** A target by its name. @throws RangeError */
export function boardTarget(name: string | undefined): BoardTarget {
  const names = BOARD_TARGETS.map((each) => each.name)
  const found = BOARD_TARGETS.find((each) => each.name === name)
  if (!found) throw new RangeError(`The board has no target ${name}, only ${names.join(', ')}.`)
  return found
}
