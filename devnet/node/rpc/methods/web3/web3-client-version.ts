import manifest from '../../../../../package.json' with { type: 'json' }
import type { NodeMethod } from '../../node-rpc.ts'

/** `web3_clientVersion []` */
export const web3ClientVersion: NodeMethod = () =>
  `${manifest.name}/v${manifest.version}/${process.platform}-${process.arch}/node${process.versions.node}`
