import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { type L1Transaction, signL1Transaction } from './sign-l1-transaction.ts'

const base: L1Transaction = {
  chainId: 1337,
  nonce: 0,
  to: userKeys[1]!.address,
  data: '0x',
  value: 0n,
  gas: 21_000n,
  maxFeePerGas: 100_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
}

test.each<[string, Partial<L1Transaction>]>([
  ['a transfer', { value: 10n ** 18n }],
  ['a call with data', { nonce: 300, data: '0xdeadbeef', gas: 8_000_000n }],
  ['a creation', { to: null, data: '0x6000' }],
  ['no tip', { maxPriorityFeePerGas: 0n }],
])('given %s, when signed, then the bytes are those that viem makes', async (_, change) => {
  const transaction = { ...base, ...change }
  const account = privateKeyToAccount(roleKeys.deployer.privateKey)
  const expected = await account.signTransaction({ ...transaction, type: 'eip1559' })
  expect(signL1Transaction(transaction, roleKeys.deployer.privateKey).raw).toBe(expected)
})

test('given 200 nonces, when signed, then each agrees with viem, also where r or s is short', async () => {
  const account = privateKeyToAccount(roleKeys.deployer.privateKey)
  for (let nonce = 0; nonce < 200; nonce++) {
    const transaction = { ...base, nonce }
    const expected = await account.signTransaction({ ...transaction, type: 'eip1559' })
    expect(signL1Transaction(transaction, roleKeys.deployer.privateKey).raw).toBe(expected)
  }
})
