import { Attribution } from 'ox/erc8021'
import { createWalletClient, defineChain, type Hash, http } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { startBuilderCodeApi } from '#devnet/builder-codes/start-builder-code-api'
import { run } from '#devnet/cli/run'
import { startNodeRpc } from '#devnet/l2/node/rpc/start-node-rpc'
import { ECHO } from '#devnet/l2/node/rpc/testing/contracts'
import { ALICE, BOB, CONFIG, createTestNode } from '#devnet/l2/node/rpc/testing/test-node'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'

// The way of a builder code: registered over HTTP, appended by a wallet, credited by the node.
const registry = openCodeRegistry(':memory:', seededRng(1))
const resources: { stop(): Promise<void> }[] = []
let rpcUrl: string
let seal: () => Promise<unknown>
let builderCode: string
let hash: Hash

beforeAll(async () => {
  const api = await startBuilderCodeApi({ registry, host: '127.0.0.1', port: 0 })
  resources.push(api)
  const { chain } = await createTestNode()
  seal = () => chain.seal()
  // As a sequencer that pre-confirms each at once.
  chain.submit = async (raw) => {
    const { hash } = await chain.addToPool(raw)
    await chain.flashblock(raw)
    return hash
  }
  const node = await startNodeRpc({
    chain,
    config: CONFIG,
    clock: systemClock,
    port: 0,
    walletOf: (code) => registry.walletOf(code),
  })
  resources.push(node)
  rpcUrl = node.url

  const response = await fetch(`${api.url}/v1/agents/builder-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: BOB.address }),
  })
  builderCode = ((await response.json()) as { builderCode: string }).builderCode
  const wallet = createWalletClient({
    account: ALICE,
    chain: defineChain({
      id: Number(CONFIG.chainId),
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: http(),
    dataSuffix: Attribution.toDataSuffix({ codes: [builderCode] }),
  })
  hash = await wallet.sendTransaction({ to: ECHO, data: '0x1234' })
})
afterAll(async () => {
  for (const resource of resources.reverse()) await resource.stop()
  registry.close()
})

async function command(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    const exitCode = await run(['attribution', ...args])
    return { exitCode, output: log.mock.calls.flat().join('\n') }
  } finally {
    log.mockRestore()
  }
}

test('given a registered code, then its wallet is credited, and not the sender (ATTR-05)', async () => {
  const attribution = await httpRpcClient(rpcUrl).request('rollbed_getAttribution', [hash])
  expect(attribution).toMatchObject({ codes: [builderCode], wallets: [BOB.address] })
})

test('given `rollbed attribution stats`, then it counts the pre-confirmed transaction, and the sealed one', async () => {
  // 11 bytes of code, length and marker at 16, and 4 for the schema byte.
  const row = new RegExp(`^${builderCode} +1 +${28 * 16 + 4} +${BOB.address}$`, 'm')
  const open = await command('stats', '--rpc', rpcUrl)
  expect(open).toEqual({ exitCode: 0, output: expect.stringMatching(row) })
  await seal()
  const sealed = await command('stats', '--rpc', rpcUrl, '--from', '1', '--to', '1', '--json')
  expect(JSON.parse(sealed.output)).toMatchObject({
    fromBlock: '0x1',
    toBlock: '0x1',
    codes: [{ code: builderCode, wallet: BOB.address, transactions: '0x1' }],
  })
  const none = await command('stats', '--rpc', rpcUrl, '--from', '0', '--to', '0')
  expect(none).toEqual({ exitCode: 0, output: 'no attributed transactions' })
})

test('given what `rollbed attribution encode` prints, then `decode` reads it', async () => {
  const { output: suffix } = await command('encode', builderCode, 'baseapp')
  const decoded = await command('decode', `0x1234${suffix.slice(2)}`, '--json')
  expect(JSON.parse(decoded.output)).toMatchObject({ codes: [builderCode, 'baseapp'], suffix })
  expect((await command('decode', '0x1234')).exitCode).toBe(1)
})
