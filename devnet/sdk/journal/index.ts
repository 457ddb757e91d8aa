export { decodeJournal } from '../../../enclave-sim/protocol/journal/decode-journal.ts'
export { encodeJournal } from '../../../enclave-sim/protocol/journal/encode-journal.ts'
export { type Journal, JournalInvalid } from '../../../enclave-sim/protocol/journal/journal.ts'
export {
  type ByteRange,
  byteMap,
  type JournalField,
  type JournalLayout,
  journalLayouts,
  packedLayout,
} from '../../../enclave-sim/protocol/journal/layouts.ts'
export {
  recoverSigner,
  SignatureInvalid,
} from '../../../enclave-sim/protocol/journal/recover-signer.ts'
export type { Audit, AuditedClaim, Check, FieldBytes, Verdict } from '../../journal-audit/audit.ts'
export {
  type AuditInput,
  type AuditOptions,
  auditInput as auditJournal,
} from '../../journal-audit/audit-input.ts'
export { journalFromJson, journalToJson } from '../../journal-audit/journal-json.ts'
export type { Known } from '../../journal-audit/signed-claim.ts'
export { verifyJournal } from './verify-journal.ts'
