import type { Reading } from './reading.ts'

/** One known way to depart from the specification. */
export interface Departure {
  /** A reading departs at most once in each part. */
  part: 'layout' | 'roots' | 'start' | 'value' | 'hash' | 'signature'
  /** What is different, as a phrase. */
  says: string
  /** Rules it breaks. */
  rules: readonly string[]
  apply(reading: Reading): Reading
}
