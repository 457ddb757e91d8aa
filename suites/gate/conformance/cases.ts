import { cases as attestationDocument } from './cases/attestation/document.ts'
import { cases as attestationSeen } from './cases/attestation/seen.ts'
import { cases as blockConstants } from './cases/block/constants.ts'
import { cases as blockExecution } from './cases/block/execution.ts'
import { cases as blockFromParent } from './cases/block/from-parent.ts'
import { cases as blockHeader } from './cases/block/header.ts'
import { cases as blockRequest } from './cases/block/request.ts'
import { cases as blockSeen } from './cases/block/seen.ts'
import { cases as builderCodesAttribution } from './cases/builder-codes/attribution.ts'
import { cases as builderCodesRegistration } from './cases/builder-codes/registration.ts'
import { cases as callContext } from './cases/call/context.ts'
import { cases as callErrors } from './cases/call/errors.ts'
import { cases as callRequest } from './cases/call/request.ts'
import { cases as callSeen } from './cases/call/seen.ts'
import { cases as callState } from './cases/call/state.ts'
import { cases as challengerDisputes } from './cases/challenger/disputes.ts'
import { cases as challengerMeanwhile } from './cases/challenger/meanwhile.ts'
import { cases as challengerThroughTrouble } from './cases/challenger/through-trouble.ts'
import { cases as clientLogs } from './cases/client/logs.ts'
import { cases as enclaveBoot } from './cases/enclave/boot.ts'
import { cases as enclaveLocalMode } from './cases/enclave/local-mode.ts'
import { cases as enclaveWire } from './cases/enclave/wire.ts'
import { cases as enclaveWitness } from './cases/enclave/witness.ts'
import { cases as envelopeBatches } from './cases/envelope/batches.ts'
import { cases as envelopeCrowd } from './cases/envelope/crowd.ts'
import { cases as envelopeEncoding } from './cases/envelope/encoding.ts'
import { cases as envelopeKnown } from './cases/envelope/known.ts'
import { cases as envelopeNetworks } from './cases/envelope/networks.ts'
import { cases as envelopeRequests } from './cases/envelope/requests.ts'
import { cases as envelopeResponses } from './cases/envelope/responses.ts'
import { cases as envelopeTransport } from './cases/envelope/transport.ts'
import { cases as hostCommandLine } from './cases/host/command-line.ts'
import { cases as hostGating } from './cases/host/gating.ts'
import { cases as hostProving } from './cases/host/proving.ts'
import { cases as hostRouting } from './cases/host/routing.ts'
import { cases as hostServing } from './cases/host/serving.ts'
import { cases as hostSeveralEnclaves } from './cases/host/several-enclaves.ts'
import { cases as hostWitnessEndpoint } from './cases/host/witness-endpoint.ts'
import { cases as journalLayout } from './cases/journal/layout.ts'
import { cases as logsFilters } from './cases/logs/filters.ts'
import { cases as logsLogObject } from './cases/logs/log-object.ts'
import { cases as logsPending } from './cases/logs/pending.ts'
import { cases as logsRanges } from './cases/logs/ranges.ts'
import { cases as logsSampled } from './cases/logs/sampled.ts'
import { cases as logsSeen } from './cases/logs/seen.ts'
import { cases as logTags } from './cases/logs/tags.ts'
import { cases as pendingAnswered } from './cases/pending/answered.ts'
import { cases as pendingChangedContract } from './cases/pending/changed-contract.ts'
import { cases as pendingMany } from './cases/pending/many.ts'
import { cases as pendingPool } from './cases/pending/pool.ts'
import { cases as pendingSeen } from './cases/pending/seen.ts'
import { cases as pendingShape } from './cases/pending/shape.ts'
import { cases as pendingUnusual } from './cases/pending/unusual.ts'
import { cases as pendingWatched } from './cases/pending/watched.ts'
import { cases as pendingWatchedState } from './cases/pending/watched-state.ts'
import { cases as pendingWindow } from './cases/pending/window.ts'
import { cases as proposerMeanwhile } from './cases/proposer/meanwhile.ts'
import { cases as proposerProposals } from './cases/proposer/proposals.ts'
import { cases as proposerThroughTrouble } from './cases/proposer/through-trouble.ts'
import { cases as proverEnvelope } from './cases/prover/envelope.ts'
import { cases as proverHost } from './cases/prover/host.ts'
import { cases as proverProve } from './cases/prover/prove.ts'
import { cases as proverSeen } from './cases/prover/seen.ts'
import { cases as proverWatched } from './cases/prover/watched.ts'
import { cases as registrarRegistrations } from './cases/registrar/registrations.ts'
import { cases as selectorsPendingAndLatest } from './cases/selectors/pending-and-latest.ts'
import { cases as selectorsReorganized } from './cases/selectors/reorganized.ts'
import { cases as selectorsSeen } from './cases/selectors/seen.ts'
import { cases as selectorsTags } from './cases/selectors/tags.ts'
import { cases as selectorsWatched } from './cases/selectors/watched.ts'
import { cases as selectorsWatchedAccounts } from './cases/selectors/watched-accounts.ts'
import { cases as simulateBlock } from './cases/simulate/block.ts'
import { cases as simulateCalls } from './cases/simulate/calls.ts'
import { cases as simulateMoves } from './cases/simulate/moves.ts'
import { cases as simulateOverrides } from './cases/simulate/overrides.ts'
import { cases as simulatePayloads } from './cases/simulate/payloads.ts'
import { cases as simulateReceipts } from './cases/simulate/receipts.ts'
import { cases as simulateRefusalCodes } from './cases/simulate/refusal-codes.ts'
import { cases as simulateRequest } from './cases/simulate/request.ts'
import { cases as simulateSeen } from './cases/simulate/seen.ts'
import { cases as simulateTogether } from './cases/simulate/together.ts'
import { cases as storageStorage } from './cases/storage/storage.ts'
import { cases as streamDelivered } from './cases/stream/delivered.ts'
import { cases as streamPendingLogs } from './cases/stream/pending-logs.ts'
import { cases as streamRemovedLogs } from './cases/stream/removed-logs.ts'
import { cases as streamSeen } from './cases/stream/seen.ts'
import { cases as streamSocketAnswers } from './cases/stream/socket-answers.ts'
import { cases as streamWatched } from './cases/stream/watched.ts'
import { cases as todayAnswers } from './cases/today/answers.ts'
import { cases as todayCrossing } from './cases/today/crossing.ts'
import { cases as todayEvm } from './cases/today/evm.ts'
import { cases as todayFees } from './cases/today/fees.ts'
import { cases as todayProofs } from './cases/today/proofs.ts'
import { cases as todayReads } from './cases/today/reads.ts'
import { cases as todayStreams } from './cases/today/streams.ts'
import { cases as todayTime } from './cases/today/time.ts'
import { cases as verifierSignatures } from './cases/verifier/signatures.ts'
import type { ConformanceCase } from './conformance-case.ts'

