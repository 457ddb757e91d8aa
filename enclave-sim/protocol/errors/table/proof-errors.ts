import { errorRows } from './error-row.ts'

/** Proofs and journals: numbers from 700 on. */
export const PROOF_ERRORS = errorRows({
  RANGE_INVALID: { number: 701, title: 'These are no blocks to prove' },
  BLOCK_UNKNOWN: {
    number: 702,
    title: 'The node does not have the block',
    action: 'Choose a block that is there.',
  },
  SAFE_HEAD_TIMEOUT: { number: 703, title: 'The range did not become safe' },
  CHAIN_DIVERGED: {
    number: 704,
    title: 'The chain left L1 by a cheat',
    action: 'Prove a block before the cheat, or start another devnet.',
  },
  CLAIM_UNREACHABLE: { number: 705, title: 'Derivation does not reach the claimed block' },
  INVALID_CLAIM: {
    number: 706,
    title: 'The claimed root is wrong',
    action: 'Claim the root that the message computes, if the witness is of the right chain.',
  },
  TRACE_EXTENSION: {
    number: 707,
    title: 'The claimed block is the agreed one',
    action: 'Claim a later block.',
  },
  AGREED_ROOT_INVALID: {
    number: 708,
    title: 'The agreed root does not fit its preimage',
    action: 'Build the witness again for this range.',
  },
  L1_HEAD_INVALID: {
    number: 709,
    title: 'The L1 head has another number',
    action: 'Give number and hash of one L1 block.',
  },
  UNSUPPORTED_CHAIN: {
    number: 710,
    title: 'The program knows no such chain',
    action: 'Use an image that has the chain in its table.',
  },
  BOOT_VALUE_MALFORMED: {
    number: 711,
    title: 'A boot value has the wrong size',
    action: "Build the witness again with this version's host.",
  },
  PREIMAGE_MISSING: { number: 712, title: 'A preimage is missing' },
  PREIMAGE_MISMATCH: {
    number: 713,
    title: 'A preimage does not hash to its key',
    action: 'Build the witness again: the source of the state is broken or lies.',
  },
  PREIMAGE_KEY_INVALID: { number: 714, title: 'A key is no preimage key' },
  PREIMAGE_UNVERIFIABLE: { number: 715, title: 'A preimage cannot be verified' },
  STATE_UNAVAILABLE: { number: 716, title: 'The L2 node does not give the state' },
  PAYLOAD_WITNESS_UNSUPPORTED: { number: 717, title: 'The L2 node makes no witness' },
  INTERVAL_ZERO: {
    number: 718,
    title: 'The interval of roots is zero',
    action: 'Ask for an interval of 1 or more.',
  },
  NO_BLOCKS: {
    number: 719,
    title: 'There is nothing to sign',
    action: 'Ask for a range of at least one block.',
  },
  BROKEN_RANGE: {
    number: 720,
    title: 'Blocks to sign do not follow each other',
    action: 'Ask for consecutive blocks.',
  },
  JOURNAL_INVALID: { number: 721, title: 'Bytes are no journal' },
  SIGNER_KEY_INVALID: {
    number: 722,
    title: "The signer's key is no key",
    action: 'Give 32 bytes of a secp256k1 key.',
  },
  ENCLAVE_BUSY: {
    number: 723,
    title: 'The enclave proves already',
    action: 'Wait for the proof that runs.',
  },
  ENCLAVE_FAILURE: {
    number: 724,
    title: 'The enclave refused a proof',
    action: "The message says why; the host's log says of which range.",
  },
  HOST_CONFIG_INVALID: { number: 725, title: 'The prover host is told what cannot be' },
  PROOF_UNEXPECTED: { number: 726, title: 'A proof is of something else' },
  PROOF_RESULT_INVALID: { number: 727, title: 'JSON is no proof result' },
  PROVER_ANSWER_MALFORMED: {
    number: 728,
    title: "An answer is no prover's",
    action: 'Check the prover URL.',
  },
})
