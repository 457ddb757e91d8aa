import manifest from '../../../../../../package.json' with { type: 'json' }
import type { NodeMethod } from '../../node-rpc.ts'

const OURS = `${manifest.name}/v${manifest.version}/${process.platform}-${process.arch}/node${process.versions.node}`

/**
 * `web3_clientVersion []`. Where no pre-confirmations are shown it begins with `anvil`: Hardhat's network
 * helpers serve a chain that can be cheated by no other sign.
 */
export const web3ClientVersion: NodeMethod = ({ preconfirmations }) =>
  preconfirmations ? OURS : `anvil-compatible/${OURS}`
