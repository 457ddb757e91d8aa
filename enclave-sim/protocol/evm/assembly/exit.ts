/** Why the interpreter or a single opcode stopped. The numbers are engine-exit.ts's too. */
export const enum Exit {
  /** It goes on. */
  NONE = 0,

  // The frame has ended.
  STOP = 1,
  RETURN = 2,
  REVERT = 3,
  OUT_OF_GAS = 4,
  STACK_UNDERFLOW = 5,
  STACK_OVERFLOW = 6,
  INVALID_OPCODE = 7,
  INVALID_JUMP = 8,
  STATIC_STATE_CHANGE = 9,
  RETURN_DATA_OUT_OF_BOUNDS = 10,
  CREATE_COLLISION = 11,
  CODE_TOO_LARGE = 12,
  CODE_STORE_OUT_OF_GAS = 13,
  /** EIP-3541. */
  INVALID_CODE = 14,
  INITCODE_TOO_LARGE = 15,
  INSUFFICIENT_BALANCE = 16,
  PRECOMPILE_FAILED = 17,
  /** Nobody can have more than 2^256 - 1; only made-up balances come so far. */
  BALANCE_OVERFLOW = 18,

  // The host has to do something; then `run` goes on where it was.
  NEEDS_ACCOUNT = 32,
  NEEDS_SLOT = 33,
  NEEDS_CODE = 34,
  NEEDS_BLOCK_HASH = 35,
  PRECOMPILE = 36,
  PAUSE = 37,

  // Only stepwise.
  ENTER = 40,
  STEP = 41,
  LEAVE = 42,
}

// @ts-ignore: decorator
@inline
export function isFault(exit: Exit): bool {
  return exit > Exit.REVERT
}

// @ts-ignore: decorator
@inline
export function isWait(exit: Exit): bool {
  return exit >= Exit.NEEDS_ACCOUNT
}
