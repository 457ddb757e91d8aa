/** Where the fields of the engine's records lie: the classes in assembly/, which have the same names. */

/** A pointer to a record. */
export type Account = number

/** assembly/frame.ts */
export const frame = {
  code: 0,
  codeLength: 4,
  pc: 8,
  stackTop: 12,
  stackBase: 16,
  memory: 20,
  memorySize: 24,
  kind: 28,
  input: 40,
  inputLength: 44,
  account: 56,
  codeAccount: 60,
  gas: 64,
  startGas: 72,
  exit: 96,
  result: 100,
  resultLength: 104,
  caller: 160,
  value: 192,
} as const

/** assembly/account.ts */
export const account = {
  isLoaded: 0,
  flags: 8,
  nonce: 16,
  address: 64,
  balance: 96,
  codeHash: 160,
  baseCodeHash: 192,
  /** A flag. */
  destroyed: 8,
} as const

/** assembly/slot.ts */
export const slot = {
  account: 12,
  key: 32,
  value: 64,
} as const

/** assembly/log.ts */
export const log = {
  topics: 0,
  length: 4,
  emitter: 16,
  bytes: 48,
} as const
