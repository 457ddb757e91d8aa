/** Who makes what a client can see, as a report names whoever is guilty. */
export const PART_NAMES = [
  'batcher',
  'sequencer',
  'mempool',
  'derivation',
  'safe head',
  'prover host',
  'enclave',
  'registrar',
  'proposer',
  'challenger',
  'builder codes',
  'kept chain',
  'node',
  'L1',
] as const
export type PartName = (typeof PART_NAMES)[number]
