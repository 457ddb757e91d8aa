import { concat, numberToHex, size } from 'viem'
import type { Hex } from '../wire/hex.ts'

const OPCODES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  PUSH0: 0x5f,
  PUSH1: 0x60,
  PUSH2: 0x61,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  SWAP2: 0x91,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  RETURN: 0xf3,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
}

/**
 * Turns words into EVM bytecode: opcode names, `0x…` pushed as is, `name:` a jump target and
 * `@name` its address pushed. Enough for the probe contracts, no more.
 *
 * @example assemble('CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 RETURN')
 * @throws RangeError on a word it does not know
 */
export function assemble(source: string): Hex {
  const words = source.trim().split(/\s+/)
  const labels = new Map<string, number>()
  let offset = 0
  for (const word of words) {
    if (word.endsWith(':')) labels.set(word.slice(0, -1), offset)
    offset += sizeOf(word)
  }
  return `0x${words.map((word) => encode(word, labels)).join('')}`
}

function sizeOf(word: string): number {
  if (word.startsWith('@')) return 3
  if (word.startsWith('0x')) return word.length / 2
  return 1
}

function encode(word: string, labels: ReadonlyMap<string, number>): string {
  if (word.endsWith(':')) return hexByte(OPCODES.JUMPDEST!)
  if (word.startsWith('@')) {
    const target = labels.get(word.slice(1))
    if (target === undefined) throw new RangeError(`no label ${word.slice(1)}`)
    return hexByte(OPCODES.PUSH2!) + target.toString(16).padStart(4, '0')
  }
  if (word.startsWith('0x')) return hexByte(0x5f + (word.length - 2) / 2) + word.slice(2)
  const opcode = OPCODES[word]
  if (opcode === undefined) throw new RangeError(`no opcode ${word}`)
  return hexByte(opcode)
}

/** Code with data behind it, which begins at the label `end`. */
export function assembleBefore(source: string, ...data: Hex[]): Hex {
  const program = assemble(`${source} end:`)
  // The label's own byte would stand before the data.
  return concat([program.slice(0, -2) as Hex, ...data])
}

/**
 * Creation code that deploys `runtime` as it is.
 * @param first what the constructor does before that
 */
export function deployment(runtime: Hex, first = ''): Hex {
  const bytes = numberToHex(size(runtime), { size: 2 })
  return assembleBefore(`${first} ${bytes} DUP1 @end PUSH0 CODECOPY PUSH0 RETURN`, runtime)
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
