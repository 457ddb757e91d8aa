import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { SignedClaim } from './signed-claim.ts'

/** What an audit says; plain data, and what `--json` prints. */
export interface Audit {
  /** What was audited, in a few words. */
  input: string
  /** fail: a rule is broken. unknown: not everything could be judged. */
  verdict: Verdict
  claims: AuditedClaim[]
  /** What stood in the way of a full judgement, and how to remove it. */
  notes: string[]
}

export type Verdict = 'pass' | 'fail' | 'unknown'

export interface AuditedClaim {
  name: string
  subject: SignedClaim['subject']
  /** One line that says it all. */
  summary: string
  verdict: Verdict
  layout: string
  /** What the signed bytes do otherwise than specified; empty when nothing. */
  departures: string[]
  /** Open points of the specification that they read otherwise than this project; no rule is broken. */
  readings: OpenReading[]
  /** The schedule of upgrades that whoever takes the journal wants named at its end, and which one that is. */
  schedule?: { id: Hash; says: string }
  /** The signed bytes, as far as they are known. */
  bytes: Hex
  fields: FieldBytes[]
  /** What was signed. */
  digest: Hash
  signature?: Hex
  signer?: Address
  checks: Check[]
}

export interface FieldBytes {
  field: string
  offset: number
  size: number
  bytes: Hex
  /** Decimal for numbers, else the bytes. */
  value: string
  /** Nobody told it: zeros stand in. */
  assumed: boolean
}

/** A point that the specification leaves open, read otherwise than decided here. */
export interface OpenReading {
  /** Id in fixtures/rules/rules.yaml: `OPEN-50`. */
  open: string
  says: string
}

export interface Check {
  /** Id in fixtures/rules/rules.yaml. */
  rule: string
  verdict: Verdict
  /** What was found. */
  says: string
  /** The open point by another reading of which the rule holds. */
  open?: string
}
