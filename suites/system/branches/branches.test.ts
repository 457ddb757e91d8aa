import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  parseEther,
  publicActions,
  type Transport,
  webSocket,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preconfirmationActions, rollbedChain, testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { drawCount, drawnBy } from '#suites/weather/drawn-by'
import { closeSocket } from '../end-to-end/close-socket.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(() => devnet?.stop())

interface Urls {
  id: string
  rpcUrl: string
  wsUrl: string
  baseRpcUrl: string
}

const someone = () => privateKeyToAccount(generatePrivateKey()).address

function clientOf(
  urls: { rpcUrl: string; wsUrl: string },
  account = 0,
  transport: Transport = http(undefined, { timeout: 60_000 }),
) {
  return createWalletClient({
    account: privateKeyToAccount(devnet.description.accounts[account]!.privateKey),
    chain: rollbedChain({ ...devnet.description, ...urls }),
    transport,
  })
    .extend(publicActions)
    .extend(preconfirmationActions())
    .extend(testActions())
}

async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: 60_000 }) })
  return await client.request<{ Method: string; Parameters: unknown[]; ReturnType: T }>({
    method,
    params,
  })
}

const branchOf = (url = devnet.description.rpcUrl, ...block: unknown[]) =>
  rpc<Urls>(url, 'rollbed_branch', ...block)

describe('a branch', () => {
  test('given what is pre-confirmed, when a branch is made, then it begins with it, and the two go apart', async () => {
    const trunk = clientOf(devnet.description)
    const [before, onTrunk, onBranch] = [someone(), someone(), someone()]
    await trunk.sendAndPreconfirm({ to: before, value: 7n })

    const branch = clientOf(await branchOf())
    await branch.sendAndPreconfirm({ to: onBranch, value: 1n })
    await trunk.sendAndPreconfirm({ to: onTrunk, value: 2n })

    const pending = { blockTag: 'pending' } as const
    expect(await branch.getBalance({ address: before, ...pending })).toBe(7n)
    expect(await branch.getBalance({ address: onBranch, ...pending })).toBe(1n)
    expect(await branch.getBalance({ address: onTrunk, ...pending })).toBe(0n)
    expect(await trunk.getBalance({ address: onTrunk, ...pending })).toBe(2n)
    expect(await trunk.getBalance({ address: onBranch, ...pending })).toBe(0n)
  })

  test('given a branch, when it is stepped, cheated and reorganized, then the other chain sees nothing of it', async () => {
    const trunk = clientOf(devnet.description)
    const branch = clientOf(await branchOf())
    const whale = someone()
    await branch.pauseBlocks()
    const base = await branch.getBlock()

    await branch.impersonateAccount({ address: whale })
    await branch.setBalance({ address: whale, value: parseEther('5') })
    const hash = await branch.sendTransaction({ account: whale, to: someone(), value: 1n })
    const { number, hash: sealed } = await branch.seal()
    await branch.flashblock()
    const second = await branch.seal()
    const later = await branch.advanceTime({ seconds: 1_000_000 })

    expect((await branch.getTransactionReceipt({ hash })).blockNumber).toBeGreaterThanOrEqual(
      number,
    )
    expect(later).toBeGreaterThanOrEqual(base.timestamp + 1_000_000n)
    expect((await trunk.getBlock()).timestamp).toBeLessThan(later)
    expect(await trunk.getBalance({ address: whale })).toBe(0n)
    await expect(trunk.getTransaction({ hash })).rejects.toThrow('could not be found')
    // A branch that goes below its own base, into blocks that the trunk still has.
    await branch.rollback({ depth: Number((await branch.getBlock()).number) })
    expect((await branch.getBlock()).number).toBe(0n)
    expect((await trunk.getBlock()).number).toBeGreaterThanOrEqual(base.number)
    expect([sealed, second.hash]).not.toContain(null)
    expect(await rpc<string[]>(devnet.description.rpcUrl, 'eth_accounts')).not.toContain(
      whale.toLowerCase(),
    )
  })

  test('given a trunk that loses the blocks a branch stands on, then the branch still has them', async () => {
    const trunk = clientOf(devnet.description, 1)
    const to = someone()
    const { transactionHash } = await trunk.sendAndPreconfirm({ to, value: 3n })
    const { blockNumber, blockHash } = await trunk.waitUntilSealed({ hash: transactionHash })
    const branch = clientOf(await branchOf(undefined, 'latest'), 1)

    await trunk.rollback({ depth: 1 + Number((await trunk.getBlock()).number - blockNumber) })

    expect((await branch.getBlock({ blockNumber })).hash).toBe(blockHash)
    expect((await branch.getTransactionReceipt({ hash: transactionHash })).blockHash).toBe(
      blockHash,
    )
    expect(await branch.getBalance({ address: to, blockNumber })).toBe(3n)
    expect(await trunk.getBalance({ address: to })).toBe(0n)
    expect((await branch.sendAndPreconfirm({ to, value: 1n })).status).toBe('success')
  })

  test('given the description of a devnet, when a branch is put over it, then no URL of a node is left that reads the devnet', async () => {
    await using branch = await devnet.branch()
    const to = someone()
    await clientOf(branch, 5).sendAndPreconfirm({ to, value: 6n })
    const merged = { ...devnet.description, ...branch }
    for (const url of [merged.rpcUrl, merged.baseRpcUrl])
      expect(BigInt(await rpc<Hex>(url, 'eth_getBalance', to, 'pending'))).toBe(6n)
  })

  test('given a branch of a branch, when the first is dropped, then the second goes on', async () => {
    const first = await branchOf()
    const to = someone()
    await clientOf(first, 2).sendAndPreconfirm({ to, value: 4n })
    const second = await branchOf(first.rpcUrl)
    expect(await rpc(devnet.description.rpcUrl, 'rollbed_dropBranch', first.id)).toBe(true)

    const client = clientOf(second, 2)
    await client.sendAndPreconfirm({ to, value: 4n })

    expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(8n)
    await expect(rpc(first.rpcUrl, 'eth_blockNumber')).rejects.toThrow('404')
    expect(await rpc(devnet.description.rpcUrl, 'rollbed_dropBranch', first.id)).toBe(false)
  })

  test('given a branch, then subscriptions, views, calls on threads and its description are its own', async () => {
    const urls = await branchOf()
    const client = clientOf(urls, 3, webSocket())
    const seen = Promise.withResolvers<readonly unknown[]>()
    const unwatch = client.watchFlashblocks({
      onFlashblock: ({ transactions }) => transactions.length > 1 && seen.resolve(transactions),
      onError: seen.reject,
    })
    const to = someone()
    const { transactionHash } = await client.sendAndPreconfirm({ to, value: 9n })
    expect(await seen.promise).toContainEqual(expect.objectContaining({ hash: transactionHash }))
    unwatch()
    await closeSocket(client)
    // Traces run in worker threads, which ask the branch for its state.
    const trace = await rpc<{ value: Hex }>(
      urls.rpcUrl,
      'debug_traceTransaction',
      transactionHash,
      {
        tracer: 'callTracer',
      },
    )
    expect(BigInt(trace.value)).toBe(9n)
    const pending = await rpc<{ number: Hex }>(
      `${urls.rpcUrl}/base`,
      'eth_getBlockByNumber',
      'pending',
      false,
    )
    expect(BigInt(pending.number)).toBeGreaterThan(0n)
    expect(await rpc(urls.rpcUrl, 'rollbed_description')).toMatchObject({
      rpcUrl: urls.rpcUrl,
      chainId: devnet.description.chainId,
    })
    const { divergence } = await rpc<{ divergence: { cause: string } }>(
      urls.rpcUrl,
      'anvil_metadata',
    )
    expect(divergence.cause).toBe('branch')
  })
})

