import type { TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { signWithKey } from './sign-with-key.ts'

const { privateKey } = userKeys[0]!
const account = privateKeyToAccount(privateKey)
const to = `0x${'5a'.repeat(20)}` as const
const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }] as const
const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n }
const common = { chainId: 84538453, to, value: 5n, gas: 21_000n, data: '0x1234' } as const

const SHAPES: readonly object[] = [
  { ...common, type: 'legacy', gasPrice: 7n },
  { ...common, chainId: undefined, type: 'legacy', gasPrice: 7n },
  { ...common, type: 'eip2930', gasPrice: 7n, accessList },
  { ...common, type: 'eip1559', ...fees },
  { ...common, to: undefined, type: 'eip1559', ...fees, accessList },
]

// Of sixty signatures some have an r or s with leading zeros, and either parity.
it('given transactions of each type, when they are signed, then their bytes are those of viem', async () => {
  const authorization = { address: to, chainId: 1, nonce: 3 }
  const delegation = await account.signAuthorization(authorization)
  const delegating = { ...common, type: 'eip7702', ...fees, authorizationList: [delegation] }
  for (const shape of [...SHAPES, delegating])
    for (let nonce = 0; nonce < 10; nonce++) {
      const transaction = { ...shape, nonce } as TransactionSerializable
      expect(signWithKey(transaction, privateKey)).toBe(await account.signTransaction(transaction))
    }
})
