import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hash,
  http,
  type PublicClient,
  parseEther,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { closeSocket } from './close-socket.ts'
import { onEachBlockUntil } from './on-each-block-until.ts'
import { isRunning, RollbedProcess } from './rollbed-process.ts'

let rollbed: RollbedProcess
let devnet: DevnetDescription
let client: PublicClient

beforeAll(async () => {
  rollbed = new RollbedProcess(['up', '--json', '--port-base', '0'])
  devnet = await rollbed.ready()
  client = createPublicClient({ chain: chain(), transport: http(devnet.rpcUrl) }) as PublicClient
})

afterAll(async () => {
  const children = rollbed.descendants()
  expect(children.length).toBeGreaterThanOrEqual(2)
  const { exitCode, stderr } = await rollbed.stop('SIGINT')
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  expect(children.filter(isRunning)).toEqual([])
  expect(existsSync(join(rollbed.directory, '.rollbed'))).toBe(false)
})

function chain() {
  return defineChain({
    id: devnet.chainId,
    name: 'rollbed',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [devnet.rpcUrl] } },
  })
}

describe('`rollbed up --json`', () => {
  test('then it prints one line with every member of the contract', () => {
    expect(devnet).toMatchObject({
      rpcUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      wsUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
      apiUrl: expect.stringMatching(/^http:/),
      proverUrl: expect.stringMatching(/^http:/),
      l1RpcUrl: expect.stringMatching(/^http:/),
      l1BeaconUrl: expect.stringMatching(/^http:/),
      rollupRpcUrl: expect.stringMatching(/^http:/),
      dashboardUrl: expect.stringMatching(/^http:/),
      chainId: 84538453,
      l1ChainId: 1337,
      profile: 'spec',
      seed: 0,
    })
    expect(devnet.accounts).toHaveLength(10)
    expect(devnet.accounts[0]!.address.toLowerCase()).toBe(
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    )
    expect(devnet.enclaves).toHaveLength(1)
    expect(devnet.enclaves[0]).toMatchObject({
      kind: 'sim',
      pcr0: expect.stringMatching(/^0x\w{96}$/),
    })
  })

  test('then both chains answer with their ids, and the accounts are funded on both', async () => {
    const l1 = createPublicClient({ transport: http(devnet.l1RpcUrl) })
    expect(await client.getChainId()).toBe(84538453)
    expect(await l1.getChainId()).toBe(1337)
    for (const { address } of devnet.accounts) {
      expect(await client.getBalance({ address })).toBe(parseEther('10000'))
      expect(await l1.getBalance({ address })).toBe(parseEther('10000'))
    }
  })

  test('then the dashboard page is served and names no private key', async () => {
    const page = await (await fetch(devnet.dashboardUrl)).text()
    const description = await (await fetch(`${devnet.dashboardUrl}/devnet.json`)).text()
    expect(page).toContain('<title>rollbed devnet</title>')
    expect(description).not.toContain(devnet.accounts[0]!.privateKey.slice(2))
  })
})

test('given a transaction, then it goes from pending over sealed and safe to finalized', async () => {
  const account = privateKeyToAccount(devnet.accounts[0]!.privateKey)
  const wallet = createWalletClient({ account, chain: chain(), transport: http() })
  const stream = createPublicClient({ transport: webSocket(devnet.wsUrl) }) as PublicClient
  const to = devnet.accounts[9]!.address
  const before = await client.getBalance({ address: to, blockTag: 'pending' })

  const seen = firstFlashblockWith(stream)
  const hash = await wallet.sendTransaction({ to, value: 5n })
  const preconfirmed = await (await seen)(hash)
  expect(preconfirmed.number).toBeNull()
  expect(preconfirmed.hash).toBeNull()
  expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(before + 5n)

  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  expect(receipt.status).toBe('success')
  const reaches = (blockTag: 'latest' | 'safe' | 'finalized') =>
    onEachBlockUntil(stream, async () => {
      const head = await client.getBlock({ blockTag })
      return head.number >= receipt.blockNumber
    })
  await reaches('latest')
  const sealed = await client.getBlock({ blockNumber: receipt.blockNumber })
  expect(sealed.transactions).toContain(hash)
  await reaches('safe')
  await reaches('finalized')
  await closeSocket(stream)
})

/** Subscribes to flashblocks; the result waits for the first that holds a transaction. */
async function firstFlashblockWith(stream: PublicClient) {
  interface Flashblock {
    number: string | null
    hash: string | null
    transactions: { hash: Hash }[]
  }
  const seen: Flashblock[] = []
  let wake = () => {}
  const { unsubscribe } = await stream.transport.subscribe({
    params: ['newFlashblocks'],
    onData: ({ result }: { result: Flashblock }) => {
      seen.push(result)
      wake()
    },
  })
  return async (hash: Hash): Promise<Flashblock> => {
    for (;;) {
      const found = seen.find(({ transactions }) => transactions.some((tx) => tx.hash === hash))
      if (found) {
        await unsubscribe()
        return found
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}
