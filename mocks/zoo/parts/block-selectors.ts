/** Whether a selector of a block is its height. */
export const isHeight = (selector: unknown) => /^0x[0-9a-f]+$/i.test(String(selector))

/** Likewise, and none in capitals. */
export const isLowerCaseHeight = (value: unknown) => /^0x[0-9a-f]+$/.test(String(value))

export const isPending = (selector: unknown) => selector === 'pending'
export const isSafe = (selector: unknown) => selector === 'safe'
export const isFinalized = (selector: unknown) => selector === 'finalized'

/** What stands for a block in the name of a mutant, in what it says, and by which it is told. */
export const PENDING_OR_HEIGHT = [
  ['at-pending', 'upon the pending block', isPending],
  ['at-height', 'upon a height', isHeight],
] as const
