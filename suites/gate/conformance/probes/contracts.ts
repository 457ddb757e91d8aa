import type { Hex } from '../wire/hex.ts'
import { assemble } from './assembly.ts'

/** Opcodes whose values the context probe returns, one word each, in this order. */
export const CONTEXT_WORDS = [
  'ADDRESS',
  'CALLER',
  'ORIGIN',
  'CALLVALUE',
  'GASPRICE',
  'NUMBER',
  'TIMESTAMP',
  'BASEFEE',
  'GASLIMIT',
  'COINBASE',
  'PREVRANDAO',
  'CHAINID',
  'SELFBALANCE',
  'GAS',
] as const
export type ContextWord = (typeof CONTEXT_WORDS)[number]

const word = (index: number) => `0x${(index * 32).toString(16).padStart(4, '0')}`
const contextSource = CONTEXT_WORDS.map((name, index) => `${name} ${word(index)} MSTORE`).join(' ')

/** Returns what the EVM sees: see CONTEXT_WORDS. */
export const CONTEXT_PROBE = assemble(`${contextSource} ${word(CONTEXT_WORDS.length)} PUSH0 RETURN`)

/** Returns the gas that is left at its first instruction. */
export const GAS_PROBE = assemble('GAS PUSH0 MSTORE 0x20 PUSH0 RETURN')
/** What a call costs before that value is taken: the base of a transaction, and GAS itself. */
export const GAS_BEFORE_PROBE = 21_002n

/** Returns its calldata. */
export const ECHO_PROBE = assemble(
  'CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 RETURN',
)

/** Reverts with its calldata as revert bytes. */
export const REVERT_PROBE = assemble(
  'CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 REVERT',
)

/** One word of calldata: returns that slot. Two words: writes the second into the first. */
export const STORE_PROBE = assemble(`
  0x20 CALLDATASIZE GT @write JUMPI
  PUSH0 CALLDATALOAD SLOAD PUSH0 MSTORE 0x20 PUSH0 RETURN
  write: 0x20 CALLDATALOAD PUSH0 CALLDATALOAD SSTORE STOP
`)

/** Adds one to slot 0 and returns the new value. */
export const COUNTER_PROBE = assemble(
  'PUSH0 SLOAD 0x01 ADD DUP1 PUSH0 SSTORE PUSH0 MSTORE 0x20 PUSH0 RETURN',
)

/** Returns the balance of the address in the first word. */
export const BALANCE_PROBE = assemble('PUSH0 CALLDATALOAD BALANCE PUSH0 MSTORE 0x20 PUSH0 RETURN')

/** Loops as often as the first word says, at some 40 gas a round, then returns 1. */
export const LOOP_PROBE = assemble(`
  PUSH0 CALLDATALOAD
  loop: DUP1 ISZERO @done JUMPI 0x01 SWAP1 SUB @loop JUMP
  done: 0x01 PUSH0 MSTORE 0x20 PUSH0 RETURN
`)

/** Calls the address in the first word with the call value and the rest of the calldata. */
export const FORWARD_PROBE = assemble(`
  0x20 CALLDATASIZE SUB 0x20 PUSH0 CALLDATACOPY
  PUSH0 PUSH0 0x20 CALLDATASIZE SUB PUSH0 CALLVALUE PUSH0 CALLDATALOAD GAS CALL
  @fine JUMPI PUSH0 PUSH0 REVERT
  fine: STOP
`)

/** An event for the log probe: 0 to 4 topics, and data of any length. */
export interface LogEntry {
  topics: readonly Hex[]
  data: Hex
}

const field = (index: number) =>
  `0x40 MLOAD 0x${(index * 32).toString(16).padStart(2, '0')} ADD CALLDATALOAD`
const emitBranches = [0, 1, 2, 3, 4]
  .map((count) => {
    const topics = Array.from({ length: count }, (_, index) => field(count - index))
    return `log${count}: ${topics.join(' ')} ${field(5)} 0x60 LOG${count} @advance JUMP`
  })
  .join('\n')

/**
 * Emits the events its calldata lists; see encodeLogEntries. Memory 0x40 holds the read position, and from
 * 0x60 on lies what is logged.
 */
export const LOG_PROBE = assemble(`
  next: CALLDATASIZE 0x40 MLOAD LT ISZERO @done JUMPI
  ${field(5)} 0x40 MLOAD 0xc0 ADD 0x60 CALLDATACOPY
  ${[0, 1, 2, 3].map((n) => `${field(0)} 0x0${n} EQ @log${n} JUMPI`).join(' ')} @log4 JUMP
  ${emitBranches}
  advance: ${field(5)} 0x1f ADD 0x05 SHR 0x05 SHL 0xc0 ADD 0x40 MLOAD ADD 0x40 MSTORE @next JUMP
  done: STOP
`)

/** Calldata of the log probe: per event six words, count, four topics, data size, and as many of data. */
export function encodeLogEntries(entries: readonly LogEntry[]): Hex {
  const words = entries.flatMap(({ topics, data }) => [
    toWord(topics.length),
    ...[0, 1, 2, 3].map((index) => (topics[index] ?? '0x').slice(2).padStart(64, '0')),
    toWord((data.length - 2) / 2),
    data.slice(2).padEnd(64 * Math.ceil((data.length - 2) / 64), '0'),
  ])
  return `0x${words.join('')}`
}

function toWord(value: number): string {
  return value.toString(16).padStart(64, '0')
}
