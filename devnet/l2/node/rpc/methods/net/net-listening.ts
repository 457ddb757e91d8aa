import type { NodeMethod } from '../../node-rpc.ts'

/** `net_listening`: true, as nodes say that take part in a network. */
export const netListening: NodeMethod = () => true
