/** Why the engine stopped: the numbers of assembly/exit.ts. */
export const EngineExit = {
  stop: 1,
  return: 2,
  revert: 3,
  outOfGas: 4,
  stackUnderflow: 5,
  stackOverflow: 6,
  invalidOpcode: 7,
  invalidJump: 8,
  staticStateChange: 9,
  returnDataOutOfBounds: 10,
  createCollision: 11,
  codeTooLarge: 12,
  codeStoreOutOfGas: 13,
  invalidCode: 14,
  initCodeTooLarge: 15,
  insufficientBalance: 16,
  precompileFailed: 17,
  balanceOverflow: 18,
  needsAccount: 32,
  needsSlot: 33,
  needsCode: 34,
  needsBlockHash: 35,
  precompile: 36,
  pause: 37,
  enter: 40,
  step: 41,
  leave: 42,
} as const

/** Whether the message has ended; else `run` is to be called again, after what the exit asks for. */
export function isOver(exit: number): boolean {
  return exit < EngineExit.needsAccount
}
