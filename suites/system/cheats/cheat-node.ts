import { createPublicClient, createTestClient, createWalletClient, defineChain, http } from 'viem'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { DevAccounts } from '#devnet/l2/node/rpc/cheats/dev-accounts'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { startVirtualNode } from '../sequencer/virtual-node.ts'

/** A node on a virtual clock behind a real server, with cheats and the users' dev accounts. */
export async function startCheatNode(options: Parameters<typeof startVirtualNode>[0] = {}) {
  const virtual = await startVirtualNode(options)
  const { chain, cheats } = virtual.node
  const config = { chainId: BigInt(l2ChainId), fork: 'jovian' } as const
  const server = createJsonRpcServer({
    methods: nodeMethods({
      chain,
      config,
      ...(await createInlineRunners(chain, config)),
      clock: systemClock,
      preconfirmations: options.preconfirmations ?? true,
      cheats: { control: cheats, accounts: new DevAccounts(userKeys) },
    }),
    clock: systemClock,
    webSocket: true,
  })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await server.close()
    await virtual.node.stop()
  }
  const url = `http://127.0.0.1:${port}`
  return { ...virtual, url, wsUrl: `ws://127.0.0.1:${port}`, stop, ...clientsOf(url, l2ChainId) }
}

export type CheatNode = Awaited<ReturnType<typeof startCheatNode>>

/** viem's clients for any node that can be cheated. */
export function clientsOf(url: string, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const common = { chain, transport: http(), cacheTime: 0, pollingInterval: 20 }
  return {
    client: createPublicClient(common),
    wallet: createWalletClient(common),
    test: (mode: 'anvil' | 'hardhat') => createTestClient({ ...common, mode }),
  }
}

/** Fails with the error of the node. */
export async function request(
  url: string,
  method: string,
  params: unknown[] = [],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: unknown; error?: object }
  if (error) throw Object.assign(new Error(method), error)
  return result
}
