import { getContractAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Alloc } from '../types/account.ts'
import type { Address } from '../types/bytes.ts'
import type { DepositTransaction, Transaction } from '../types/transaction.ts'
import { readAccount } from './account-reader.ts'
import { openTestBlock } from './test-block.ts'

const SENDER: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0002'
const NOBODY: Address = '0x00000000000000000000000000000000000000aa'
/** PUSH0 PUSH0 REVERT: two times 2 gas. */
const REVERTING: Address = '0x00000000000000000000000000000000000000bb'
/** INVALID. */
const HALTING: Address = '0x00000000000000000000000000000000000000cc'
const alloc: Alloc = {
  [SENDER]: { balance: 50n, nonce: 7n },
  [REVERTING]: { code: '0x5f5ffd', nonce: 1n },
  [HALTING]: { code: '0xfe', nonce: 1n },
}

function deposit(fields: Partial<DepositTransaction>): Transaction {
  return decodeTransaction(
    encodeDeposit({
      sourceHash: `0x${'11'.repeat(32)}`,
      from: SENDER,
      to: NOBODY,
      mint: 0n,
      value: 0n,
      gas: 100_000n,
      isSystemTransaction: false,
      data: new Uint8Array(0),
      ...fields,
    }),
  )
}

async function run(fields: Partial<DepositTransaction>) {
  const { block, store } = await openTestBlock(alloc)
  const receipt = await block.execute(deposit(fields))
  const { header } = await block.seal()
  return {
    receipt,
    header,
    account: (address: Address) => readAccount(store, header.stateRoot, address),
  }
}

// Expected numbers: OP spec, Deposits ("Execution", "Deposit Receipt") and the EIPs' gas costs.
describe('a deposit', () => {
  test('given mint and value, then both are booked, the gas is what was used, and no fee is paid', async () => {
    const { receipt, header, account } = await run({ mint: 100n, value: 120n })
    expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n, effectiveGasPrice: 0n })
    expect(receipt).toMatchObject({ depositNonce: 7n, depositReceiptVersion: 1n })
    expect(receipt.l1).toBeUndefined()
    expect(account(SENDER)).toMatchObject({ balance: 30n, nonce: 8n })
    expect(account(NOBODY)).toMatchObject({ balance: 120n })
    expect(account(header.miner)).toBeUndefined()
    expect(account('0x4200000000000000000000000000000000000019')).toBeUndefined()
  })

  test('given a call that reverts, then the mint stays, the value comes back and unused gas is not used', async () => {
    const { receipt, account } = await run({ to: REVERTING, mint: 100n, value: 120n })
    expect(receipt).toMatchObject({ status: 0, gasUsed: 21_004n, depositNonce: 7n })
    expect(account(SENDER)).toMatchObject({ balance: 150n, nonce: 8n })
    expect(account(REVERTING)).toMatchObject({ balance: 0n })
  })

  test.each<[string, Partial<DepositTransaction>]>([
    ['a call that halts', { to: HALTING }],
    ['more value than the sender has', { value: 151n }],
    ['the system transaction flag', { isSystemTransaction: true }],
    ['less gas than the intrinsic gas', { gas: 20_999n }],
    ['less gas than the floor of EIP-7623', { gas: 30_999n, data: new Uint8Array(1000) }],
    [
      'init code above the limit of EIP-3860',
      { to: null, gas: 3_000_000n, data: new Uint8Array(49_153) },
    ],
  ])(
    'given %s, then it fails, uses all its gas, keeps the mint and counts the nonce',
    async (_, fields) => {
      const { receipt, account } = await run({ mint: 100n, value: 1n, ...fields })
      const gas = fields.gas ?? 100_000n
      expect(receipt).toMatchObject({ status: 0, gasUsed: gas, logs: [], depositNonce: 7n })
      expect(account(SENDER)).toMatchObject({ balance: 150n, nonce: 8n })
    },
  )

  test('given no recipient, then the contract stands where the nonce before execution says', async () => {
    const { receipt, account } = await run({
      to: null,
      data: Uint8Array.of(0x60, 0x01, 0x5f, 0xf3),
    })
    const expected = getContractAddress({ from: SENDER, nonce: 7n }).toLowerCase()
    expect(receipt.contractAddress).toBe(expected)
    expect(account(receipt.contractAddress!)).toMatchObject({ nonce: 1n })
  })

  test('given more deposits than the block has gas for, then the block cannot be made', async () => {
    const { block } = await openTestBlock(alloc, { gasLimit: 150_000n })
    await block.execute(deposit({ to: HALTING }))
    await expect(block.execute(deposit({}))).rejects.toMatchObject({
      code: 'DEPOSITS_EXCEED_BLOCK_GAS',
    })
  })
})
