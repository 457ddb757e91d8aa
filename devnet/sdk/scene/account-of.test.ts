import { serializeTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig } from 'viem/op-stack'
import { expect, test, vi } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { accountOf } from './account-of.ts'

const { privateKey, address } = userKeys[0]!
const ours = accountOf(privateKey)
const viems = privateKeyToAccount(privateKey)
const to = `0x${'5a'.repeat(20)}` as const
const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n }
const common = { chainId: 84538453, to, value: 5n, gas: 21_000n } as const
const usual = { ...common, ...fees, type: 'eip1559', nonce: 3 } as const
const sidecar = {
  blob: '0x00',
  commitment: `0x${'c0'.repeat(48)}`,
  proof: `0x${'aa'.repeat(48)}`,
} as const
const { transaction: opStack } = chainConfig.serializers

test.each<[string, TransactionSerializable]>([
  ['a transaction of today', usual],
  ['an old one', { ...common, type: 'legacy', gasPrice: 7n }],
  ['one that does not say its type', { ...common, ...fees }],
  [
    'one with blobs',
    {
      ...{ ...usual, type: 'eip4844', maxFeePerBlobGas: 1n, sidecars: [sidecar] },
      blobVersionedHashes: [`0x01${'07'.repeat(31)}`],
    },
  ],
])(
  'given %s, when it is signed, then its bytes are those of an account of viem',
  async (_, transaction) => {
    const signed = await viems.signTransaction(transaction)
    expect(await ours.signTransaction(transaction)).toBe(signed)
    const byOpStack = { serializer: opStack as typeof serializeTransaction }
    expect(await ours.signTransaction(transaction, byOpStack)).toBe(signed)
  },
)

test('given a serializer of the caller, then it makes the bytes', async () => {
  const serializer = vi.fn(serializeTransaction)
  const signed = await viems.signTransaction(usual)
  expect(await ours.signTransaction(usual, { serializer })).toBe(signed)
  expect(serializer).toHaveBeenCalledTimes(2)
})

test('given the same key, then it is the same account, of the same address', () => {
  expect(accountOf(privateKey)).toBe(ours)
  expect(ours.address.toLowerCase()).toBe(address)
})
