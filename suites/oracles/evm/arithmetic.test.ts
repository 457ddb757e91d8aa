import {
  bigIntToBytes,
  bytesToBigInt,
  bytesToHex,
  hexToBytes,
  setLengthLeft,
} from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KECCAK_EMPTY } from '#protocol/crypto/keccak'
import { Engine } from '#protocol/evm/engine'
import { EngineExit } from '#protocol/evm/engine-exit'

const MOST = 2n ** 256n - 1n
const signed = (word: bigint) => BigInt.asIntN(256, word)
const word = (value: bigint) => BigInt.asUintN(256, value)
const flag = (value: boolean) => (value ? 1n : 0n)
const absolute = (value: bigint) => (value < 0n ? -value : value)

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let bit = exponent; bit > 0n; bit >>= 1n) {
    if (bit & 1n) result = word(result * base)
    base = word(base * base)
  }
  return result
}

function signExtend(index: bigint, value: bigint): bigint {
  return index < 31n ? word(BigInt.asIntN(8 * Number(index) + 8, value)) : value
}

/** What the Yellow Paper says (appendix H.2), in BigInt; the first operand is on top of the stack. */
const MODEL: Record<string, [opcode: number, model: (a: bigint, b: bigint, c: bigint) => bigint]> =
  {
    ADD: [0x01, (a, b) => word(a + b)],
    MUL: [0x02, (a, b) => word(a * b)],
    SUB: [0x03, (a, b) => word(a - b)],
    DIV: [0x04, (a, b) => (b ? a / b : 0n)],
    SDIV: [0x05, (a, b) => (b ? word(signed(a) / signed(b)) : 0n)],
    MOD: [0x06, (a, b) => (b ? a % b : 0n)],
    SMOD: [0x07, (a, b) => (b ? word(signed(a) % absolute(signed(b))) : 0n)],
    ADDMOD: [0x08, (a, b, c) => (c ? (a + b) % c : 0n)],
    MULMOD: [0x09, (a, b, c) => (c ? (a * b) % c : 0n)],
    EXP: [0x0a, power],
    SIGNEXTEND: [0x0b, signExtend],
    LT: [0x10, (a, b) => flag(a < b)],
    GT: [0x11, (a, b) => flag(a > b)],
    SLT: [0x12, (a, b) => flag(signed(a) < signed(b))],
    SGT: [0x13, (a, b) => flag(signed(a) > signed(b))],
    EQ: [0x14, (a, b) => flag(a === b)],
    ISZERO: [0x15, (a) => flag(a === 0n)],
    AND: [0x16, (a, b) => a & b],
    OR: [0x17, (a, b) => a | b],
    XOR: [0x18, (a, b) => a ^ b],
    NOT: [0x19, (a) => word(~a)],
    BYTE: [0x1a, (a, b) => (a < 32n ? (b >> (8n * (31n - a))) & 0xffn : 0n)],
    SHL: [0x1b, (a, b) => (a < 256n ? word(b << a) : 0n)],
    SHR: [0x1c, (a, b) => (a < 256n ? b >> a : 0n)],
    // EIP-7939.
    CLZ: [0x1e, (a) => BigInt(256 - (a ? a.toString(2).length : 0))],
    SAR: [0x1d, (a, b) => word(signed(b) >> (a < 256n ? a : 256n))],
  }

/** Numbers at the edges more often than any. */
const anyWord = fc.oneof(
  fc.bigInt({ min: 0n, max: MOST }),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: MOST - 300n, max: MOST }),
  fc.tuple(fc.nat(255), fc.integer({ min: -1, max: 1 })).map(([bit, add]) => {
    return word((1n << BigInt(bit)) + BigInt(add))
  }),
)

const engine = new Engine()
const caller = new Uint8Array(20)
const target = new Uint8Array(20).fill(1)
const zero = new Uint8Array(32)
const context = {
  block: {
    ...{ coinbase: caller, timestamp: 0n, number: 0n, prevRandao: zero },
    ...{ gasLimit: 0n, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
  },
  ...{ origin: caller, gasPrice: 0n, precompiles: [] },
}
const host = {
  account: () => ({
    ...{ nonce: 0n, balance: 0n, hasStorage: false },
    codeHash: hexToBytes(KECCAK_EMPTY),
  }),
  slot: () => zero,
  code: () => undefined,
}

/** Runs init code that gives back what an opcode leaves on the stack. */
function result(opcode: number, operands: readonly bigint[]): bigint {
  run(opcode, operands)
  return bytesToBigInt(engine.outcome().output)
}

function run(opcode: number, operands: readonly bigint[], isOsaka = true): number {
  const pushes = operands.toReversed().map((one) => {
    return `7f${bytesToHex(setLengthLeft(bigIntToBytes(one), 32)).slice(2)}`
  })
  const input = hexToBytes(
    `0x${pushes.join('')}${opcode.toString(16).padStart(2, '0')}5f5260205ffd`,
  )
  engine.open({ ...context, isOsaka }, host, 1_000_000n)
  engine.begin({ caller, target, isCreation: true, value: 0n, gas: 1_000_000n, input })
  return engine.run()
}

describe('arithmetic', () => {
  test.each(Object.entries(MODEL))('given any words, then %s is what BigInt says', (_, entry) => {
    const [opcode, model] = entry
    fc.assert(
      fc.property(anyWord, anyWord, anyWord, (a, b, c) => {
        const operands = [a, b, c].slice(0, Math.max(1, model.length))
        expect(result(opcode, operands)).toBe(model(a, b, c))
      }),
      { numRuns: Number(process.env.ROLLBED_ARITHMETIC_RUNS ?? 300) },
    )
  })

  // The test cases of EIP-7939.
  test.each([
    [0n, 256n],
    [1n << 255n, 0n],
    [MOST, 0n],
    [1n << 254n, 1n],
    [MOST >> 1n, 1n],
    [1n, 255n],
  ])('given CLZ of %i, then it is %i, for 5 gas', (word, zeros) => {
    expect(result(0x1e, [word])).toBe(zeros)
    const { gasLeft } = engine.outcome()
    result(0x19, [word])
    // NOT costs 3.
    expect(engine.outcome().gasLeft - gasLeft).toBe(2n)
  })

  test('given a message of Prague after one of Osaka, then CLZ is no opcode, and then it is again', () => {
    expect(run(0x1e, [1n], true)).toBe(EngineExit.revert)
    expect(run(0x1e, [1n], false)).toBe(EngineExit.invalidOpcode)
    expect(run(0x1e, [1n], true)).toBe(EngineExit.revert)
  })
})
