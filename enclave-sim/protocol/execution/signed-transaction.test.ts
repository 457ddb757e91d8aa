import { hexToBytes } from '@ethereumjs/util'
import { getContractAddress, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Alloc } from '../types/account.ts'
import type { Address, Hash, Hex } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import type { Schedule } from '../types/schedule.ts'
import { readAccount } from './account-reader.ts'
import { openTestBlock, TEST_BASE_FEE, TEST_CHAIN_ID } from './test-block.ts'
import { TransactionInvalid } from './transaction-invalid.ts'

const signer = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const SENDER = signer.address.toLowerCase() as Address
const NOBODY: Address = '0x00000000000000000000000000000000000000aa'
const REVERTING: Address = '0x00000000000000000000000000000000000000bb'
const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
const ETHER = 10n ** 18n
const GWEI = 10n ** 9n

/** L1Block as op-geth's fee tests fill it, with an operator fee and a DA scalar. */
const FEES = {
  [slot(1)]: word(1_000_000_000n),
  // Bytes 16-19: base fee scalar 2; bytes 20-23: blob base fee scalar 3.
  [slot(3)]: word((2n << 96n) | (3n << 64n)),
  [slot(7)]: word(10_000_000n),
  // Bytes 18-19: DA footprint gas scalar 25; 20-23: operator fee scalar 7; 24-31: constant 11.
  [slot(8)]: word((25n << 96n) | (7_000_000n << 64n) | 11n),
}

function slot(index: number): Hash {
  return word(BigInt(index))
}

