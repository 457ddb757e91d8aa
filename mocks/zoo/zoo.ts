import { ATTESTATION_MUTANTS } from './attestation/attestation-mutants.ts'
import { DOCUMENT_CONTENT_MUTANTS } from './attestation/document-content-mutants.ts'
import { DOCUMENT_REQUEST_MUTANTS } from './attestation/document-request-mutants.ts'
import { BLOCK_HEIGHT_MUTANTS } from './blocks/block-height-mutants.ts'
import { BLOCK_MUTANTS } from './blocks/block-mutants.ts'
import { BLOCK_TRANSACTION_MUTANTS } from './blocks/block-transaction-mutants.ts'
import { EACH_THIRD_BLOCK_MUTANTS } from './blocks/each-third-block-mutants.ts'
import { ATTRIBUTION_MUTANTS } from './builder-codes/attribution-mutants.ts'
import { BUILDER_CODE_MUTANTS } from './builder-codes/builder-code-mutants.ts'
import { REGISTRATION_ACCESS_MUTANTS } from './builder-codes/registration-access-mutants.ts'
import { REGISTRATION_RECORD_MUTANTS } from './builder-codes/registration-record-mutants.ts'
import { REGISTRATION_REQUEST_MUTANTS } from './builder-codes/registration-request-mutants.ts'
import { CALLER_MUTANTS } from './callers/caller-mutants.ts'
import { ENCLAVE_BOOT_MUTANTS } from './enclave/enclave-boot-mutants.ts'
import { ENCLAVE_MUTANTS } from './enclave/enclave-mutants.ts'
import { ENCLAVE_REQUEST_MUTANTS } from './enclave/enclave-request-mutants.ts'
import { LOCAL_MODE_MUTANTS } from './enclave/local-mode-mutants.ts'
import { MODULE_ANSWER_MUTANTS } from './enclave/module-answer-mutants.ts'
import { PREIMAGE_MUTANTS } from './enclave/preimage-mutants.ts'
import { REQUEST_BY_REQUEST_MUTANTS } from './enclave/request-by-request-mutants.ts'
import { ANSWER_FORM_MUTANTS } from './envelope/answer-form-mutants.ts'
import { BATCH_MUTANTS } from './envelope/batch-mutants.ts'
import { ENVELOPE_MUTANTS } from './envelope/envelope-mutants.ts'
import { EXCHANGED_MUTANTS } from './envelope/exchanged-mutants.ts'
import { ID_MUTANTS } from './envelope/id-mutants.ts'
import { REQUEST_SPELLING_MUTANTS } from './envelope/request-spelling-mutants.ts'
import { TRANSPORT_MUTANTS } from './envelope/transport-mutants.ts'
import { HOST_ANSWER_MUTANTS } from './host/host-answer-mutants.ts'
import { HOST_CHOICE_MUTANTS } from './host/host-choice-mutants.ts'
import { HOST_DOCUMENT_MUTANTS } from './host/host-document-mutants.ts'
import { HOST_HEALTH_MUTANTS } from './host/host-health-mutants.ts'
import { HOST_MUTANTS } from './host/host-mutants.ts'
import { HOST_ORDER_MUTANTS } from './host/host-order-mutants.ts'
import { HOST_REGISTRY_MUTANTS } from './host/host-registry-mutants.ts'
import { HOST_RELAY_MUTANTS } from './host/host-relay-mutants.ts'
import { HOST_RPC_MUTANTS } from './host/host-rpc-mutants.ts'
import { HOST_START_MUTANTS } from './host/host-start-mutants.ts'
import { HOST_TIMEOUT_MUTANTS } from './host/host-timeout-mutants.ts'
import { AGGREGATE_JOURNAL_MUTANTS } from './journal/aggregate-journal-mutants.ts'
import { JOURNAL_MUTANTS } from './journal/journal-mutants.ts'
import { JOURNAL_REQUEST_MUTANTS } from './journal/journal-request-mutants.ts'
import { VERIFIER_MUTANTS } from './journal/verifier-mutants.ts'
import { LOG_FILTER_MUTANTS } from './logs/log-filter-mutants.ts'
import { LOG_MEMBER_MUTANTS } from './logs/log-member-mutants.ts'
import { LOG_MUTANTS } from './logs/log-mutants.ts'
import { LOG_RANGE_MUTANTS } from './logs/log-range-mutants.ts'
import { PENDING_LOG_MUTANTS } from './logs/pending-log-mutants.ts'
import type { Mutant } from './mutant.ts'
import { PENDING_BLOCK_MUTANTS } from './pending/pending-block-mutants.ts'
import { PENDING_MUTANTS } from './pending/pending-mutants.ts'
import { PENDING_STATE_MUTANTS } from './pending/pending-state-mutants.ts'
import { UNANSWERED_MUTANTS } from './pending/unanswered-mutants.ts'
import { WRITTEN_AT_LENGTH_MUTANTS } from './pending/written-at-length-mutants.ts'
import { CLAIM_MUTANTS } from './proofs/claim-mutants.ts'
import { PROOF_REQUEST_MUTANTS } from './proofs/proof-request-mutants.ts'
import { PROPOSAL_MUTANTS } from './proofs/proposal-mutants.ts'
import { PROVER_MUTANTS } from './proofs/prover-mutants.ts'
import { RANGE_MUTANTS } from './proofs/range-mutants.ts'
import { REQUEST_FORM_MUTANTS } from './proofs/request-form-mutants.ts'
import { CONTRACT_SENDER_MUTANTS } from './real-nodes/contract-sender-mutants.ts'
import { REAL_NODE_LOG_MUTANTS } from './real-nodes/real-node-log-mutants.ts'
import { REAL_NODE_SIMULATE_MUTANTS } from './real-nodes/real-node-simulate-mutants.ts'
import { REAL_NODE_STATE_MUTANTS } from './real-nodes/real-node-state-mutants.ts'
import { REAL_NODE_WIRE_MUTANTS } from './real-nodes/real-node-wire-mutants.ts'
import { SIMULATE_ANSWER_MUTANTS } from './simulate/simulate-answer-mutants.ts'
import { SIMULATE_MUTANTS } from './simulate/simulate-mutants.ts'
import { SIMULATE_REQUEST_MUTANTS } from './simulate/simulate-request-mutants.ts'
import { CALL_ANSWER_MUTANTS } from './state/call-answer-mutants.ts'
import { CALL_MUTANTS } from './state/call-mutants.ts'
import { CALL_REQUEST_MUTANTS } from './state/call-request-mutants.ts'
import { KEPT_BY_HEIGHT_MUTANTS } from './state/kept-by-height-mutants.ts'
import { MEMBER_BY_MEMBER_MUTANTS } from './state/member-by-member-mutants.ts'
import { REVERT_MUTANTS } from './state/revert-mutants.ts'
import { SELECTOR_MUTANTS } from './state/selector-mutants.ts'
import { SLOT_MUTANTS } from './state/slot-mutants.ts'
import { STORAGE_MUTANTS } from './state/storage-mutants.ts'
import { TAG_MUTANTS } from './state/tag-mutants.ts'
import { LISTENER_MUTANTS } from './streams/listener-mutants.ts'
import { SOCKET_ANSWER_MUTANTS } from './streams/socket-answer-mutants.ts'
import { STREAM_MUTANTS } from './streams/stream-mutants.ts'
import { STREAMED_LOG_MUTANTS } from './streams/streamed-log-mutants.ts'
import { SUBSCRIPTION_MUTANTS } from './streams/subscription-mutants.ts'
import { CROSSING_MUTANTS } from './today/crossing-mutants.ts'
import { TODAY_BLOCK_MUTANTS } from './today/today-block-mutants.ts'
import { TODAY_EVM_MUTANTS } from './today/today-evm-mutants.ts'
import { TODAY_PROOF_MUTANTS } from './today/today-proof-mutants.ts'
import { TODAY_RPC_MUTANTS } from './today/today-rpc-mutants.ts'
import { TODAY_STREAM_MUTANTS } from './today/today-stream-mutants.ts'

