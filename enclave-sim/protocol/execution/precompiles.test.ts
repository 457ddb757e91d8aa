import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Address, Hex } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import type { Schedule } from '../types/schedule.ts'
import { openTestBlock } from './test-block.ts'

const CALLER: Address = '0x00000000000000000000000000000000000000a1'
const key = new Uint8Array(32).fill(7)
const digest = new Uint8Array(32).fill(9)

const AZUL = { azul: 'genesis' } as const

async function call(
  number: number,
  data: Uint8Array,
  fork: Fork = 'jovian',
  gas = 30_000_000n,
  upgrades: Schedule = {},
) {
  const { executor, store, genesis, block } = await openTestBlock({}, { fork, upgrades })
  const scratch = executor.openScratch({ store, stateRoot: genesis.header.stateRoot })
  const to: Address = `0x${number.toString(16).padStart(40, '0')}`
  const rules = { environment: block.environment, validate: false }
  return scratch.call({ from: CALLER, to, data, value: 0n, gas }, rules)
}

/** Whether a contract can call a precompile with this much gas. */
async function succeedsWith(
  number: number,
  data: Uint8Array,
  gas: number,
  upgrades: Schedule = {},
): Promise<boolean> {
  const word = (value: number) => value.toString(16).padStart(6, '0')
  const { executor, store, genesis, block } = await openTestBlock({}, { upgrades })
  const scratch = executor.openScratch({ store, stateRoot: genesis.header.stateRoot })
  // Copies the calldata, STATICCALLs with it and returns what that leaves on the stack.
  const code: Hex = `0x365f5f375f5f365f62${word(number)}62${word(gas)}fa5f5260205ff3`
  const to: Address = '0x00000000000000000000000000000000000000cc'
  await scratch.setCode(to, hexToBytes(code))
  const message = { from: CALLER, to, data, value: 0n, gas: 1_000_000n }
  const { output } = await scratch.call(message, {
    environment: block.environment,
    validate: false,
  })
  return BigInt(bytesToHex(output)) === 1n
}

