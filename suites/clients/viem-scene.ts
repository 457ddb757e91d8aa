import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hash,
  http,
  type PublicClient,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig } from 'viem/op-stack'
import { startDevnet } from '#devnet/start-devnet'
import { l2ChainId } from '#fixtures/chain/constants'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'

export const SUPPLY = 1_000_000_000n

export type ViemScene = Awaited<ReturnType<typeof createViemScene>>

/** A devnet with a token of account 0, and viem's clients of it. */
export async function createViemScene() {
  const devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
  const { rpcUrl, wsUrl, accounts } = devnet.description
  const chain = defineChain({
    ...chainConfig,
    id: l2ChainId,
    name: 'rollbed',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const options = { chain, pollingInterval: 50, cacheTime: 0 }
  const overHttp = createPublicClient({ ...options, transport: http(undefined, { batch: true }) })
  const overWs = createPublicClient({ ...options, transport: webSocket(wsUrl) })
  const account = (index: number) => privateKeyToAccount(accounts[index]!.privateKey)
  const wallet = (index = 0) =>
    createWalletClient({ account: account(index), chain, transport: http() })
  /** What is pre-confirmed now is in `latest` then. */
  const nextSeal = () => new Promise((resolve) => devnet.node.chain.on('sealed', resolve))
  const confirmed = (hash: Hash) => overHttp.waitForTransactionReceipt({ hash })

  const deployment = await wallet().deployContract({
    abi: testTokenAbi,
    bytecode: loadContract('TestToken').bytecode,
    args: ['Test', 'TST', SUPPLY],
  })
  const token = (await confirmed(deployment)).contractAddress as Address
  await nextSeal()
  return {
    chain,
    overHttp: overHttp as PublicClient,
    overWs: overWs as PublicClient,
    account,
    wallet,
    nextSeal,
    confirmed,
    deployment,
    token,
    /** Somebody without tokens. */
    other: account(1).address,
    async stop() {
      ;(await overWs.transport.getRpcClient()).close()
      await devnet.stop()
    },
  }
}
