import { AFTERWARDS_MUTANTS } from './afterwards-mutants.ts'
import { ATTESTATION_MUTANTS } from './attestation/attestation-mutants.ts'
import { ATTRIBUTION_MUTANTS } from './attribution-mutants.ts'
import { BESIDE_MUTANTS } from './beside-mutants.ts'
import { BLIND_ANSWER_MUTANTS } from './blind-answer-mutants.ts'
import { BLIND_READ_MUTANTS } from './blind-read-mutants.ts'
import { BLOCK_MUTANTS } from './blocks/block-mutants.ts'
import { EACH_THIRD_BLOCK_MUTANTS } from './blocks/each-third-block-mutants.ts'
import { BUILDER_CODE_MUTANTS } from './builder-codes/builder-code-mutants.ts'
import { CALLER_MUTANTS } from './caller-mutants.ts'
import { CHANGED_CONTRACT_MUTANTS } from './changed-contract-mutants.ts'
import { CORNER_MUTANTS } from './corner-mutants.ts'
import { CROWD_MUTANTS } from './crowd-mutants.ts'
import { EDGE_MUTANTS } from './edge-mutants.ts'
import { ENCLAVE_BOOT_MUTANTS } from './enclave/enclave-boot-mutants.ts'
import { LOCAL_MODE_MUTANTS } from './enclave/local-mode-mutants.ts'
import { ENCLAVE_MUTANTS } from './enclave-mutants.ts'
import { ENVELOPE_MUTANTS } from './envelope/envelope-mutants.ts'
import { HOST_MUTANTS } from './host/host-mutants.ts'
import { HOST_START_MUTANTS } from './host/host-start-mutants.ts'
import { JOURNAL_MUTANTS } from './journal-mutants.ts'
import { LOG_MUTANTS } from './logs/log-mutants.ts'
import type { Mutant } from './mutant.ts'
import { OVERLOOKED_HOST_MUTANTS } from './overlooked-host-mutants.ts'
import { OVERLOOKED_MUTANTS } from './overlooked-mutants.ts'
import { OVERLOOKED_WIRE_MUTANTS } from './overlooked-wire-mutants.ts'
import { PENDING_MUTANTS } from './pending/pending-mutants.ts'
import { UNANSWERED_MUTANTS } from './pending/unanswered-mutants.ts'
import { PROOF_REQUEST_MUTANTS } from './proofs/proof-request-mutants.ts'
import { PROVER_MUTANTS } from './proofs/prover-mutants.ts'
import { RARE_MUTANTS } from './rare-mutants.ts'
import { RARE_STREAM_MUTANTS } from './rare-stream-mutants.ts'
import { SEAM_MUTANTS } from './seam-mutants.ts'
import { SECOND_LOOK_MUTANTS } from './second-look-mutants.ts'
import { SEVENTH_MUTANTS } from './seventh-mutants.ts'
import { SIMULATE_MUTANTS } from './simulate/simulate-mutants.ts'
import { SPELLING_MUTANTS } from './spelling-mutants.ts'
import { CALL_MUTANTS } from './state/call-mutants.ts'
import { SELECTOR_MUTANTS } from './state/selector-mutants.ts'
import { STORAGE_MUTANTS } from './state/storage-mutants.ts'
import { STRANGER_MUTANTS } from './stranger-mutants.ts'
import { STREAM_MUTANTS } from './streams/stream-mutants.ts'
import { TODAY_MUTANTS } from './today-mutants.ts'
import { UNSENT_MUTANTS } from './unsent-mutants.ts'
import { UNTHOUGHT_MUTANTS } from './unthought-mutants.ts'
import { UNUSUAL_MUTANTS } from './unusual-mutants.ts'
import { VERIFIER_MUTANTS } from './verifier-mutants.ts'

/** Every mutant. A conformance suite that lets one live does not check that rule. */
export const ZOO: readonly Mutant[] = [
  ...ENVELOPE_MUTANTS,
  ...SELECTOR_MUTANTS,
  ...BLOCK_MUTANTS,
  ...PENDING_MUTANTS,
  ...EACH_THIRD_BLOCK_MUTANTS,
  ...LOG_MUTANTS,
  ...CALL_MUTANTS,
  ...SIMULATE_MUTANTS,
  ...STORAGE_MUTANTS,
  ...STREAM_MUTANTS,
  // After each area's own: who takes one of an area takes one that is wrong at every look.
  ...RARE_MUTANTS,
  ...RARE_STREAM_MUTANTS,
  ...CHANGED_CONTRACT_MUTANTS,
  ...UNUSUAL_MUTANTS,
  ...CROWD_MUTANTS,
  ...SEAM_MUTANTS,
  ...STRANGER_MUTANTS,
  ...SEVENTH_MUTANTS,
  ...EDGE_MUTANTS,
  ...OVERLOOKED_MUTANTS,
  ...UNANSWERED_MUTANTS,
  ...UNSENT_MUTANTS,
  ...SPELLING_MUTANTS,
  ...BESIDE_MUTANTS,
  ...BLIND_READ_MUTANTS,
  ...BLIND_ANSWER_MUTANTS,
  ...SECOND_LOOK_MUTANTS,
  ...BUILDER_CODE_MUTANTS,
  ...ATTRIBUTION_MUTANTS,
  ...PROVER_MUTANTS,
  ...PROOF_REQUEST_MUTANTS,
  ...JOURNAL_MUTANTS,
  ...VERIFIER_MUTANTS,
  ...ATTESTATION_MUTANTS,
  ...ENCLAVE_MUTANTS,
  ...ENCLAVE_BOOT_MUTANTS,
  ...LOCAL_MODE_MUTANTS,
  ...HOST_START_MUTANTS,
  ...HOST_MUTANTS,
  ...OVERLOOKED_HOST_MUTANTS,
  ...OVERLOOKED_WIRE_MUTANTS,
  ...CORNER_MUTANTS,
  ...UNTHOUGHT_MUTANTS,
  ...AFTERWARDS_MUTANTS,
  ...CALLER_MUTANTS,
  ...TODAY_MUTANTS,
]