/** For a commit, and 200 every night. */
const TESTS = drawCount(drawnBy, 200, 1 / 4)

test(`given ${TESTS} tests at once, each on a branch, when all send from one account, then none sees another`, async () => {
  const trunk = clientOf(devnet.description, 4)
  const nonce = await trunk.getTransactionCount({ address: trunk.account.address })
  const runs = Array.from({ length: TESTS }, async (_, index) => {
    const urls = await branchOf(undefined, 'latest')
    const client = clientOf(urls, 4)
    const to = someone()
    const before = await client.getBalance({ address: devnet.description.accounts[5]!.address })
    await client.sendAndPreconfirm({ to, value: BigInt(index) })
    await client.sendAndPreconfirm({
      to: devnet.description.accounts[5]!.address,
      value: BigInt(index),
    })
    const pending = { blockTag: 'pending' } as const
    const found = {
      to: await client.getBalance({ address: to, ...pending }),
      shared:
        (await client.getBalance({
          address: devnet.description.accounts[5]!.address,
          ...pending,
        })) - before,
      nonce: await client.getTransactionCount({ address: client.account.address, ...pending }),
    }
    await rpc(devnet.description.rpcUrl, 'rollbed_dropBranch', urls.id)
    return found
  })

  expect(await Promise.all(runs)).toEqual(
    runs.map((_, index) => ({ to: BigInt(index), shared: BigInt(index), nonce: nonce + 2 })),
  )
  expect(await trunk.getTransactionCount({ address: trunk.account.address })).toBe(nonce)
})