function word(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

async function open(
  fork: Fork = 'jovian',
  storage: Record<Hash, Hash> = {},
  gasLimit = 30_000_000n,
  l1BlockCode: Hex = '0x',
  upgrades: Schedule = {},
) {
  const alloc: Alloc = {
    [SENDER]: { balance: ETHER },
    [REVERTING]: { code: '0x5f5ffd', nonce: 1n },
    [L1_BLOCK]: { nonce: 1n, storage, code: l1BlockCode },
  }
  const opened = await openTestBlock(alloc, { fork, gasLimit, upgrades })
  const execute = async (fields: Partial<TransactionSerializable> = {}) => {
    const raw = await signer.signTransaction({
      type: 'eip1559',
      chainId: TEST_CHAIN_ID,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: GWEI,
      to: NOBODY,
      value: 5n,
      ...fields,
    } as TransactionSerializable)
    return opened.block.execute(decodeTransaction(hexToBytes(raw)))
  }
  return { ...opened, execute }
}

describe('a signed transaction', () => {
  test.each<[Fork, bigint, bigint]>([
    // 21,000 gas × 7,000,000 / 10⁶ + 11 (OP spec, Isthmus).
    ['isthmus', 147_011n, 0n],
    // 21,000 gas × 7,000,000 × 100 + 11, and 100 bytes × 25 (OP spec, Jovian).
    ['jovian', 14_700_000_000_011n, 2_500n],
  ])(
    'given fees of every kind under %s, then each vault gets its part and the sender pays the sum',
    async (fork, operatorFee, footprint) => {
      const { execute, block, store } = await open(fork, FEES)
      const receipt = await execute()
      const { header } = await block.seal()
      const balance = (address: Address) => readAccount(store, header.stateRoot, address)?.balance
      // op-geth, rollup_cost_test.go: 100 bytes × (16 × 2 × 10⁹ + 3 × 10⁷) / 10⁶.
      const l1Fee = 3_203_000n
      const price = 2n * GWEI < TEST_BASE_FEE + GWEI ? 2n * GWEI : TEST_BASE_FEE + GWEI
      expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n, effectiveGasPrice: price })
      expect(receipt.l1).toEqual({
        l1GasPrice: 1_000_000_000n,
        l1BlobBaseFee: 10_000_000n,
        l1BaseFeeScalar: 2n,
        l1BlobBaseFeeScalar: 3n,
        l1GasUsed: 1_600n,
        l1Fee,
        operatorFeeScalar: 7_000_000n,
        operatorFeeConstant: 11n,
        daFootprint: footprint,
        daFootprintGasScalar: footprint === 0n ? 0n : 25n,
      })
      expect(balance(header.miner)).toBe(21_000n * GWEI)
      expect(balance('0x4200000000000000000000000000000000000019')).toBe(21_000n * TEST_BASE_FEE)
      expect(balance('0x420000000000000000000000000000000000001a')).toBe(l1Fee)
      expect(balance('0x420000000000000000000000000000000000001b')).toBe(operatorFee)
      expect(balance(SENDER)).toBe(ETHER - 5n - 21_000n * price - l1Fee - operatorFee)
      expect(header.blobGasUsed).toBe(footprint)
      expect(block.daFootprint).toBe(footprint)
    },
  )

  test('given a scalar of 0 in L1Block, then the DA footprint counts 400 gas per byte (OP spec, Jovian)', async () => {
    const { execute, block } = await open('jovian')
    await execute()
    expect((await block.seal()).header.blobGasUsed).toBe(40_000n)
  })

  test('given unused gas, then the operator fee is charged for what was used only', async () => {
    const { execute, block, store } = await open('jovian', FEES)
    await execute({ gas: 500_000n })
    const { header } = await block.seal()
    const vault = readAccount(store, header.stateRoot, '0x420000000000000000000000000000000000001b')
    expect(vault?.balance).toBe(14_700_000_000_011n)
  })

  test('given a creation that reverts, then the receipt names the address all the same', async () => {
    const { execute } = await open()
    const data = '0x5f5ffd'
    const receipt = await execute({ to: undefined, gas: 60_000n, data })
    const expected = getContractAddress({ from: SENDER, nonce: 0n }).toLowerCase()
    expect(receipt).toMatchObject({ status: 0, contractAddress: expected })
  })

  test('given Azul, then 2^24 gas may be asked for and one more may not, but by a deposit (EIP-7825)', async () => {
    const cap = 16_777_216n
    const azul = await open('jovian', {}, 60_000_000n, '0x', { azul: 1_700_000_002 })
    const refused = await azul.execute({ gas: cap + 1n }).catch((reason: unknown) => reason)
    expect(refused).toMatchObject({ code: 'GAS_ABOVE_CAP', fields: { have: cap + 1n, limit: cap } })
    expect(await azul.execute({ gas: cap })).toMatchObject({ status: 1 })
    const deposit = { from: SENDER, to: NOBODY, mint: 0n, value: 0n, gas: 20_000_000n }
    const rest = { sourceHash: slot(1), isSystemTransaction: false, data: new Uint8Array(0) }
    const receipt = await azul.block.execute(
      decodeTransaction(encodeDeposit({ ...deposit, ...rest })),
    )
    expect(receipt.status).toBe(1)
    // The block before it knows no cap.
    const before = await open('jovian', {}, 60_000_000n, '0x', { azul: 1_700_000_003 })
    expect(await before.execute({ gas: cap + 1n })).toMatchObject({ status: 1 })
  })

  test.each<[string, Partial<TransactionSerializable>, string]>([
    ['a nonce used before', { nonce: 0 }, 'NONCE_TOO_LOW'],
    ['a nonce of the future', { nonce: 2 }, 'NONCE_TOO_HIGH'],
    ['another chain', { nonce: 1, chainId: 1 }, 'WRONG_CHAIN'],
    ['too little gas', { nonce: 1, gas: 20_999n }, 'INTRINSIC_GAS_TOO_LOW'],
    [
      'too little gas for its data (EIP-7623)',
      { nonce: 1, gas: 25_100n, data: `0x${'00'.repeat(1000)}` },
      'FLOOR_GAS_TOO_LOW',
    ],
    [
      'a fee cap below the base fee',
      { nonce: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
      'FEE_CAP_BELOW_BASE_FEE',
    ],
    ['a tip above the fee cap', { nonce: 1, maxPriorityFeePerGas: 3n * GWEI }, 'TIP_ABOVE_FEE_CAP'],
    ['more value than funds', { nonce: 1, value: ETHER }, 'INSUFFICIENT_FUNDS'],
    ['more gas than the block has left', { nonce: 1, gas: 29_980_000n }, 'BLOCK_GAS_EXCEEDED'],
    [
      'init code above the limit (EIP-3860)',
      { nonce: 1, to: undefined, gas: 3_000_000n, data: `0x${'00'.repeat(49_153)}` },
      'INITCODE_TOO_LARGE',
    ],
  ])('given %s, then it is refused and nothing changes', async (_, fields, code) => {
    const { execute, block } = await open()
    await execute()
    const before = await block.checkpoint()
    // viem refuses a tip above the cap by itself.
    const refused = code === 'TIP_ABOVE_FEE_CAP' ? executeTipAboveCap(block) : execute(fields)
    const error = await refused.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TransactionInvalid)
    expect(error).toMatchObject({ code })
    expect(await block.checkpoint()).toEqual(before)
    await execute({ nonce: 1 })
    expect(block.transactions).toHaveLength(2)
  })

  test('given a refused transaction before a deposit that changes the fee parameters, then the changed ones hold', async () => {
    // sstore(7, calldata[0])
    const { block, execute } = await open('jovian', FEES, 30_000_000n, '0x5f35600755')
    await expect(execute({ nonce: 5 })).rejects.toMatchObject({ code: 'NONCE_TOO_HIGH' })
    const attributes = encodeDeposit({
      sourceHash: word(1n),
      from: NOBODY,
      to: L1_BLOCK,
      mint: 0n,
      value: 0n,
      gas: 100_000n,
      isSystemTransaction: false,
      data: hexToBytes(word(20_000_000n)),
    })
    await block.execute(decodeTransaction(attributes))
    expect((await execute()).l1).toMatchObject({ l1BlobBaseFee: 20_000_000n })
  })

  test('given the L1 and operator fee alone exceed the funds, then it is refused with both numbers', async () => {
    const storage = { [slot(8)]: word(2n ** 64n - 1n) }
    const { execute } = await open('jovian', storage)
    const want = 5n + 21_000n * 2n * GWEI + 2n ** 64n - 1n
    await expect(execute()).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      fields: { have: ETHER, want },
    })
  })

  test('given a block whose DA footprint is used up, then the next is refused under Jovian', async () => {
    // 100 bytes × 65,535 gas = 6,553,500 of 10,000,000.
    const storage = { [slot(8)]: word(65_535n << 96n) }
    const { execute } = await open('jovian', storage, 10_000_000n)
    await execute()
    await expect(execute({ nonce: 1 })).rejects.toMatchObject({
      code: 'BLOCK_DA_EXCEEDED',
      fields: { have: 3_446_500n, want: 6_553_500n },
    })
    const isthmus = await open('isthmus', storage, 10_000_000n)
    await isthmus.execute()
    expect(await isthmus.execute({ nonce: 1 })).toMatchObject({ status: 1 })
  })

  test.each([
    // 21,000 + 25,000, and no refund.
    ['an authority that does not exist', generatePrivateKey(), 0, 46_000n],
    // The 12,500 refund is capped at a fifth of 46,000 (EIP-3529).
    ['its own sender as authority', `0x${'42'.repeat(32)}` as const, 1, 36_800n],
  ])(
    'given %s, then the delegation is set and the gas is as EIP-7702 says',
    async (_, key, nonce, gasUsed) => {
      const { execute, block, store } = await open()
      const authority = privateKeyToAccount(key)
      const authorization = await authority.signAuthorization({
        chainId: TEST_CHAIN_ID,
        contractAddress: REVERTING,
        nonce,
      })
      const receipt = await execute({
        type: 'eip7702',
        gas: 100_000n,
        authorizationList: [authorization],
      } as Partial<TransactionSerializable>)
      const { header } = await block.seal()
      expect(receipt).toMatchObject({ status: 1, gasUsed })
      const account = readAccount(
        store,
        header.stateRoot,
        authority.address.toLowerCase() as Address,
      )
      expect(account?.nonce).toBe(BigInt(nonce) + 1n)
      expect(store.get(account!.codeHash)).toEqual(hexToBytes(`0xef0100${REVERTING.slice(2)}`))
    },
  )
})

async function executeTipAboveCap(block: Awaited<ReturnType<typeof open>>['block']) {
  const raw = await signer.signTransaction({
    type: 'eip1559',
    chainId: TEST_CHAIN_ID,
    nonce: 1,
    gas: 21_000n,
    maxFeePerGas: 2n * GWEI,
    maxPriorityFeePerGas: GWEI,
    to: NOBODY,
  })
  const transaction = decodeTransaction(hexToBytes(raw))
  return block.execute(Object.assign(transaction, { maxPriorityFeePerGas: 3n * GWEI }))
}
