import {
  type Address,
  createWalletClient,
  getContractAddress,
  type Hash,
  http,
  type PublicClient,
  parseEther,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { l2ChainId } from '#fixtures/chain/constants'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'
import { createViemScene, type ViemScene } from './viem-scene.ts'

// viem 2.57.0, unmodified: what writes and what watches.
let scene: ViemScene
let overHttp: PublicClient
let overWs: PublicClient
let account: ViemScene['account']
let wallet: ViemScene['wallet']
let confirmed: ViemScene['confirmed']
let token: Address
let other: Address
beforeAll(async () => {
  scene = await createViemScene()
  ;({ overHttp, overWs, account, wallet, confirmed, token, other } = scene)
})
afterAll(() => scene?.stop())

describe('viem wallet', () => {
  test('given a contract, then it stands where getContractAddress says', () => {
    expect(token).toBe(getContractAddress({ from: account(0).address, nonce: 0n }).toLowerCase())
  })

  test('given a transaction of every type, then it is sent and mined', async () => {
    const to = other
    const accessList = [{ address: token, storageKeys: [] }]
    const sent = [
      { type: 'legacy' as const, to },
      { type: 'eip2930' as const, to, accessList },
      { type: 'eip1559' as const, to },
    ]
    for (const transaction of sent) {
      const hash = await wallet(2).sendTransaction(transaction as never)
      expect(await confirmed(hash)).toMatchObject({ status: 'success', type: transaction.type })
    }
    const authorization = await wallet(2).signAuthorization({
      contractAddress: token,
      executor: 'self',
    })
    const hash = await wallet(2).sendTransaction({ to, authorizationList: [authorization] })
    expect(await confirmed(hash)).toMatchObject({ status: 'success', type: 'eip7702' })
    expect(await overHttp.getCode({ address: account(2).address, blockTag: 'pending' })).toBe(
      `0xef0100${token.slice(2)}`,
    )
  })

  test('given prepareTransactionRequest and signTransaction, then sendRawTransaction takes what they made', async () => {
    const request = await wallet(3).prepareTransactionRequest({ to: other, value: 1n })
    expect(request).toMatchObject({ nonce: 0, gas: 21_000n, chainId: l2ChainId })
    const serializedTransaction = await wallet(3).signTransaction(request as never)
    const hash = await overHttp.sendRawTransaction({ serializedTransaction })
    expect((await confirmed(hash)).status).toBe('success')
  })

  test('given sendTransactionSync, then its receipt comes on pre-confirmation', async () => {
    const receipt = await wallet(5).sendTransactionSync({ to: other, value: 1n })
    expect(receipt).toMatchObject({ status: 'success', from: account(5).address.toLowerCase() })
  })

  test('given what cannot be sent, then it fails with the error that viem knows', async () => {
    const send = (value: bigint, nonce: number) =>
      wallet(4).sendTransaction({ to: other, value, nonce, gas: 21_000n })
    await expect(send(parseEther('20000'), 0)).rejects.toThrow('exceeds the balance')
    await confirmed(await send(1n, 0))
    await expect(send(1n, 0)).rejects.toThrow(/nonce .* lower/i)
  })
})

describe('viem wallet without keys', () => {
  const keyless = () =>
    createWalletClient({ account: account(6).address, chain: scene.chain, transport: http() })

  test('given a dev account, then getAddresses, sendTransaction, signMessage and signTypedData work', async () => {
    const { address } = account(6)
    expect(await keyless().getAddresses()).toContain(address)
    const hash = await keyless().sendTransaction({ to: other, value: 1n })
    expect(await confirmed(hash)).toMatchObject({ from: address.toLowerCase() })
    const signature = await keyless().signMessage({ message: 'hello' })
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
    const typed = {
      domain: { name: 'Test', chainId: l2ChainId },
      types: { Mail: [{ name: 'text', type: 'string' }] },
      primaryType: 'Mail',
      message: { text: 'hello' },
    } as const
    const typedSignature = await keyless().signTypedData(typed)
    expect(await verifyTypedData({ ...typed, address, signature: typedSignature })).toBe(true)
  })
})

describe('viem watches', () => {
  test('given a WebSocket, then blocks, block numbers, events and pending transactions are watched', async () => {
    const seen = <T>(watch: (resolve: (value: T) => void) => () => void) => {
      const { promise, resolve } = Promise.withResolvers<T>()
      const unwatch = watch(resolve)
      return promise.finally(unwatch)
    }
    const block = seen<bigint>((resolve) =>
      overWs.watchBlocks({ onBlock: ({ number }) => resolve(number!) }),
    )
    const number = seen<bigint>((resolve) => overWs.watchBlockNumber({ onBlockNumber: resolve }))
    const events = seen<unknown[]>((resolve) =>
      overWs.watchContractEvent({ address: token, abi: testTokenAbi, onLogs: resolve }),
    )
    const pooled = seen<Hash[]>((resolve) =>
      overWs.watchPendingTransactions({ onTransactions: resolve }),
    )
    await overWs.getChainId()
    const hash = await wallet().writeContract({
      address: token,
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [other, 2n],
    })
    expect(await pooled).toContain(hash)
    expect(await events).toMatchObject([{ eventName: 'Transfer', transactionHash: hash }])
    expect(await block).toBeGreaterThan(0n)
    expect(await number).toBeGreaterThan(0n)
  })
})
