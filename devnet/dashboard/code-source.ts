/** What the compiler said of a contract's code, as the explorer's step debugger wants it. */
export interface CodeSource {
  contract: string
  /** By the compiler's number. */
  files: Readonly<Record<number, { path: string; text: string }>>
  instructions: readonly MappedInstruction[]
}

/** An instruction, and the statement that it belongs to. */
export interface MappedInstruction {
  pc: number
  /** Whether a jump there goes into a function or out of one; `-` is any other. */
  jump: 'i' | 'o' | '-'
  /** The number of its file. */
  file: number
  /** From 1; 0 where it belongs to no statement, but to a whole function or contract. */
  line: number
  /** The last line of the statement. */
  lastLine: number
}
