import type { PartName } from '../model/part-name.ts'

/** What the process of a mutant says, one object a line: how far it is, and then what was found. */
export type MutantWord =
  | { played: number; isReached: boolean }
  | { seed: number; checker: string; problem: string; guilty?: PartName }
