import { bytesToBigInt } from '@ethereumjs/util'

const PUSH1 = 0x60
const PUSH32 = 0x7f
const JUMPDEST = 0x5b

/** What a look over all of a contract's code tells, in the form the EVM's opcodes read it. */
export interface JumpAnalysis {
  /** 1 where a JUMPDEST is. */
  validJumps: Uint8Array
  /** What each PUSH pushes, by the place of its data. */
  cachedPushes: Record<number, bigint>
}

/** Contracts of at most 24 kB (EIP-170), and init code of twice that. */
const LIMIT = 200
const cache = new Map<Uint8Array, JumpAnalysis>()

/** Those of code that was analysed before. Code is told by identity: a state keeps one copy. */
export function cachedJumpAnalysis(code: Uint8Array): JumpAnalysis | undefined {
  return cache.get(code)
}

/** Finds jump destinations and pushed values; keeps them for the next time the same bytes run. */
export function analyseJumps(code: Uint8Array): JumpAnalysis {
  const validJumps = new Uint8Array(code.length)
  const cachedPushes: Record<number, bigint> = {}
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!
    if (opcode === JUMPDEST) validJumps[at] = 1
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const start = at + 1
    at += opcode - PUSH1 + 1
    cachedPushes[start] = pushedValue(code, start, at + 1)
  }
  if (cache.size >= LIMIT) cache.clear()
  const analysis = { validJumps, cachedPushes }
  cache.set(code, analysis)
  return analysis
}

/** Code that ends in the data of a PUSH goes on with zeros. */
function pushedValue(code: Uint8Array, start: number, end: number): bigint {
  const present = code.subarray(start, end)
  if (present.length === 0) return 0n
  return bytesToBigInt(present) << BigInt(8 * (end - start - present.length))
}