/** Every case, area by area. Explicit, so that a bundler and a type checker see them all. */
export const CASES: readonly ConformanceCase[] = [
  ...envelopeEncoding,
  ...envelopeNetworks,
  ...envelopeRequests,
  ...envelopeCrowd,
  ...envelopeKnown,
  ...envelopeResponses,
  ...envelopeBatches,
  ...envelopeTransport,
  ...selectorsPendingAndLatest,
  ...selectorsReorganized,
  ...selectorsSeen,
  ...selectorsTags,
  ...selectorsWatched,
  ...selectorsWatchedAccounts,
  ...blockConstants,
  ...blockExecution,
  ...blockFromParent,
  ...blockHeader,
  ...blockRequest,
  ...blockSeen,
  ...pendingAnswered,
  ...pendingChangedContract,
  ...pendingMany,
  ...pendingPool,
  ...pendingSeen,
  ...pendingShape,
  ...pendingUnusual,
  ...pendingWatched,
  ...pendingWatchedState,
  ...pendingWindow,
  ...logsFilters,
  ...logsLogObject,
  ...logsPending,
  ...logsRanges,
  ...logsSampled,
  ...logsSeen,
  ...logTags,
  ...callContext,
  ...callErrors,
  ...callRequest,
  ...callSeen,
  ...callState,
  ...simulateBlock,
  ...simulateCalls,
  ...simulateMoves,
  ...simulateOverrides,
  ...simulatePayloads,
  ...simulateRefusalCodes,
  ...simulateRequest,
  ...simulateSeen,
  ...simulateTogether,
  ...simulateReceipts,
  ...storageStorage,
  ...streamDelivered,
  ...streamPendingLogs,
  ...streamRemovedLogs,
  ...streamSeen,
  ...streamSocketAnswers,
  ...streamWatched,
  ...builderCodesAttribution,
  ...builderCodesRegistration,
  ...proverHost,
  ...proverEnvelope,
  ...proverProve,
  ...proverSeen,
  ...proverWatched,
  ...journalLayout,
  ...verifierSignatures,
  ...attestationDocument,
  ...attestationSeen,
  ...enclaveBoot,
  ...enclaveLocalMode,
  ...enclaveWire,
  ...enclaveWitness,
  ...hostCommandLine,
  ...hostGating,
  ...hostProving,
  ...hostRouting,
  ...hostServing,
  ...hostSeveralEnclaves,
  ...hostWitnessEndpoint,
  ...proposerProposals,
  ...proposerMeanwhile,
  ...proposerThroughTrouble,
  ...challengerDisputes,
  ...challengerMeanwhile,
  ...challengerThroughTrouble,
  ...registrarRegistrations,
  ...clientLogs,
  ...todayTime,
  ...todayFees,
  ...todayAnswers,
  ...todayReads,
  ...todayStreams,
  ...todayEvm,
  ...todayProofs,
  ...todayCrossing,
]
