/** What every opcode takes before its own rules begin. */
export interface Opcode {
  code: number
  name: string
  /** Gas that it costs always; more may follow from its operands. */
  gas: number
  /** Words it takes from the stack, and gives back. */
  takes: number
  gives: number
  /** Set where Prague does not have it: it is there when a message's rules say so. */
  since?: 'osaka'
}

type Row = [code: number, name: string, gas: number, takes: number, gives: number, since?: 'osaka']

/** Execution specs, Osaka, vm/instructions and vm/gas.py; the Yellow Paper, appendix H. */
const ROWS: readonly Row[] = [
  [0x00, 'STOP', 0, 0, 0],
  [0x01, 'ADD', 3, 2, 1],
  [0x02, 'MUL', 5, 2, 1],
  [0x03, 'SUB', 3, 2, 1],
  [0x04, 'DIV', 5, 2, 1],
  [0x05, 'SDIV', 5, 2, 1],
  [0x06, 'MOD', 5, 2, 1],
  [0x07, 'SMOD', 5, 2, 1],
  [0x08, 'ADDMOD', 8, 3, 1],
  [0x09, 'MULMOD', 8, 3, 1],
  [0x0a, 'EXP', 10, 2, 1],
  [0x0b, 'SIGNEXTEND', 5, 2, 1],
  [0x10, 'LT', 3, 2, 1],
  [0x11, 'GT', 3, 2, 1],
  [0x12, 'SLT', 3, 2, 1],
  [0x13, 'SGT', 3, 2, 1],
  [0x14, 'EQ', 3, 2, 1],
  [0x15, 'ISZERO', 3, 1, 1],
  [0x16, 'AND', 3, 2, 1],
  [0x17, 'OR', 3, 2, 1],
  [0x18, 'XOR', 3, 2, 1],
  [0x19, 'NOT', 3, 1, 1],
  [0x1a, 'BYTE', 3, 2, 1],
  [0x1b, 'SHL', 3, 2, 1],
  [0x1c, 'SHR', 3, 2, 1],
  [0x1d, 'SAR', 3, 2, 1],
  // EIP-7939.
  [0x1e, 'CLZ', 5, 1, 1, 'osaka'],
  [0x20, 'KECCAK256', 30, 2, 1],
  [0x30, 'ADDRESS', 2, 0, 1],
  [0x31, 'BALANCE', 0, 1, 1],
  [0x32, 'ORIGIN', 2, 0, 1],
  [0x33, 'CALLER', 2, 0, 1],
  [0x34, 'CALLVALUE', 2, 0, 1],
  [0x35, 'CALLDATALOAD', 3, 1, 1],
  [0x36, 'CALLDATASIZE', 2, 0, 1],
  [0x37, 'CALLDATACOPY', 3, 3, 0],
  [0x38, 'CODESIZE', 2, 0, 1],
  [0x39, 'CODECOPY', 3, 3, 0],
  [0x3a, 'GASPRICE', 2, 0, 1],
  [0x3b, 'EXTCODESIZE', 0, 1, 1],
  [0x3c, 'EXTCODECOPY', 0, 4, 0],
  [0x3d, 'RETURNDATASIZE', 2, 0, 1],
  [0x3e, 'RETURNDATACOPY', 3, 3, 0],
  [0x3f, 'EXTCODEHASH', 0, 1, 1],
  [0x40, 'BLOCKHASH', 20, 1, 1],
  [0x41, 'COINBASE', 2, 0, 1],
  [0x42, 'TIMESTAMP', 2, 0, 1],
  [0x43, 'NUMBER', 2, 0, 1],
  [0x44, 'PREVRANDAO', 2, 0, 1],
  [0x45, 'GASLIMIT', 2, 0, 1],
  [0x46, 'CHAINID', 2, 0, 1],
  [0x47, 'SELFBALANCE', 5, 0, 1],
  [0x48, 'BASEFEE', 2, 0, 1],
  [0x49, 'BLOBHASH', 3, 1, 1],
  [0x4a, 'BLOBBASEFEE', 2, 0, 1],
  [0x50, 'POP', 2, 1, 0],
  [0x51, 'MLOAD', 3, 1, 1],
  [0x52, 'MSTORE', 3, 2, 0],
  [0x53, 'MSTORE8', 3, 2, 0],
  [0x54, 'SLOAD', 0, 1, 1],
  [0x55, 'SSTORE', 0, 2, 0],
  [0x56, 'JUMP', 8, 1, 0],
  [0x57, 'JUMPI', 10, 2, 0],
  [0x58, 'PC', 2, 0, 1],
  [0x59, 'MSIZE', 2, 0, 1],
  [0x5a, 'GAS', 2, 0, 1],
  [0x5b, 'JUMPDEST', 1, 0, 0],
  [0x5c, 'TLOAD', 100, 1, 1],
  [0x5d, 'TSTORE', 100, 2, 0],
  [0x5e, 'MCOPY', 3, 3, 0],
  [0x5f, 'PUSH0', 2, 0, 1],
  [0xf0, 'CREATE', 32_000, 3, 1],
  [0xf1, 'CALL', 0, 7, 1],
  [0xf2, 'CALLCODE', 0, 7, 1],
  [0xf3, 'RETURN', 0, 2, 0],
  [0xf4, 'DELEGATECALL', 0, 6, 1],
  [0xf5, 'CREATE2', 32_000, 4, 1],
  [0xfa, 'STATICCALL', 0, 6, 1],
  [0xfd, 'REVERT', 0, 2, 0],
  [0xff, 'SELFDESTRUCT', 5_000, 1, 0],
  ...numbered(0x60, 'PUSH', 1, 32, () => [3, 0, 1]),
  ...numbered(0x80, 'DUP', 1, 16, (n) => [3, n, n + 1]),
  ...numbered(0x90, 'SWAP', 1, 16, (n) => [3, n + 1, n + 1]),
  ...numbered(0xa0, 'LOG', 0, 4, (n) => [375 * (n + 1), n + 2, 0]),
]

/** By code; undefined where no fork has an opcode. INVALID (0xfe) is one of those. */
export const OPCODES: readonly (Opcode | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const row = ROWS.find(([code]) => code === byte)
  if (!row) return undefined
  const [code, name, gas, takes, gives, since] = row
  return { code, name, gas, takes, gives, ...(since && { since }) }
})

function numbered(
  code: number,
  name: string,
  first: number,
  last: number,
  rest: (n: number) => [number, number, number],
): Row[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const n = first + index
    return [code + index, `${name}${n}`, ...rest(n)]
  })
}
