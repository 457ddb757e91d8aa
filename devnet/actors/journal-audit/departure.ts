import type { Reading } from './reading.ts'

/** One known way to depart from the specification. */
export interface Departure {
  /** A reading departs at most once in each part. */
  part: 'layout' | 'roots' | 'start' | 'value' | 'hash' | 'signature' | 'claim'
  /** What is different, as a phrase. */
  says: string
  /** Rules it breaks; where `open` is there, rules that it keeps in another reading. */
  rules: readonly string[]
  /** The open point (OPEN-nn) of which this is another reading than this project's: no breach. */
  open?: string
  /** It is one of many, and not tried together with another. */
  alone?: boolean
  apply(reading: Reading): Reading
}
