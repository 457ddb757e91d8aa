import {
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { type CheatNode, request, startCheatNode } from './cheat-node.ts'

const someone = `0x${'5a'.repeat(20)}` as const
const alice = userKeys[0]!.address
const bob = userKeys[1]!.address

let node: CheatNode
beforeAll(async () => {
  node = await startCheatNode({ manual: true })
})
afterAll(() => node.stop())
const rpc = (method: string, ...params: unknown[]) => request(node.url, method, params)

test('given eth_accounts, then they are the ten public dev accounts', async () => {
  expect(await node.wallet.getAddresses()).toHaveLength(10)
  expect(await rpc('eth_accounts')).toEqual(userKeys.map(({ address }) => address))
})

test('given eth_sendTransaction, then nonce, gas and fees are filled in; many at once get nonces in a row', async () => {
  const hashes = await Promise.all(
    [1n, 2n, 3n].map((value) => node.wallet.sendTransaction({ account: bob, to: someone, value })),
  )
  await rpc('evm_mine')
  const sent = await Promise.all(hashes.map((hash) => node.client.getTransaction({ hash })))
  expect(sent.map(({ nonce }) => nonce).sort()).toEqual([0, 1, 2])
  expect(sent[0]).toMatchObject({ type: 'eip1559', gas: 21_000n, from: bob })
  expect(await node.client.getBalance({ address: someone })).toBe(6n)
})

test.each([
  ['a gas price', { gasPrice: '0x77359400' }, 'legacy'],
  ['a gas price and an access list', { gasPrice: '0x77359400', accessList: [] }, 'eip2930'],
  ['nothing about fees', {}, 'eip1559'],
  ['an access list', { accessList: [{ address: bob, storageKeys: [] }] }, 'eip1559'],
  ['data', { data: '0x1234' }, 'eip1559'],
])(
  'given %s, when eth_signTransaction signs, then it is a transaction of the type that fits',
  async (_, fields, type) => {
    const request = { from: alice, to: bob, ...fields }
    const { raw, tx } = (await rpc('eth_signTransaction', request)) as {
      raw: `0x02${string}`
      tx: object
    }
    expect(parseTransaction(raw)).toMatchObject({ type, to: bob })
    expect(tx).toMatchObject({ from: alice, to: bob, hash: keccak256(raw) })
    const signer = await recoverTransactionAddress({ serializedTransaction: raw })
    expect(signer.toLowerCase()).toBe(alice)
  },
)

test('given authorizations, eth_sendTransaction sends a set-code transaction (EIP-7702)', async () => {
  const delegate = `0x${'de'.repeat(20)}` as const
  const signer = privateKeyToAccount(userKeys[5]!.privateKey)
  const chainId = node.client.chain.id
  const signed = await signer.signAuthorization({ address: delegate, chainId, nonce: 0 })
  const { r, s, yParity } = signed
  const authorization = {
    address: delegate,
    chainId: numberToHex(chainId),
    nonce: '0x0',
    r,
    s,
    yParity: numberToHex(yParity!),
  }
  const request = { from: alice, to: bob, authorizationList: [authorization] }
  const hash = (await rpc('eth_sendTransaction', request)) as `0x${string}`
  await rpc('evm_mine')
  expect(await node.client.getTransaction({ hash })).toMatchObject({ type: 'eip7702', from: alice })
  expect(await node.client.getCode({ address: signer.address })).toBe(
    `0xef0100${delegate.slice(2)}`,
  )
})

test('given personal_sign and eth_sign, then they sign personal messages, and eth_signTypedData_v4 EIP-712', async () => {
  const message = { raw: '0x1234' } as const
  for (const signature of [
    await rpc('personal_sign', '0x1234', alice),
    await rpc('eth_sign', alice, '0x1234'),
  ]) {
    expect(await verifyMessage({ address: alice, message, signature: signature as '0x' })).toBe(
      true,
    )
  }
  const typedData = {
    domain: { name: 'n', chainId: 1n },
    types: { Mail: [{ name: 'to', type: 'address' }] },
    primaryType: 'Mail',
    message: { to: bob },
  } as const
  const signature = await node.wallet.signTypedData({ account: alice, ...typedData })
  expect(await verifyTypedData({ address: alice, ...typedData, signature })).toBe(true)
})

test.each([
  ['eth_sendTransaction', [{ from: someone, to: bob }]],
  ['eth_signTransaction', [{ from: someone, to: bob, gas: '0x5208' }]],
  ['personal_sign', ['0x12', someone]],
  ['eth_signTypedData_v4', [someone, {}]],
])('given nobody it has a key of, %s says so', async (method, params) => {
  await expect(rpc(method, ...params)).rejects.toMatchObject({
    code: -32602,
    message: 'No Signer available',
  })
})

test('given autoImpersonateAccount, then it takes everybody, and dev accounts still sign', async () => {
  await rpc('anvil_setBalance', someone, '0xde0b6b3a7640000')
  await rpc('anvil_autoImpersonateAccount', true)
  const foreign = (await rpc('eth_sendTransaction', { from: someone, to: bob })) as `0x${string}`
  const own = (await rpc('eth_sendTransaction', { from: alice, to: bob })) as `0x${string}`
  await rpc('anvil_autoImpersonateAccount', false)
  await rpc('evm_mine')
  expect(await node.client.getTransaction({ hash: foreign })).toMatchObject({
    from: someone,
    s: '0x0',
  })
  const raw = (await rpc('debug_getRawTransaction', own)) as `0x02${string}`
  expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(
    alice,
  )
  expect(await rpc('anvil_metadata')).toMatchObject({ divergence: { cause: expect.any(String) } })
})

test('given an impersonated transaction, then it cannot be sent raw', async () => {
  await rpc('anvil_impersonateAccount', someone)
  const hash = await rpc('eth_sendTransaction', { from: someone, to: bob })
  const raw = await rpc('debug_getRawTransaction', hash)
  await rpc('anvil_dropAllTransactions')
  await expect(rpc('eth_sendRawTransaction', raw)).rejects.toMatchObject({
    message: 'invalid sender',
  })
})
