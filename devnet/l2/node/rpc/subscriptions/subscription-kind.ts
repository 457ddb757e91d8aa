import type { ChainView } from '../../chain-view.ts'
import type { NodeRpc } from '../node-rpc.ts'

/**
 * One kind of `eth_subscribe`: begins to send and returns what stops it.
 * @throws JsonRpcError -32602 for options it does not understand
 */
export type SubscriptionKind = (
  rpc: NodeRpc,
  options: unknown,
  emit: (result: unknown) => void,
  /** Of the chain, in this subscriber's turn. */
  on: ChainView['on'],
) => () => void
