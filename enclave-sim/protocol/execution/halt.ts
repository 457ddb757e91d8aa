import { EVMError } from '@ethereumjs/evm'
import type { CallOutcome } from './executor.ts'

const { errorMessages } = EVMError

/** go-ethereum's words (core/vm/errors.go), which callers of eth_call and eth_simulateV1 know. */
const MESSAGES: Record<string, string> = {
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.INVALID_JUMP]: 'invalid jump destination',
  [errorMessages.OUT_OF_RANGE]: 'return data out of bounds',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
}

/** Why a frame did not end by itself. */
export function haltReason({ error }: EVMError): NonNullable<CallOutcome['halt']> {
  if (error === errorMessages.REVERT) return { kind: 'revert', message: 'execution reverted' }
  if (error === errorMessages.OUT_OF_GAS) return { kind: 'out of gas', message: 'out of gas' }
  // A jump's error goes on with the place it came from.
  const reason = error.split(' at ')[0]!
  return { kind: 'other', message: MESSAGES[reason] ?? reason }
}

/** The same of a frame without code: the EVM says that a precompile reverts when its input is bad. */
export function haltWithoutCode(error: EVMError): NonNullable<CallOutcome['halt']> {
  const halt = haltReason(error)
  return halt.kind === 'revert' ? { kind: 'other', message: 'precompile failed' } : halt
}
