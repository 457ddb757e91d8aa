import { challengerPart, proposerPart, registrarPart } from './actor-parts.ts'
import { apiPart } from './api-part.ts'
import { batcherPart } from './batcher-part.ts'
import { enclaveParts } from './enclave-part.ts'
import { hostPart } from './host-part.ts'
import { nodePart } from './node-part.ts'
import { nodeRpcPart } from './node-rpc-part.ts'
import { rollupRpcPart } from './rollup-rpc-part.ts'
import { safeHeadPart } from './safe-head-part.ts'

/** All of a rollup but L1. */
export const PARTS = {
  api: apiPart,
  node: nodePart,
  nodeRpc: nodeRpcPart,
  safeHead: safeHeadPart,
  rollupRpc: rollupRpcPart,
  batcher: batcherPart,
  enclaves: enclaveParts,
  host: hostPart,
  registrar: registrarPart,
  proposer: proposerPart,
  challenger: challengerPart,
}
