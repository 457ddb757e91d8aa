import { setupServer } from 'msw/node'
import { createPublicClient, createWalletClient, http, parseEther, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MockRollbed, mockRollbed } from '#devnet/sdk/msw/index'
import { builderCodeClient, preconfirmationActions, rollbedChain } from '#devnet/sdk/viem/index'

let rollbed: MockRollbed
let server: ReturnType<typeof setupServer>
beforeAll(async () => {
  rollbed = await mockRollbed()
  server = setupServer(...rollbed.handlers)
  server.listen()
})
afterAll(async () => {
  server?.close()
  await rollbed?.stop()
})

const account = (index: number) => privateKeyToAccount(rollbed.accounts[index]!.privateKey)
const chainOf = () => rollbedChain(rollbed)

test('given the handlers, when a wallet sends, then it is pre-confirmed and then sealed, by real execution', async () => {
  const transport = http(rollbed.rpcUrl)
  const reader = createPublicClient({ chain: chainOf(), transport }).extend(
    preconfirmationActions(),
  )
  const wallet = createWalletClient({ account: account(0), chain: chainOf(), transport })
  const to = `0x${'ab'.repeat(20)}` as const
  const hash = await wallet.sendTransaction({ to, value: parseEther('1') })
  const receipt = await reader.waitForPreconfirmation({ hash })
  expect(receipt.status).toBe('success')
  expect(await reader.getBalance({ address: to, blockTag: 'pending' })).toBe(parseEther('1'))
  const sealed = await reader.waitUntilSealed({ hash })
  expect(sealed.gasUsed).toBe(21_000n)
  expect(await reader.getBalance({ address: to })).toBe(parseEther('1'))
})

test('given a WebSocket, when a block is sealed, then its subscriber hears of it', async () => {
  const client = createPublicClient({ transport: webSocket(rollbed.wsUrl) })
  const heard = Promise.withResolvers<bigint | null>()
  const stop = client.watchBlocks({ onBlock: ({ number }) => heard.resolve(number) })
  expect(await heard.promise).toBeGreaterThan(0n)
  stop()
  ;(await client.transport.getRpcClient()).close()
})

test('given other views and controls, then they answer as on a devnet', async () => {
  const base = createPublicClient({ transport: http(rollbed.baseRpcUrl) })
  expect((await base.getBlock({ blockTag: 'pending' })).number).toBeGreaterThan(0n)
  await expect(
    createPublicClient({ transport: http(`${rollbed.rpcUrl}/nowhere`) }).getChainId(),
  ).rejects.toThrow()
  const time = { method: 'evm_increaseTime', params: ['0xe10'] } as const
  await createPublicClient({ transport: http(rollbed.rpcUrl) }).request(time as never)
})

test('given the builder-code API, when a wallet asks twice, then it has one code', async () => {
  const codes = builderCodeClient(rollbed.apiUrl)
  const first = await codes.register(account(1).address)
  expect(first.builderCode).toMatch(/^bc_[a-z0-9]{8}$/)
  expect((await codes.register(account(1).address)).builderCode).toBe(first.builderCode)
  const refused = await fetch(`${rollbed.apiUrl}/v1/agents/builder-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"walletAddress":"0x12"}',
  })
  expect(refused.status).toBe(400)
})

// As jsdom and happy-dom do for a page of their own origin.
test('given a page of another origin, when it asks before it sends, then it may send, and read the answer', async () => {
  const origin = 'http://localhost:3000'
  for (const url of [
    rollbed.rpcUrl,
    rollbed.baseRpcUrl,
    `${rollbed.apiUrl}/v1/agents/builder-codes`,
  ]) {
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-headers')).toBe('content-type')
    const headers = { origin, 'content-type': 'application/json' }
    const sent = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect(sent.headers.get('access-control-allow-origin')).toBe(origin)
    const hidden = await fetch(url, { method: 'OPTIONS' })
    expect(hidden.headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('given two mocks at their own URLs, then neither sees what the other does', async () => {
  await using other = await mockRollbed({ rpcUrl: 'http://other.test', chainId: 7 })
  server.use(...other.handlers)
  const client = createPublicClient({ transport: http('http://other.test') })
  expect(await client.getChainId()).toBe(7)
  expect(await client.getTransactionCount({ address: account(0).address })).toBe(0)
})

test.each(['http://slash.test/', 'http://path.test/v2/key'])(
  'given a mock at %s, then its views, its socket and its API are below that',
  async (url) => {
    await using other = await mockRollbed({
      rpcUrl: url,
      apiUrl: url.replace('http://', 'http://codes.'),
    })
    server.use(...other.handlers)
    for (const each of [other.rpcUrl, other.baseRpcUrl]) {
      expect(await createPublicClient({ transport: http(each) }).getChainId()).toBe(other.chainId)
    }
    const client = createPublicClient({ transport: webSocket(other.wsUrl) })
    expect(await client.getChainId()).toBe(other.chainId)
    ;(await client.transport.getRpcClient()).close()
    const registered = await fetch(`${other.apiUrl.replace(/\/$/, '')}/v1/agents/builder-codes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: account(1).address }),
    })
    expect(registered.ok).toBe(true)
  },
)
