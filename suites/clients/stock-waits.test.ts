import { JsonRpcProvider, Wallet } from 'ethers'
import { createWalletClient, type Hash, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rollbedChain, testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'

// What each client does of itself, at the path for people. No block is sealed here: a client that has its receipt
// did not wait for one.
let devnet: Devnet
const walletOf = (index: number) =>
  createWalletClient({
    account: privateKeyToAccount(devnet.description.accounts[index]!.privateKey),
    chain: rollbedChain(devnet.description),
    transport: http(),
  })
    .extend(publicActions)
    .extend(testActions())
const stranger = () => privateKeyToAccount(generatePrivateKey()).address

beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
  await walletOf(0).pauseBlocks()
})
afterAll(() => devnet?.stop())

test("given viem's waitForTransactionReceipt, then it has the pre-confirmation", async () => {
  const wallet = walletOf(0)
  const hash = await wallet.sendTransaction({ to: stranger(), value: 1n })
  expect(await wallet.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
})

test('given viem, when it sends three times and waits for nothing, then all of them arrive', async () => {
  const wallet = walletOf(1)
  const to = stranger()
  const hashes: Hash[] = []
  for (const value of [1n, 2n, 3n]) hashes.push(await wallet.sendTransaction({ to, value }))
  for (const hash of hashes) await wallet.waitForTransactionReceipt({ hash })
  expect(await wallet.getBalance({ address: to, blockTag: 'pending' })).toBe(6n)
})

test('given ethers without its cache, when it sends five times in a row, then all of them arrive, and wait() has a pre-confirmation', async () => {
  const { baseRpcUrl, accounts } = devnet.description
  const provider = new JsonRpcProvider(baseRpcUrl, undefined, { cacheTimeout: -1 })
  try {
    const wallet = new Wallet(accounts[2]!.privateKey, provider)
    const to = stranger()
    const sent = []
    for (const value of [1n, 2n, 3n, 4n, 5n]) sent.push(await wallet.sendTransaction({ to, value }))
    for (const each of sent) expect(await each.wait()).toMatchObject({ status: 1 })
    expect(await provider.getBalance(to, 'pending')).toBe(15n)
  } finally {
    provider.destroy()
  }
})
