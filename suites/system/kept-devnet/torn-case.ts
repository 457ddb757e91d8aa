/** What can happen to a file, in the order of the table. */
export const TORN_KINDS = [
  'missing',
  'torn',
  'zeros',
  'flipped',
  'misdirected',
  'write lost',
  'power lost',
  'older',
  "another's",
  'edited',
  'read-only',
] as const
export type TornKind = (typeof TORN_KINDS)[number]

/** One thing that happened to the folder of a devnet that was stopped or killed. */
export interface TornCase {
  name: string
  /** What it happened to, or `several files`. */
  file: string
  kind: TornKind
  from: 'stopped' | 'killed'
  damage(folder: string): void
  /** Opened by a user who does not own the files. */
  isStrangers?: boolean
}
