import { challengerPart, proposerPart, registrarPart } from './actor-parts.ts'
import { batcherPart } from './batcher-part.ts'
import { hostPart } from './host-part.ts'
import { nodePart } from './node-part.ts'
import { nodeRpcPart } from './node-rpc-part.ts'
import { rollupRpcPart } from './rollup-rpc-part.ts'
import { safeHeadPart } from './safe-head-part.ts'

/** What asks over links: all of a rollup but L1, the enclaves and the builder-code API. */
export const PARTS = {
  node: nodePart,
  nodeRpc: nodeRpcPart,
  safeHead: safeHeadPart,
  rollupRpc: rollupRpcPart,
  batcher: batcherPart,
  host: hostPart,
  registrar: registrarPart,
  proposer: proposerPart,
  challenger: challengerPart,
}
