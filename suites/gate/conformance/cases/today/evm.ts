import { caseOfToday } from '../../case-of-today.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectNoResult } from '../../matchers/expect-error.ts'
import { assemble } from '../../probes/assembly.ts'
import { ethCall, toWord, words } from '../../reads/eth-call.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const MODEXP = toAddress(0x05)
const P256VERIFY = toAddress(0x100)

/** Words and their leading zero bits. */
const CLZ: readonly (readonly [word: bigint, zeros: bigint])[] = [
  [0n, 256n],
  [1n, 255n],
  [0xffn, 248n],
  [1n << 128n, 127n],
  [(1n << 255n) - 1n, 1n],
  [1n << 255n, 0n],
  [(1n << 256n) - 1n, 0n],
]
const CLZ_GAS = 5n
/** EIP-7823. */
const LONGEST = 1_024n

/** EIP-7883: 16 for up to 32 bytes, times the bits of the exponent but for the highest. */
const MODEXP_LEAST = 500n
const ALL_BITS = (1n << 256n) - 1n
const MODEXP_OF_256_BITS = 16n * 255n
const P256_PRICE = 6_900n

export const cases = defineCases([
  caseOfToday(
    {
      id: 'today.evm.clz.01',
      title: 'CLZ counts leading zeros, for 5 gas',
      rules: ['TODAY-EVM-01'],
      rationale: 'Run as creation code with nobody as `to`, so that nothing need be deployed.',
    },
    async ({ rpc }) => {
      for (const [value, zeros] of CLZ) {
        const word = toWord(value)
        const answer = await ethCall(rpc, {
          data: assemble(`${word} CLZ PUSH0 MSTORE 0x20 PUSH0 RETURN`),
        })
        expectEqual(BigInt(answer), zeros, `CLZ of ${word}`)
      }
      // What lies between the two looks at the gas: PUSH0, CLZ, POP, and the second look.
      const spent = await gasBetween(rpc, 'PUSH0 CLZ POP')
      expectEqual(spent - 2n - 2n - 2n, CLZ_GAS, 'gas of CLZ')
    },
  ),
  caseOfToday(
    {
      id: 'today.evm.modexp-length.01',
      title: 'MODEXP takes lengths up to 1,024 bytes and fails above',
      rules: ['TODAY-EVM-02'],
      rationale: 'Each of the three lengths is tried, with all else empty.',
    },
    async ({ rpc }) => {
      for (const place of [0, 1, 2]) {
        const ask = (length: bigint) => {
          const lengths = [0n, 0n, 0n].map((none, at) => (at === place ? length : none))
          return rpc.call('eth_call', [{ to: MODEXP, data: words(...lengths) }, 'latest'])
        }
        resultOf(await ask(LONGEST), `MODEXP with length ${place} of ${LONGEST}`)
        expectNoResult(await ask(LONGEST + 1n), `MODEXP with length ${place} of ${LONGEST + 1n}`)
      }
    },
  ),
  caseOfToday(
    {
      id: 'today.evm.modexp-gas.01',
      title: 'MODEXP costs 500 gas at least, and what EIP-7883 says for 256 bits',
      rules: ['TODAY-EVM-03'],
      rationale: 'Measured in the EVM itself, so that no estimate stands between.',
    },
    async ({ rpc }) => {
      const empty = await priceOf(rpc, MODEXP, [])
      expectEqual(empty, MODEXP_LEAST, 'gas of MODEXP with nothing')
      const wide = await priceOf(rpc, MODEXP, [32n, 32n, 32n, 2n, ALL_BITS, 3n])
      expectEqual(wide, MODEXP_OF_256_BITS, 'gas of MODEXP with an exponent of 256 bits')
    },
  ),
  caseOfToday(
    {
      id: 'today.evm.p256-gas.01',
      title: 'P256VERIFY costs 6,900 gas',
      rules: ['TODAY-EVM-04'],
      rationale: 'Also for a signature that is none: the price does not depend on the answer.',
    },
    async ({ rpc }) => {
      const price = await priceOf(rpc, P256VERIFY, [1n, 2n, 3n, 4n, 5n])
      expectEqual(price, P256_PRICE, 'gas of P256VERIFY')
    },
  ),
])

function toAddress(value: number) {
  return `0x${value.toString(16).padStart(40, '0')}` as const
}

/** Gas from one GAS to the next, the second one included. */
async function gasBetween(rpc: CaseContext['rpc'], source: string, before = ''): Promise<bigint> {
  const code = assemble(`${before} GAS ${source} GAS SWAP1 SUB PUSH0 MSTORE 0x20 PUSH0 RETURN`)
  return BigInt(await ethCall(rpc, { data: code }))
}

/** What a precompile takes for words of input: those lie in memory before the gas is looked at. */
async function priceOf(
  rpc: CaseContext['rpc'],
  address: `0x${string}`,
  input: readonly bigint[],
): Promise<bigint> {
  const hex = (value: number) => `0x${value.toString(16).padStart(4, '0')}`
  const stored = input.map((value, at) => `${toWord(value)} ${hex(at * 32)} MSTORE`)
  const call = `PUSH0 PUSH0 ${hex(input.length * 32)} PUSH0 ${address} GAS STATICCALL POP`
  const spent = await gasBetween(rpc, call, stored.join(' '))
  // Three of PUSH0, two of PUSH, GAS, the call of a warm address, POP, and the second look.
  return spent - 3n * 2n - 2n * 3n - 2n - 100n - 2n - 2n
}
