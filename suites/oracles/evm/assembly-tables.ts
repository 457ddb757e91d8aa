import { OPCODES, type Opcode } from '#protocol/evm/opcodes'

const STACK_LIMIT = 1024
const WORD = 32
/** More bytes than any stack has. */
const NEVER = 0xffff

/** The generated sources of the engine, by name. `npm run engine` writes them. */
export function assemblyTables(): Record<string, string> {
  return { 'opcode-table.ts': opcodeTable(), 'permute.ts': permutation() }
}

/** Per opcode one u64, so that one load and two comparisons tell whether it may begin. */
function opcodeTable(): string {
  const rows = OPCODES.map((opcode) => `  ${entry(opcode?.since ? undefined : opcode)},`)
  const shapes = OPCODES.map((opcode) => `  ${shape(opcode)},`)
  const later = OPCODES.filter((opcode) => opcode?.since === 'osaka')
  return `// Made by \`npm run engine\` from opcodes.ts.

/**
 * Per opcode: gas (32 bits), the least bytes that must be on the stack (16 bits), and how many more
 * there may be at most (16 bits). What is no opcode asks for more bytes than there can be.
 */
export const OPCODE_TABLE: usize = memory.data<u64>([
${rows.join('\n')}
])

/**
 * Per opcode what code-analysis.ts sums up: gas (16 bits), the words that it takes (8) and gives (7), and
 * whether a block ends with it (1).
 */
export const OPCODE_SHAPES: usize = memory.data<u32>([
${shapes.join('\n')}
])

/** Puts the opcodes that came with Osaka into the table, or takes them out. */
export function tellOsaka(isOsaka: bool): void {
${later.map((opcode) => `  store<u64>(OPCODE_TABLE + ${opcode!.code * 8}, isOsaka ? ${entry(opcode)} : ${entry(undefined)})`).join('\n')}
}
`
}

function entry(opcode: Opcode | undefined): string {
  const { gas, takes, gives } = opcode ?? { gas: 0, takes: NEVER / WORD, gives: 0 }
  const least = opcode ? takes * WORD : NEVER
  const most = (STACK_LIMIT - Math.max(0, gives - takes)) * WORD
  const span = opcode ? most - least : 0
  const bits = (BigInt(span) << 48n) | (BigInt(least) << 32n) | BigInt(gas)
  return `0x${bits.toString(16).padStart(16, '0')}`
}

/** A block ends where code may lead elsewhere or has to wait, where gas is looked at, and where much may be paid. */
const BLOCK_ENDS = new Set([
  ...['STOP', 'JUMP', 'JUMPI', 'GAS', 'BLOCKHASH', 'BALANCE', 'SELFBALANCE', 'EXP', 'KECCAK256'],
  ...['CALLDATACOPY', 'CODECOPY', 'RETURNDATACOPY', 'MCOPY', 'EXTCODESIZE', 'EXTCODECOPY'],
  ...['EXTCODEHASH', 'SLOAD', 'SSTORE', 'TLOAD', 'TSTORE'],
])
/** So does whatever logs, calls, creates or ends. */
const LOG0 = 0xa0

function shape(opcode: Opcode | undefined): string {
  const { gas, takes, gives } = opcode ?? { gas: 0, takes: 0, gives: 0 }
  const isLast = !opcode || opcode.code >= LOG0 || BLOCK_ENDS.has(opcode.name)
  const bits = BigInt(gas | (takes << 16) | (gives << 24)) | (isLast ? 1n << 31n : 0n)
  return `0x${bits.toString(16).padStart(8, '0')}`
}

const LANES = [0, 1, 2, 3, 4]
/** FIPS 202, table 2, by x and y. */
const ROTATIONS = [
  [0, 36, 3, 41, 18],
  [1, 44, 10, 45, 2],
  [62, 6, 43, 15, 61],
  [28, 55, 25, 21, 56],
  [27, 20, 39, 8, 14],
]

/** FIPS 202, 3.3: keccak-f[1600] on 25 locals, as the five steps follow from their definitions. */
function permutation(): string {
  const lane = (x: number, y: number) => `a${x + 5 * y}`
  const lines = [
    ...each((i) => `let a${i} = load<u64>(state, ${8 * i})`),
    'for (let round: usize = 0; round < 192; round += 8) {',
    '  // Theta.',
    ...LANES.map((x) => `  const c${x} = ${LANES.map((y) => lane(x, y)).join(' ^ ')}`),
    ...LANES.map((x) => `  const d${x} = c${(x + 4) % 5} ^ rotl<u64>(c${(x + 1) % 5}, 1)`),
    '  // Rho and pi.',
    ...LANES.flatMap((x) =>
      LANES.map((y) => {
        const turned = ROTATIONS[x]![y]
        const value = `${lane(x, y)} ^ d${x}`
        const place = y + 5 * ((2 * x + 3 * y) % 5)
        return `  const b${place} = ${turned ? `rotl<u64>(${value}, ${turned})` : value}`
      }),
    ),
    '  // Chi and iota.',
    ...LANES.flatMap((y) =>
      LANES.map((x) => {
        const b = (dx: number) => `b${((x + dx) % 5) + 5 * y}`
        const iota = x + y === 0 ? ' ^ load<u64>(ROUND_CONSTANTS + round)' : ''
        return `  ${lane(x, y)} = ${b(0)} ^ (~${b(1)} & ${b(2)})${iota}`
      }),
    ),
    '}',
    ...each((i) => `store<u64>(state, a${i}, ${8 * i})`),
  ]
  return `// Made by \`npm run engine\`.

const ROUND_CONSTANTS: usize = memory.data<u64>([
${roundConstants()
  .map((constant) => `  0x${constant.toString(16).padStart(16, '0')},`)
  .join('\n')}
])

/** Keccak-f[1600] (FIPS 202) of the 200 bytes at \`state\`. */
export function permute(state: usize): void {
${lines.map((line) => `  ${line}`).join('\n')}
}
`
}

function each(line: (index: number) => string): string[] {
  return Array.from({ length: 25 }, (_, index) => line(index))
}

/** FIPS 202, algorithms 5 and 6. */
function roundConstants(): bigint[] {
  let register = 1n
  const bit = () => {
    const out = register & 1n
    register <<= 1n
    if (register & 0x100n) register ^= 0x171n
    return out
  }
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let j = 0n; j < 7n; j++) if (bit()) constant |= 1n << ((1n << j) - 1n)
    return constant
  })
}