/** Every mutant. A conformance suite that lets one live does not check that rule. */
export const ZOO: readonly Mutant[] = [
  // Of each area first what is wrong at every look: who takes one of an area takes such a one.
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
  ...CALLER_MUTANTS,
  ...TODAY_BLOCK_MUTANTS,
  // What is wrong for some values, in some places or now and then.
  ...BATCH_MUTANTS,
  ...REQUEST_SPELLING_MUTANTS,
  ...TRANSPORT_MUTANTS,
  ...ID_MUTANTS,
  ...ANSWER_FORM_MUTANTS,
  ...EXCHANGED_MUTANTS,
  ...TAG_MUTANTS,
  ...KEPT_BY_HEIGHT_MUTANTS,
  ...CALL_REQUEST_MUTANTS,
  ...CALL_ANSWER_MUTANTS,
  ...REVERT_MUTANTS,
  ...SLOT_MUTANTS,
  ...BLOCK_TRANSACTION_MUTANTS,
  ...BLOCK_HEIGHT_MUTANTS,
  ...PENDING_BLOCK_MUTANTS,
  ...PENDING_STATE_MUTANTS,
  ...WRITTEN_AT_LENGTH_MUTANTS,
  ...MEMBER_BY_MEMBER_MUTANTS,
  ...UNANSWERED_MUTANTS,
  ...LOG_FILTER_MUTANTS,
  ...LOG_RANGE_MUTANTS,
  ...LOG_MEMBER_MUTANTS,
  ...PENDING_LOG_MUTANTS,
  ...SIMULATE_REQUEST_MUTANTS,
  ...SIMULATE_ANSWER_MUTANTS,
  ...STREAMED_LOG_MUTANTS,
  ...SUBSCRIPTION_MUTANTS,
  ...LISTENER_MUTANTS,
  ...SOCKET_ANSWER_MUTANTS,
  ...REGISTRATION_REQUEST_MUTANTS,
  ...REGISTRATION_RECORD_MUTANTS,
  ...REGISTRATION_ACCESS_MUTANTS,
  ...PROPOSAL_MUTANTS,
  ...CLAIM_MUTANTS,
  ...REQUEST_FORM_MUTANTS,
  ...RANGE_MUTANTS,
  ...JOURNAL_REQUEST_MUTANTS,
  ...AGGREGATE_JOURNAL_MUTANTS,
  ...DOCUMENT_REQUEST_MUTANTS,
  ...DOCUMENT_CONTENT_MUTANTS,
  ...PREIMAGE_MUTANTS,
  ...ENCLAVE_REQUEST_MUTANTS,
  ...REQUEST_BY_REQUEST_MUTANTS,
  ...MODULE_ANSWER_MUTANTS,
  ...HOST_ORDER_MUTANTS,
  ...HOST_CHOICE_MUTANTS,
  ...HOST_HEALTH_MUTANTS,
  ...HOST_RELAY_MUTANTS,
  ...HOST_RPC_MUTANTS,
  ...HOST_DOCUMENT_MUTANTS,
  ...HOST_TIMEOUT_MUTANTS,
  ...HOST_REGISTRY_MUTANTS,
  ...HOST_ANSWER_MUTANTS,
  ...TODAY_RPC_MUTANTS,
  ...TODAY_STREAM_MUTANTS,
  ...TODAY_EVM_MUTANTS,
  ...TODAY_PROOF_MUTANTS,
  ...CROSSING_MUTANTS,
  ...REAL_NODE_STATE_MUTANTS,
  ...CONTRACT_SENDER_MUTANTS,
  ...REAL_NODE_LOG_MUTANTS,
  ...REAL_NODE_SIMULATE_MUTANTS,
  ...REAL_NODE_WIRE_MUTANTS,
]
