import type { NodeMethod } from '../../node-rpc.ts'

/** `debug_getBadBlocks`: none; this node only knows blocks it made itself. */
export const debugGetBadBlocks: NodeMethod = () => []
