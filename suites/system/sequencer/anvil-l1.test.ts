import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { extractTransactionDepositedLogs, getL2TransactionHash } from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { deployBridgeContracts } from '#devnet/l1/deploy-bridge-contracts'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import type { ChainEvents } from '#devnet/l2/node/chain-view'
import { type Node, startNode } from '#devnet/l2/node/start-node'
import { devnetSystemConfig } from '#devnet/rollup/genesis/devnet-system-config'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { l1ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import { systemClock } from '#protocol/clock/system-clock'
import type { Address } from '#protocol/types/bytes'

const fresh: Address = `0x${'f7'.repeat(20)}`
const chain = {
  id: l1ChainId,
  name: 'L1',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const

/** The first event of a kind that satisfies a condition. */
function first<K extends keyof ChainEvents>(
  { chain: view }: Node,
  event: K,
  condition: (value: ChainEvents[K]) => boolean,
): Promise<ChainEvents[K]> {
  return new Promise((resolve) => {
    const end = view.on(event, (value) => {
      if (!condition(value)) return
      end()
      resolve(value)
    })
  })
}

describe('a node on anvil', () => {
  const resources = new ResourceStack()
  let l1: L1
  let contracts: L1Addresses
  let node: Node

  beforeAll(async () => {
    const genesisTime = Math.floor(systemClock.now() / 1000) - 2
    l1 = resources.add(await startL1({ clock: systemClock, genesisTime, blockTime: 0 }))
    const sender = { rpcUrl: l1.rpcUrl, chainId: l1ChainId, mine: () => l1.mine() }
    const deployed = await deployBridgeContracts({ ...sender, systemConfig: devnetSystemConfig })
    contracts = deployed.contracts
    const l1Start = await l1.mine()
    const genesis = await rollupGenesis({ l1Start, contracts, fork: 'jovian', blockTime: 1 })
    const { config, block, store } = genesis
    node = resources.add(
      await startNode({
        config,
        genesis: block,
        store,
        l1RpcUrl: l1.rpcUrl,
        clock: systemClock,
        flashblockTime: 100,
      }),
    )
  })

  afterAll(() => resources.stop())

  it('given a portal deposit, when L1 has mined it, then L2 mints it and then seals it under the same hash', async () => {
    const client = createPublicClient({ chain, transport: http(l1.rpcUrl) })
    const account = privateKeyToAccount(userKeys[3]!.privateKey)
    const wallet = createWalletClient({ chain, transport: http(l1.rpcUrl), account })
    const sent = await wallet.writeContract({
      address: contracts.optimismPortal,
      abi: optimismPortalAbi,
      functionName: 'depositTransaction',
      args: [fresh, parseEther('2'), 100_000n, false, '0x'],
      value: parseEther('3'),
      gas: 500_000n,
    })
    await l1.mine()
    const { logs } = await client.getTransactionReceipt({ hash: sent })
    const [log] = extractTransactionDepositedLogs({ logs })
    const hash = getL2TransactionHash({ log: log! })
    const has = ({ transactions }: { transactions: readonly { hash: string }[] }) =>
      transactions.some((transaction) => transaction.hash === hash)
    const [pending, sealed] = await Promise.all([
      first(node, 'flashblock', has),
      first(node, 'sealed', has),
    ])
    expect(pending.flashblockIndex).toBe(0)
    expect(node.chain.account(pending.header.stateRoot, fresh)?.balance).toBe(parseEther('2'))
    expect(sealed.receipts[1]).toMatchObject({ type: 0x7e, status: 1 })
    expect(node.chain.findTransaction(hash)).toEqual({ block: sealed, index: 1 })
  })

  it('given a new gas limit on L1, when it is the origin, then blocks have it', async () => {
    const account = privateKeyToAccount(roleKeys.deployer.privateKey)
    const wallet = createWalletClient({ chain, transport: http(l1.rpcUrl), account })
    await wallet.writeContract({
      address: contracts.systemConfig,
      abi: systemConfigAbi,
      functionName: 'setGasLimit',
      args: [50_000_000n],
      gas: 500_000n,
    })
    await l1.mine()
    const { header } = await first(node, 'sealed', ({ header }) => header.gasLimit === 50_000_000n)
    expect(header.gasLimit).toBe(50_000_000n)
  })
})
