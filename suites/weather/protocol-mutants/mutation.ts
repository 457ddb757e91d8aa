/** A small change of meaning in one place of a file. */
export interface Mutation {
  /** FILE:LINE:COLUMN KIND; places without a second of the same kind. */
  id: string
  /** From the root of the project. */
  file: string
  line: number
  kind: MutationKind
  /** Characters of the file that are replaced. */
  start: number
  end: number
  /** What stands there, and what stands there instead. */
  from: string
  to: string
}

export const MUTATION_KINDS = [
  'turned',
  'bound',
  'logic',
  'arithmetic',
  'off by one',
  'dropped',
  'operand',
  'field',
  'boolean',
] as const
export type MutationKind = (typeof MUTATION_KINDS)[number]