describe('precompiles', () => {
  test('given a P-256 signature at 0x100, then it is verified for 3450 gas (OP spec, Fjord)', async () => {
    const signature = p256.sign(digest, key, { prehash: false })
    const publicKey = p256.getPublicKey(key, false).subarray(1)
    const input = concatBytes(digest, signature, publicKey)
    expect(BigInt(bytesToHex((await call(0x100, input)).output))).toBe(1n)
    expect(await succeedsWith(0x100, input, 3_450)).toBe(true)
    expect(await succeedsWith(0x100, input, 3_449)).toBe(false)
    input[0]! ^= 1
    expect((await call(0x100, input)).output).toEqual(new Uint8Array(0))
  })

  test('given a signature, then ecrecover finds its address', async () => {
    const { r, s, recovery } = secp256k1.Signature.fromBytes(
      secp256k1.sign(digest, key, { prehash: false, format: 'recovered' }),
      'recovered',
    )
    const word = (value: bigint) => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`)
    const input = concatBytes(digest, word(27n + BigInt(recovery!)), word(r), word(s))
    const { output } = await call(1, input)
    const address = privateKeyToAddress(bytesToHex(key)).toLowerCase()
    expect(bytesToHex(output)).toBe(`0x${address.slice(2).padStart(64, '0')}`)
  })

  // go-ethereum, core/vm/testdata/precompiles/pointEvaluation.json.
  const POINT: Hex =
    '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a'

  test('given a KZG proof at 0x0a, then it is verified for 50,000 gas, and a wrong one is not', async () => {
    const input = hexToBytes(POINT)
    const { output } = await call(0x0a, input)
    expect(bytesToHex(output)).toBe(
      '0x000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001',
    )
    input[70]! ^= 1
    expect(await call(0x0a, input)).toMatchObject({ status: 0, gasUsed: 30_000_000n })
  })

  // OP spec, Granite, Isthmus and Jovian; each limit is a whole number of elements or just above.
  test.each<[Fork, number, number]>([
    ['isthmus', 0x08, 112_687],
    ['jovian', 0x08, 81_984],
    ['isthmus', 0x0c, 513_760],
    ['jovian', 0x0c, 288_960],
    ['isthmus', 0x0e, 488_448],
    ['jovian', 0x0e, 278_784],
    ['isthmus', 0x0f, 235_008],
    ['jovian', 0x0f, 156_672],
  ])(
    'given %s and 0x%s, then input above %i bytes halts without being looked at',
    async (fork, number, limit) => {
      const { gasUsed, halt } = await call(number, new Uint8Array(limit + 1), fork, 300_000_000n)
      expect(gasUsed).toBe(300_000_000n)
      expect(halt?.kind).toBe('out of gas')
    },
  )

  test('given pairing input between the limits of the forks, then Isthmus runs it and Jovian does not', async () => {
    const input = new Uint8Array(192 * 430)
    expect(input.length).toBeGreaterThan(81_984)
    const gas = 40_000_000n
    expect(await call(0x08, input, 'isthmus', gas)).toMatchObject({ status: 1 })
    expect(await call(0x08, input, 'jovian', gas)).toMatchObject({ status: 0, gasUsed: gas })
  })
})

describe('precompiles since Azul', () => {
  test('given a P-256 signature at 0x100, then it is verified for 6900 gas (EIP-7951)', async () => {
    const signature = p256.sign(digest, key, { prehash: false })
    const input = concatBytes(digest, signature, p256.getPublicKey(key, false).subarray(1))
    expect(await succeedsWith(0x100, input, 6_900, AZUL)).toBe(true)
    expect(await succeedsWith(0x100, input, 6_899, AZUL)).toBe(false)
    // A block before it has the old price.
    expect(await succeedsWith(0x100, input, 3_450, { azul: 2 ** 40 })).toBe(true)
  })

  // go-ethereum, core/vm/testdata/precompiles/modexp_eip7883.json, by the names there.
  test.each([
    ['nagydani-1-square', 64, '02', 500],
    ['nagydani-1-pow0x10001', 64, '010001', 2_048],
    ['nagydani-2-square', 128, '02', 512],
    ['nagydani-2-pow0x10001', 128, '010001', 8_192],
    ['nagydani-3-qube', 256, '03', 2_048],
    ['nagydani-3-pow0x10001', 256, '010001', 32_768],
    ['nagydani-4-square', 512, '02', 8_192],
    ['nagydani-4-pow0x10001', 512, '010001', 131_072],
    ['nagydani-5-qube', 1024, '03', 32_768],
    ['nagydani-5-pow0x10001', 1024, '010001', 524_288],
  ])('given the form of %s, then MODEXP costs %4$i gas (EIP-7883)', async (_, length, hex, gas) => {
    const input = modexpInput(length, hexToBytes(`0x${hex}`), length)
    expect(await succeedsWith(5, input, gas, AZUL)).toBe(true)
    expect(await succeedsWith(5, input, gas - 1, AZUL)).toBe(false)
  })

  test.each([
    ['base', 1_025, 1, 1],
    ['exponent', 1, 1_025, 1],
    ['modulus', 1, 1, 1_025],
  ])(
    'given a %s of 1,025 bytes, then MODEXP fails with all gas, and with 1,024 it does not (EIP-7823)',
    async (_, base, exponent, modulus) => {
      const gas = 16_000_000n
      const run = (shorter: number, upgrades: Schedule = {}) => {
        const cut = (length: number) => (length > 1 ? length - shorter : length)
        const input = modexpInput(cut(base), new Uint8Array(cut(exponent)), cut(modulus))
        return call(5, input, 'jovian', gas, upgrades)
      }
      expect(await run(0, AZUL)).toMatchObject({ status: 0, gasUsed: gas })
      expect(await run(1, AZUL)).toMatchObject({ status: 1 })
      expect(await run(0)).toMatchObject({ status: 1 })
    },
  )
})

/** EIP-198: three lengths, then base and modulus of ones, which are odd, around the exponent. */
function modexpInput(base: number, exponent: Uint8Array, modulus: number): Uint8Array {
  const lengths = [base, exponent.length, modulus].map((length) =>
    hexToBytes(`0x${length.toString(16).padStart(64, '0')}`),
  )
  const ones = (length: number) => new Uint8Array(length).fill(0xff)
  return concatBytes(...lengths, ones(base), exponent, ones(modulus))
}
