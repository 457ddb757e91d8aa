import { hexToBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hex } from '#protocol/types/bytes'
import { lane } from '#suites/lane'
import type { EngineBlock, EngineReceipt } from './compare-block.ts'

/** What we use of `@nomicfoundation/edr`. */
interface Edr {
  ContractDecoder: new () => object
  EdrContext: new () => EdrContext
  MineOrdering: { Fifo: unknown }
  OP_CHAIN_TYPE: string
  opProviderFactory(): object
}

interface EdrContext {
  registerProviderFactory(chainType: string, factory: object): Promise<void>
  createProvider(chainType: string, ...options: object[]): Promise<Provider>
}

interface Provider {
  handleRequest(request: string): Promise<{ data: unknown }>
}

export interface ReferenceEdrOptions {
  chainId: number
  alloc: Alloc
  /** Seconds. */
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  /** Wei; of the first block. */
  baseFeePerGas: bigint
}

/** A process can have one only. */
let opened: Promise<{ edr: Edr; context: EdrContext }> | undefined

/** EDR, Hardhat's engine, as an OP chain at Isthmus: it makes blocks of exactly the transactions given. */
export class ReferenceEdr {
  readonly #provider: Provider

  constructor(provider: Provider) {
    this.#provider = provider
  }

  async request<T>(method: string, params: unknown[] = []): Promise<T> {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { data } = await this.#provider.handleRequest(request)
    const { result, error } =
      typeof data === 'string' ? JSON.parse(data) : (data as { result?: unknown; error?: unknown })
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result as T
  }

  /** Makes the next block of those of `transactions` that it takes. */
  async makeBlock(transactions: readonly Hex[]): Promise<EngineBlock> {
    for (const raw of transactions) {
      // What it refuses here is missing in the block.
      await this.request('eth_sendRawTransaction', [raw]).catch(() => undefined)
    }
    await this.request('hardhat_mine', ['0x1'])
    const block = await this.request<EngineBlock>('eth_getBlockByNumber', ['latest', false])
    for (const hash of transactions.map((raw) => keccak256(raw))) {
      if (block.transactions.includes(hash)) continue
      await this.request('hardhat_dropTransaction', [hash]).catch(() => undefined)
    }
    return block
  }

  receipts(block: EngineBlock): Promise<EngineReceipt[]> {
    return Promise.all(
      block.transactions.map((hash) =>
        this.request<EngineReceipt>('eth_getTransactionReceipt', [hash]),
      ),
    )
  }

  async nonce(address: Address): Promise<bigint> {
    return BigInt(await this.request<Hex>('eth_getTransactionCount', [address, 'latest']))
  }
}

/** It ends with what holds it. */
export async function startReferenceEdr(options: ReferenceEdrOptions): Promise<ReferenceEdr> {
  opened ??= openContext()
  const { edr, context } = await opened
  const provider = await context.createProvider(
    edr.OP_CHAIN_TYPE,
    {
      chainId: BigInt(options.chainId),
      networkId: BigInt(options.chainId),
      hardfork: 'isthmus',
      genesisState: Object.entries(options.alloc).map(([address, account]) => ({
        address: hexToBytes(address as Address),
        balance: account.balance ?? 0n,
        nonce: account.nonce ?? 0n,
        ...(account.code && { code: hexToBytes(account.code) }),
        storage: Object.entries(account.storage ?? {}).map(([index, value]) => ({
          index: BigInt(index),
          value: BigInt(value),
        })),
      })),
      network: { genesisBlockGasLimit: options.gasLimit, genesisBlockTime: options.timestamp },
      initialBaseFeePerGas: options.baseFeePerGas,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      coinbase: hexToBytes(options.coinbase),
      mining: {
        autoMine: false,
        blockGasLimit: options.gasLimit,
        memPool: { order: edr.MineOrdering.Fifo },
      },
      minGasPrice: 0n,
      defaultTransactionGasLimit: options.gasLimit,
      transactionGasCap: false,
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: false,
      bailOnTransactionFailure: false,
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    {
      enable: false,
      decodeConsoleLogInputsCallback: () => [],
      printLineCallback: () => undefined,
    },
    { subscriptionCallback: () => undefined },
    new edr.ContractDecoder(),
  )
  return new ReferenceEdr(provider)
}

async function openContext() {
  const { default: edr } = await lane('clients').load<{ default: Edr }>(
    '@nomicfoundation/edr/index.js',
  )
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.OP_CHAIN_TYPE, edr.opProviderFactory())
  return { edr, context }
}
