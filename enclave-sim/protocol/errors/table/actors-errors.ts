import { errorRows } from './error-row.ts'

/** Proposer, challenger, registrar, audit: numbers from 900 on. */
export const ACTORS_ERRORS = errorRows({
  ACTOR_FAILED: {
    number: 901,
    title: 'An actor failed',
    action: "The message is the failure's own.",
  },
  ACTOR_STOPPED: {
    number: 902,
    title: 'An actor was stopped',
    action: 'Nothing: somebody asked for it.',
  },
  ANCHOR_DISAGREES: { number: 903, title: 'The anchor is of another chain' },
  NO_GAME_IMPLEMENTATION: { number: 904, title: 'The factory has no such game' },
  DISPUTE_IMPOSSIBLE: { number: 905, title: 'A game cannot be disputed' },
  L2_INCONSISTENT: { number: 906, title: 'The L2 node contradicts itself' },
  SIGNER_NOT_VALID: { number: 907, title: 'A proof has no valid signer' },
  SIGNER_REFUSED: {
    number: 908,
    title: 'A signer is not registered',
    action: 'The message says what its attestation lacks.',
  },
  SIGNER_KEY_MALFORMED: {
    number: 909,
    title: 'A host gives a malformed key',
    action:
      'Look at the host: a public key has 65 bytes, begins with 04, and is a point of secp256k1.',
  },
  SIGNATURE_V_INVALID: {
    number: 910,
    title: 'A signature has no such v',
    action: 'Check the prover: v is 0, 1, 27 or 28.',
  },
  SIMULATED_ROOT_REFUSED: { number: 911, title: 'A simulated root is trusted on devnets alone' },
  NO_HOSTS: {
    number: 912,
    title: 'A registrar has no host',
    action: 'Give it at least one --prover URL.',
  },
  NO_ATTESTATION: {
    number: 913,
    title: 'A host gave no attestation',
    action: 'Look whether its enclaves run: /healthz of the host names them.',
  },
  ZK_PROOF_REQUIRED: { number: 914, title: 'The registry wants a ZK proof' },
  ROLLUP_ANSWER_MALFORMED: {
    number: 915,
    title: "An answer is no rollup node's",
    action: 'Check the URL of the rollup node.',
  },
  CALLDATA_INVALID: { number: 916, title: 'Calldata submits no signature' },
  CONTRACT_NEEDED: { number: 917, title: 'It is not said for which contract' },
  NO_SUCH_TRANSACTION: { number: 918, title: 'L1 knows no such transaction' },
  RPC_REFUSED: {
    number: 919,
    title: 'A node refuses a call',
    action: "The message has the node's own words.",
  },
  RPC_TIMEOUT: {
    number: 920,
    title: 'A node did not answer in time',
    action: "Check that the node runs; raise the actor's timeout where it is only slow.",
  },
  RPC_UNREACHABLE: { number: 921, title: 'A node does not answer' },
})
