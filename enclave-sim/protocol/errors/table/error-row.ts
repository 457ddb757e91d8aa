/** What is said of a code besides what the error that bears it says of its case. */
export interface ErrorRow {
  /** Unique, of its area's hundred; a number is never given twice, so a new row comes last. */
  number: number
  /** In a few words, without the particulars. */
  title: string
  /** What to do; left out where each error of the code brings a hint of its own. */
  action?: string
}

/** Keeps the codes as a type, and of the rows no more than their shape: declarations stay short. */
export const errorRows = <Code extends string>(rows: Record<Code, ErrorRow>) => rows
