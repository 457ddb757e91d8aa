import { TARGET_KINDS, type TargetKind } from './fault-catalogue.ts'

/**
 * What faults can be put on, by name. `*` stands for the CID of an enclave, as in
 * `process:enclave.16`.
 */
export const FAULT_TARGETS = {
  'link:client-l2': "users' connections to the L2 node, HTTP and WebSocket",
  'link:subscriber': 'WebSocket connections to the L2 node alone',
  'link:client-api': 'callers of the builder-code API',
  'link:client-l1': "users' connections to L1",
  'link:actor-host': 'callers of the prover host: proposer, challenger, registrar, users',
  'link:actor-rollup': 'callers of the rollup RPC',
  'link:actor-l1': "the actors' connections to L1",
  'link:node-l1': 'the sequencer, which reads L1 blocks',
  'link:safe-head-l1': 'derivation, which reads L1 blocks and batches',
  'link:batcher-l1': 'the batcher, which posts to L1',
  'link:host-l1': 'the prover host, which reads L1',
  'link:host-l2': 'the prover host, which reads L2',
  'link:host-beacon': 'the prover host, which reads blobs',
  'link:host-registry': 'the prover host, which asks the registry on L1 who may sign',
  'link:host-enclave.*': 'the prover host to one enclave: vsock',
  'process:l1': 'anvil',
  'process:node': 'the L2 node and its sequencer',
  'process:host': 'the prover host',
  'process:enclave.*': 'one enclave',
  'process:api': 'the builder-code API',
  'process:batcher': 'the batcher',
  'process:proposer': 'the proposer',
  'process:challenger': 'the challenger',
  'process:registrar': 'the registrar',
  'worker:calls': 'the threads that run calls and traces',
  'disk:api': "the builder-code API's database",
  'disk:state': "the node's store of blocks",
  'chain:l1': 'L1',
  'chain:l2': 'L2',
  'clock:node': "the node's clock",
  'clock:host': "the prover host's clock",
  'clock:registrar': "the registrar's clock, which judges certificates",
  'enclave:*': 'what one enclave answers',
  'registry:l1': 'what TEEProverRegistry answers',
} as const satisfies Record<string, string>

/** As in FAULT_TARGETS, with a CID for `*`. */
export type FaultTarget = string

/** A regular expression's source that takes every name. */
export const TARGET_PATTERN = `^(?:${Object.keys(FAULT_TARGETS)
  .map((name) => name.replaceAll('.', '\\.').replaceAll('*', '\\d{1,10}'))
  .join('|')})$`

const named = new RegExp(TARGET_PATTERN)

export const isFaultTarget = (name: string): boolean => named.test(name)

/** @param name one for which `isFaultTarget` */
export function kindOf(name: FaultTarget): TargetKind {
  return TARGET_KINDS.find((kind) => name.startsWith(`${kind}:`))!
}
