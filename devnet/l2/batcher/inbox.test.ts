import { afterEach, beforeEach, expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { signL1Transaction } from '#devnet/l1/sign-l1-transaction'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { batchInbox, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type Inbox, openInbox, type SignedTransaction } from './inbox.ts'

const { privateKey } = roleKeys.batcher
const DATA = [new Uint8Array(1_000).fill(0xff), Uint8Array.of(0)]

let l1: L1
let inbox: Inbox

beforeEach(async () => {
  const clock = new VirtualClock()
  l1 = await startL1({ clock, genesisTime: clock.now() / 1000, blockTime: 0 })
  const { signal } = new AbortController()
  inbox = openInbox({ l1RpcUrl: l1.rpcUrl, l1ChainId, address: batchInbox, privateKey, signal })
})
afterEach(() => l1.stop())

test('given data sent, when L1 mines, then all of it is in that block, in order', async () => {
  const sent = await send(inbox, DATA)
  expect(await landings(sent)).toEqual(['pending', 'pending'])
  const { hash, number } = await l1.mine()
  const landed = { l1Block: hash, l1Number: number }
  expect(await landings(sent)).toEqual([landed, landed])
  expect(await inbox.l1Head()).toMatchObject({ number })
  expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1])
})

test('given a transaction that L1 knows, when it is sent again, then nothing happens', async () => {
  const [sent] = await send(inbox, DATA)
  await inbox.sendAgain(sent!, 0)
  expect(await inbox.landing(sent!)).toBe('pending')
})

test('given a transaction that L1 mined since it was looked for, when it is sent again, then nothing happens', async () => {
  const [sent] = await send(inbox, DATA.slice(0, 1))
  const { hash, number } = await l1.mine()
  expect(await inbox.sendAgain(sent!, 0)).toBe(sent)
  expect(await inbox.landing(sent!)).toEqual({ l1Block: hash, l1Number: number })
})

test('given a transaction before it that L1 dropped, when it is sent again, then it takes its place', async () => {
  const [first] = await send(inbox, DATA.slice(0, 1))
  const [second] = await send(inbox, DATA.slice(1))
  await httpRpcClient(l1.rpcUrl).request('anvil_dropTransaction', [first!.hash])
  await l1.mine()
  expect(await inbox.landing(second!)).toBe('pending')

  const again = await inbox.sendAgain(second!, 0)
  const { hash, number } = await l1.mine()
  expect(await inbox.landing(again)).toEqual({ l1Block: hash, l1Number: number })
})

test('given one of a batcher that died before it, which tips more, when it is sent again, then it takes its place', async () => {
  const { raw } = signL1Transaction(
    {
      ...{ chainId: l1ChainId, nonce: 0, to: batchInbox, data: '0x', value: 0n, gas: 21_000n },
      ...{ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n },
    },
    privateKey,
  )
  await httpRpcClient(l1.rpcUrl).request('eth_sendRawTransaction', [raw])
  const [sent] = await send(inbox, DATA.slice(0, 1))
  expect(sent!.nonce).toBe(1)
  const again = await inbox.sendAgain(sent!, 0)
  expect(again.nonce).toBe(0)
  const { hash, number } = await l1.mine()
  expect(await inbox.landing(again)).toEqual({ l1Block: hash, l1Number: number })
})

test('given another transaction with its nonce, when that is mined, then it is lost', async () => {
  const [sent] = await send(inbox, DATA)
  const { raw } = signL1Transaction(
    {
      ...{ chainId: l1ChainId, nonce: 0, to: batchInbox, data: '0x', value: 0n, gas: 21_000n },
      ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n },
    },
    privateKey,
  )
  await httpRpcClient(l1.rpcUrl).request('eth_sendRawTransaction', [raw])
  await l1.mine()
  expect(await inbox.landing(sent!)).toBe('lost')
})

test('given an L1 that counts a transaction before it has its receipt, then that is pending, and landed once it has', async () => {
  const behind = httpRpcClient(l1.rpcUrl)
  let isMining = false
  const pass = (method: string) => (params: unknown) => behind.request(method, params as unknown[])
  const methods = {
    ...Object.fromEntries(
      [
        'eth_gasPrice',
        'eth_getBlockByNumber',
        'eth_maxPriorityFeePerGas',
        'eth_feeHistory',
        'eth_sendRawTransaction',
        'eth_getTransactionCount',
        'eth_getTransactionByHash',
      ].map((method) => [method, pass(method)]),
    ),
    eth_getTransactionReceipt: (params: unknown) =>
      isMining ? null : pass('eth_getTransactionReceipt')(params),
  }
  const server = createJsonRpcServer({ methods, clock: new VirtualClock() })
  const l1RpcUrl = `http://127.0.0.1:${await server.listen({ port: 0 })}`
  const { signal } = new AbortController()
  const slow = openInbox({ l1RpcUrl, l1ChainId, address: batchInbox, privateKey, signal })
  const [sent] = await send(slow, DATA.slice(0, 1))
  const { hash, number } = await l1.mine()
  isMining = true
  expect(await slow.landing(sent!)).toBe('pending')
  isMining = false
  expect(await slow.landing(sent!)).toEqual({ l1Block: hash, l1Number: number })
  await server.close()
})

test('given an L1 that refuses a transaction, when data is sent, then the error says so', async () => {
  const poor = openInbox({
    ...{ l1RpcUrl: l1.rpcUrl, l1ChainId, address: batchInbox },
    privateKey: `0x${'77'.repeat(32)}`,
    signal: new AbortController().signal,
  })
  await expect(send(poor, DATA)).rejects.toMatchObject({ code: 'RPC_REFUSED' })
})

function landings(sent: readonly SignedTransaction[]) {
  return Promise.all(sent.map((transaction) => inbox.landing(transaction)))
}

async function send(to: Inbox, data: readonly Uint8Array[]): Promise<SignedTransaction[]> {
  const signed = await to.sign(data)
  for (const each of signed) await to.offer(each)
  return signed
}
