import { type Address, type Chain, defineChain, zeroAddress } from 'viem'
import { chainConfig } from 'viem/op-stack'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'

/** The same on both layers. */
const multicall3 = { address: '0xca11bde05977b3631167028862be2a173976ca11' } as const

/**
 * The devnet's L2 as a viem chain: its URLs (at `/base`, where it answers as deployed nodes do), the predeploys, the L1 contracts under the names that
 * viem's `op-stack` actions look for, and formatters that know deposits and L1 fees.
 *
 * @param description of `startDevnet`, `connectDevnet`, `rollbed up --json`; or one with the URLs of a branch, or of
 * a path such as `/spec`, which is then kept
 * @param options.readPending clients read at `pending` where no block is told, as with viem's `basePreconf`
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { rollbedChain } from 'rollbed/viem'
 *
 * const client = createPublicClient({ chain: rollbedChain(devnet.description), transport: http() })
 * await client.getChainId() // 84538453
 */
export function rollbedChain(
  description: RollbedChainDescription,
  options: { readPending?: boolean } = {},
): RollbedChain {
  const { chainId, l1ChainId, rpcUrl, wsUrl, contracts, dashboardUrl } = description
  const onL1 = (name: string) => ({ [l1ChainId]: { address: contractOf(contracts, name) } })
  return defineChain({
    ...chainConfig,
    id: chainId,
    name: 'rollbed',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [asDeployed(rpcUrl)], webSocket: [asDeployed(wsUrl)] } },
    ...(dashboardUrl && { blockExplorers: { default: { name: 'rollbed', url: dashboardUrl } } }),
    contracts: {
      ...chainConfig.contracts,
      // At genesis, as on Base: devnet/docs/preinstalls.md.
      multicall3,
      portal: onL1('optimismPortal'),
      disputeGameFactory: onL1('disputeGameFactory'),
      // Older than games, and asked of no portal that has them; the types of viem want it.
      l2OutputOracle: { [l1ChainId]: { address: zeroAddress } },
      l1StandardBridge: onL1('l1StandardBridge'),
      l1Erc721Bridge: onL1('l1ERC721Bridge'),
      l1CrossDomainMessenger: onL1('l1CrossDomainMessenger'),
    },
    ...(options.readPending && { experimental_preconfirmationTime: 200 }),
    sourceId: l1ChainId,
    testnet: true,
  })
}

/** `/base` of the chain or branch; a URL that names a view of it stays. */
function asDeployed(url: string): string {
  const bare = url.replace(/\/$/, '')
  return /^\w+:\/\/[^/]+(\/branch\/\w+)?$/.test(bare) ? `${bare}/base` : url
}

/** What of a devnet's description a chain is made of. */
export type RollbedChainDescription = Pick<
  DevnetDescription,
  'chainId' | 'l1ChainId' | 'rpcUrl' | 'wsUrl' | 'contracts'
> &
  Partial<Pick<DevnetDescription, 'dashboardUrl'>>

type OpStack = typeof chainConfig

/**
 * What `rollbedChain` gives. All that is viem's stands here by viem's own names, so that it is as the viem
 * beside it declares it: written out, it would be as in the one that we were built with.
 */
export interface RollbedChain extends Chain<OpStack['formatters']> {
  blockTime: OpStack['blockTime']
  contracts: OpStack['contracts'] & {
    multicall3: { address: Address }
    portal: OnL1
    disputeGameFactory: OnL1
    l2OutputOracle: OnL1
    l1StandardBridge: OnL1
    l1Erc721Bridge: OnL1
    l1CrossDomainMessenger: OnL1
  }
  formatters: OpStack['formatters']
  serializers: OpStack['serializers']
  sourceId: number
}

/** A contract by the id of the L1 that it is on. */
type OnL1 = { [l1ChainId: number]: { address: Address } }

/** What `rollbedL1Chain` gives. */
export interface RollbedL1Chain extends Chain<undefined> {
  contracts: { multicall3: { address: Address } }
}

/**
 * The devnet's L1 as a viem chain, for deposits and withdrawals.
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { rollbedL1Chain } from 'rollbed/viem'
 *
 * const l1 = createPublicClient({ chain: rollbedL1Chain(devnet.description), transport: http() })
 * await l1.getChainId() // 1337
 */
export function rollbedL1Chain(
  description: Pick<DevnetDescription, 'l1ChainId' | 'l1RpcUrl'>,
): RollbedL1Chain {
  return defineChain({
    id: description.l1ChainId,
    name: 'rollbed L1',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [description.l1RpcUrl] } },
    // By which viem reads the games of withdrawals.
    contracts: { multicall3 },
    testnet: true,
  })
}

const contractOf = (contracts: RollbedChainDescription['contracts'], name: string) =>
  contracts[name]!
