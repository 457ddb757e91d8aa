import { EngineExit } from '../evm/engine-exit.ts'
import type { CallOutcome } from './executor.ts'

export type Halt = NonNullable<CallOutcome['halt']>

/** go-ethereum's words (core/vm/errors.go), which callers of eth_call and eth_simulateV1 know. */
const MESSAGES: Record<number, string> = {
  [EngineExit.stackUnderflow]: 'stack underflow',
  [EngineExit.stackOverflow]: 'stack overflow',
  [EngineExit.invalidOpcode]: 'invalid opcode',
  [EngineExit.invalidJump]: 'invalid jump destination',
  [EngineExit.staticStateChange]: 'write protection',
  [EngineExit.returnDataOutOfBounds]: 'return data out of bounds',
  [EngineExit.createCollision]: 'contract address collision',
  [EngineExit.codeTooLarge]: 'max code size exceeded',
  [EngineExit.invalidCode]: 'invalid code: must not begin with 0xef',
  [EngineExit.initCodeTooLarge]: 'max initcode size exceeded',
  [EngineExit.balanceOverflow]: 'value overflow',
  [EngineExit.insufficientBalance]: 'insufficient balance for transfer',
}

/** Why a frame did not end by itself. */
export function haltReason(exit: number): Halt {
  if (exit === EngineExit.revert) return { kind: 'revert', message: 'execution reverted' }
  if (exit === EngineExit.outOfGas || exit === EngineExit.codeStoreOutOfGas) {
    return { kind: 'out of gas', message: 'out of gas' }
  }
  return { kind: 'other', message: MESSAGES[exit]! }
}
