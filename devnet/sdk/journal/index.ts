export type {
  Audit,
  AuditedClaim,
  Check,
  FieldBytes,
  Verdict,
} from '#devnet/actors/journal-audit/audit'
export {
  type AuditInput,
  type AuditOptions,
  auditInput as auditJournal,
} from '#devnet/actors/journal-audit/audit-input'
export { journalFromJson, journalToJson } from '#devnet/actors/journal-audit/journal-json'
export type { Known } from '#devnet/actors/journal-audit/signed-claim'
export { decodeJournal } from '#protocol/journal/decode-journal'
export { encodeJournal } from '#protocol/journal/encode-journal'
export { type Journal, JournalInvalid } from '#protocol/journal/journal'
export {
  type ByteRange,
  byteMap,
  type JournalField,
  type JournalLayout,
  journalLayouts,
  packedLayout,
} from '#protocol/journal/layouts'
export {
  recoverSigner,
  SignatureInvalid,
} from '#protocol/journal/recover-signer'
export { verifyJournal } from './verify-journal.ts'
