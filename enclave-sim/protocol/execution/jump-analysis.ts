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

/** Of contracts, which have at most 24 kB (EIP-170). */
const LIMIT = 200
const cache = new Map<Uint8Array, JumpAnalysis>()

/** Of deployed code that ran before: told by identity, as a state hands out one copy of it. */
export function knownJumps(code: Uint8Array): JumpAnalysis | undefined {
  return cache.get(code)
}

/** Keeps an analysis for the next time the same bytes run; they must not change. */
export function keepJumps(code: Uint8Array, analysis: JumpAnalysis): void {
  if (cache.size >= LIMIT) cache.clear()
  cache.set(code, analysis)
}

/** Finds jump destinations and pushed values. */
export function analyseJumps(code: Uint8Array): JumpAnalysis {
  const validJumps = new Uint8Array(code.length)
  const cachedPushes: Record<number, bigint> = {}
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!
    if (opcode === JUMPDEST) validJumps[at] = 1
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const start = at + 1
    at += opcode - PUSH1 + 1
    // Code may end in here: nobody sees what such a PUSH pushes.
    cachedPushes[start] = bytesToBigInt(code.subarray(start, at + 1))
  }
  return { validJumps, cachedPushes }
}
