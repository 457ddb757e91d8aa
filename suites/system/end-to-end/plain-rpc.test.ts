import { JsonRpcProvider, Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startDevnet } from '#devnet/index'

test('given the endpoint without pre-confirmations, then it has no simulateV1, and its pending is latest', async () => {
  await using devnet = await startDevnet({ plainRpc: true, manual: true, enclaves: 0 })
  const plain = httpRpcClient(devnet.description.plainRpcUrl!)
  const block = (tag: string) => plain.request('eth_getBlockByNumber', [tag, false])
  expect(await block('pending')).toEqual(await block('latest'))
  await expect(
    plain.request('eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest']),
  ).rejects.toMatchObject({ rpcCode: -32601 })
})

test('given a pre-confirmed transaction, then at the plain endpoint it waits until it is sealed', async () => {
  await using devnet = await startDevnet({ plainRpc: true, manual: true, enclaves: 0 })
  const { rpcUrl, plainRpcUrl, accounts } = devnet.description
  const [plain, full] = [httpRpcClient(plainRpcUrl!), httpRpcClient(rpcUrl)]
  const provider = new JsonRpcProvider(plainRpcUrl!, undefined, {
    staticNetwork: true,
    // ethers answers a repeated question of the last 250 ms, such as the nonce, from its cache.
    cacheTimeout: -1,
  })
  const wallet = new Wallet(accounts[0]!.privateKey, provider)
  const nonceAt = (tag: string) => plain.request('eth_getTransactionCount', [wallet.address, tag])
  try {
    const first = await wallet.sendTransaction({ to: accounts[1]!.address, value: 1n })
    const read = () => plain.request('eth_getTransactionByHash', [first.hash])
    const pooled = await read()
    expect(pooled).toMatchObject({ hash: first.hash, blockHash: null, transactionIndex: null })
    const raw = await plain.request('eth_getRawTransactionByHash', [first.hash])

    await devnet.node.flashblock()
    const placed = await full.request('eth_getTransactionByHash', [first.hash])
    expect(placed).toMatchObject({ transactionIndex: '0x1' })
    expect(await read()).toEqual(pooled)
    expect(await plain.request('eth_getRawTransactionByHash', [first.hash])).toBe(raw)
    expect(await plain.request('eth_getTransactionReceipt', [first.hash])).toBeNull()
    expect(await plain.request('txpool_status', [])).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await full.request('txpool_status', [])).toEqual({ pending: '0x0', queued: '0x0' })
    expect([await nonceAt('latest'), await nonceAt('pending')]).toEqual(['0x0', '0x1'])

    // Takes the nonce at pending, as web3.js does.
    const second = await wallet.sendTransaction({ to: accounts[1]!.address, value: 1n })
    expect([second.nonce, await nonceAt('pending')]).toEqual([1, '0x2'])
    const deposit = devnet.node.chain.pending()!.transactions[0]!
    expect(await plain.request('eth_getTransactionByHash', [deposit.hash])).toBeNull()
    await devnet.node.flashblock()
    await devnet.node.seal()
    expect(await read()).toMatchObject({ blockNumber: '0x1', transactionIndex: '0x1' })
    expect((await second.wait())?.status).toBe(1)
    expect([await nonceAt('latest'), await nonceAt('pending')]).toEqual(['0x2', '0x2'])
  } finally {
    provider.destroy()
  }
})

test('given the plain endpoint, then it has the dev accounts and the cheats of the other one', async () => {
  await using devnet = await startDevnet({ plainRpc: true, manual: true, enclaves: 0 })
  const { rpcUrl, plainRpcUrl, accounts } = devnet.description
  const [plain, full] = [httpRpcClient(plainRpcUrl!), httpRpcClient(rpcUrl)]
  const whale = `0x${'ab'.repeat(20)}`
  await plain.request('anvil_setBalance', [whale, '0xde0b6b3a7640000'])
  await full.request('anvil_impersonateAccount', [whale])
  const accountsThere = await plain.request('eth_accounts', [])
  expect(accountsThere).toEqual([...accounts.map(({ address }) => address.toLowerCase()), whale])
  expect(accountsThere).toEqual(await full.request('eth_accounts', []))
  const send = () =>
    plain.request('eth_sendTransaction', [{ from: whale, to: accounts[1]!.address }])
  const hashes = await Promise.all([send(), send()])
  await plain.request('evm_mine', [])
  for (const hash of hashes) {
    const receipt = await plain.request('eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ status: '0x1', from: whale })
  }
})
