import { JsonRpcProvider } from 'ethers'
import {
  concat,
  createPublicClient,
  getCreate2Address,
  http,
  serializeErc6492Signature,
  webSocket,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type Devnet, startDevnet } from '#devnet/index'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, manual: true })
})
afterAll(() => devnet.stop())

const viewsOf = () => {
  const { rpcUrl } = devnet.description
  const at = (path: string) => httpRpcClient(`${rpcUrl}${path}`)
  return { root: at(''), spec: at('/spec'), base: at('/base'), plain: at('/plain') }
}

test('given one port, then each path shows the same chain in its own way', async () => {
  const { accounts } = devnet.description
  const { root, spec, base, plain } = viewsOf()
  const [from, to] = accounts.map(({ address }) => address)
  const nonceAtLatest = () => plain.request('eth_getTransactionCount', [from, 'latest'])
  const before = await nonceAtLatest()
  const hash = await plain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
  await devnet.node.flashblock()
  const [asSpec, asBase, asPlain] = await Promise.all(
    [spec, base, plain].map((view) => blockAt(view)),
  )
  expect(asSpec).toMatchObject({ number: null, hash: null })
  expect(asSpec!.transactions).toContain(hash)
  expect(await blockAt(root)).toEqual(asSpec)
  // Where Base departs from the spec: rule RPC-PEND-02.
  const latest = Number(await root.request('eth_blockNumber', []))
  expect(asBase).toMatchObject({ number: `0x${(latest + 1).toString(16)}` })
  expect(asBase!.transactions).toEqual(asSpec!.transactions)
  expect(asPlain).toMatchObject({ number: `0x${latest.toString(16)}` })

  const receipt = (view: typeof root) => view.request('eth_getTransactionReceipt', [hash])
  expect(await receipt(base)).toMatchObject({ status: '0x1' })
  expect(await receipt(plain)).toBeNull()
  expect(await nonceAtLatest()).toBe(before)
  await devnet.node.seal()
  expect(await receipt(plain)).toMatchObject({ status: '0x1' })
  expect(await nonceAtLatest()).toBe(`0x${(Number(before) + 1).toString(16)}`)
  expect(await plain.request('eth_getBlockByNumber', ['latest', false])).toEqual(
    await spec.request('eth_getBlockByNumber', ['latest', false]),
  )
})

test('given profile base at the root, then /spec still follows the spec', async () => {
  await using other = await startDevnet({ enclaves: 0, manual: true, profile: 'base' })
  const { rpcUrl } = other.description
  const pendingAt = (path: string) => blockAt(httpRpcClient(`${rpcUrl}${path}`))
  expect((await pendingAt('/spec')).number).toBeNull()
  expect((await pendingAt('')).number).toBe('0x1')
})

test('given baseRpcUrl, then ethers reads the pending block, and viem calls code that is nowhere', async () => {
  const { rpcUrl, baseRpcUrl } = devnet.description
  expect(baseRpcUrl).toBe(`${rpcUrl}/base`)
  const provider = new JsonRpcProvider(baseRpcUrl, undefined, { staticNetwork: true })
  try {
    const pending = await provider.getBlock('pending')
    expect(pending!.number).toBe((await provider.getBlockNumber()) + 1)
  } finally {
    provider.destroy()
  }
  const client = createPublicClient({ transport: http(baseRpcUrl) })
  // Creates code that does PUSH1 42, MSTORE at 0, RETURN of 32 bytes.
  const code = '0x600a80600b6000396000f3602a60005260206000f3'
  const { data } = await client.call({ code, data: '0x00' })
  expect(BigInt(data!)).toBe(42n)
})

test('given WebSockets at the paths, then each has the subscriptions of its view', async () => {
  const { wsUrl } = devnet.description
  const subscribe = (path: string) => {
    const transport = webSocket(`${wsUrl}${path}`, { reconnect: false })({ retryCount: 0 })
    return transport.value!.getRpcClient().then(async (client) => {
      try {
        return await client.requestAsync({
          body: { method: 'eth_subscribe', params: ['newFlashblocks'] },
        })
      } finally {
        client.close()
      }
    })
  }
  expect(await subscribe('/base')).toMatchObject({ result: expect.any(String) })
  expect(await subscribe('/plain')).toMatchObject({ error: { code: -32602 } })
})

async function blockAt(view: RpcClient): Promise<Block> {
  return (await view.request('eth_getBlockByNumber', ['pending', false])) as Block
}

interface Block {
  number: string | null
  transactions: string[]
}

test('given a limit of its own, then eth_getLogs holds to it at every path', async () => {
  await using narrow = await startDevnet({ enclaves: 0, manual: true, logsRange: 3 })
  const { rpcUrl } = narrow.description
  const at = (path: string) => httpRpcClient(`${rpcUrl}${path}`)
  await at('').request('anvil_mine', ['0x5'])
  const logs = (path: string, toBlock: string) =>
    at(path).request('eth_getLogs', [{ fromBlock: '0x1', toBlock }])
  for (const path of ['', '/spec', '/base', '/plain']) {
    expect(await logs(path, '0x4')).toEqual([])
    await expect(logs(path, '0x5')).rejects.toThrow('eth_getLogs is limited to a 3 range')
  }
})

test('given the signature of an account that is not deployed yet (ERC-6492), then /base finds it right, and / cannot', async () => {
  const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
  // Calls every signature right (ERC-1271).
  const initCode = '0x6d631626ba7e60e01b5f5260205ff35f52600e6012f3'
  const address = getCreate2Address({ from: factory, salt: zeroHash, bytecode: initCode })
  const data = concat([zeroHash, initCode])
  const signature = serializeErc6492Signature({ address: factory, data, signature: '0x1234' })
  const isRight = (path: string) =>
    createPublicClient({
      transport: http(`${devnet.description.rpcUrl}${path}`),
    }).verifyMessage({ address, message: 'hello', signature })
  expect(await isRight('/base')).toBe(true)
  // viem takes the refusal of a call without `to` for a no.
  expect(await isRight('')).toBe(false)
})
