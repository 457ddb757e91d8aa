import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_accounts []`: the node holds no keys. */
export const ethAccounts: NodeMethod = () => []
