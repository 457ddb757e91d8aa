import { createPublicClient, createWalletClient, getContractAddress, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, expectTypeOf } from 'vitest'
import { preconfirmationActions, rollbedChain } from '#devnet/sdk/viem/index'
import { test } from '#devnet/sdk/vitest/index'
import { systemClock } from '#protocol/clock/system-clock'

const NOBODY = '0x000000000000000000000000000000000000bEEF'

describe.concurrent('given two tests at once, when both send from one account, then neither sees the other', () => {
  for (const value of [1n, 2n]) {
    test(`given ${value} wei`, async ({ client, wallet, expect: expectHere }) => {
      const { transactionHash } = await wallet.sendAndPreconfirm({ to: NOBODY, value })
      expectHere(await client.getBalance({ address: NOBODY, blockTag: 'pending' })).toBe(value)
      expectHere((await client.getTransaction({ hash: transactionHash })).nonce).toBe(0)
    })
  }
})

test('given the clock, when a week passes, then the chain is a week older', async ({ clock }) => {
  const before = await clock.now()
  await clock.pause()
  expect(await clock.advance(604_800)).toBeGreaterThanOrEqual(before + 604_800n)
  await clock.flashblock()
  await clock.seal()
  await clock.resume()
})

test('given faults, when pre-confirmations are dropped, then what was paid is back', async ({
  clock,
  faults,
  walletOf,
}) => {
  const wallet = walletOf(3)
  await clock.pause()
  await wallet.sendAndPreconfirm({ to: NOBODY, value: 5n })
  await faults.dropPreconfirmations()
  expect(await wallet.getBalance({ address: NOBODY, blockTag: 'pending' })).toBe(0n)
  await clock.seal()
  const { hash, number } = await wallet.getBlock()
  await faults.reorganize(1)
  expect((await wallet.getBlock({ blockNumber: number })).hash).not.toBe(hash)
  await faults.rollback(1)
  expect((await wallet.getBlock()).number).toBe(number - 1n)
})

test('given a test, then types flow into what it gets', ({ wallet, devnet, chain }) => {
  expectTypeOf(wallet.account.address).toEqualTypeOf<`0x${string}`>()
  expectTypeOf(devnet.description.chainId).toEqualTypeOf<number>()
  expect(chain.id).toBe(devnet.description.chainId)
})

// As the page and the docstring show it.
test('given a transfer, then it arrives with its pre-confirmation', async ({ client, wallet }) => {
  const to = '0x000000000000000000000000000000000000bEEF'
  await wallet.sendAndPreconfirm({ to, value: 1n })
  expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(1n)
})

test.extend({ flashblocks: 'beat' })(
  'given a test that asks for the beat, when it sends one after the other, then 200 ms lie between',
  async ({ wallet }) => {
    const began = systemClock.now()
    for (let sent = 0; sent < 3; sent++) await wallet.sendAndPreconfirm({ to: NOBODY, value: 1n })
    // Each has a flashblock of its own, so two beats lie between the first and the third.
    expect(systemClock.now() - began).toBeGreaterThanOrEqual(395)
  },
)

// As the page shows it.
const withAnswer = test.extend<{ deployed: { answer: `0x${string}` } }>({
  deployed: [
    async ({ devnet }, use) => {
      const deployer = createWalletClient({
        account: privateKeyToAccount(devnet.description.accounts[0]!.privateKey),
        chain: rollbedChain(devnet.description),
        transport: http(),
      }).extend(preconfirmationActions())
      const data = '0x600a80600b6000396000f3602a60005260206000f3' // returns 42
      const { contractAddress } = await deployer.sendAndPreconfirm({ data })
      await use({ answer: contractAddress! })
    },
    { scope: 'worker' },
  ],
})

withAnswer('given a contract of the worker, then it answers', async ({ client, deployed }) => {
  const { data } = await client.call({ to: deployed.answer, blockTag: 'pending' })
  expect(BigInt(data!)).toBe(42n)
})

withAnswer('given two tests of a worker, then it has deployed once', async ({ devnet }) => {
  const { address } = privateKeyToAccount(devnet.description.accounts[0]!.privateKey)
  const onDevnet = createPublicClient({
    chain: rollbedChain(devnet.description),
    transport: http(),
  })
  expect(await onDevnet.getTransactionCount({ address, blockTag: 'pending' })).toBe(1)
})

withAnswer(
  'given a test that does not name what was deployed, then its chain has it',
  async ({ client, devnet }) => {
    const { address } = privateKeyToAccount(devnet.description.accounts[0]!.privateKey)
    const answer = getContractAddress({ from: address, nonce: 0n })
    expect(await client.getCode({ address: answer, blockTag: 'pending' })).toMatch(/^0x60/)
  },
)

withAnswer('given what was deployed, then its type flows', ({ deployed }) => {
  expectTypeOf(deployed.answer).toEqualTypeOf<`0x${string}`>()
})
