import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hex } from '#protocol/types/bytes'
import type { EngineBlock, EngineReceipt } from './compare-block.ts'

export interface AnvilAccount {
  nonce: number
  balance: Hex
  code: Hex
  storage: Record<Hex, Hex>
}

interface Call {
  method: string
  params: unknown[]
}

interface Answer {
  result?: unknown
  error?: unknown
}

/** Where the reference begins, and by whose rules. */
export interface ReferenceAnvilOptions {
  chainId: number
  /** Default `optimism`; `prague` is L1. */
  rules?: 'optimism' | 'prague'
  alloc: Alloc
  /** Seconds. */
  timestamp: bigint
  coinbase: Address
  /** Default 30 million. */
  gasLimit?: bigint
  /** Wei. */
  baseFeePerGas: bigint
  /** Keep every step, for struct logs. */
  stepsTracing?: boolean
}

/** anvil as a second engine: it makes blocks of exactly the transactions given. */
export class ReferenceAnvil {
  readonly #process: AnvilProcess
  readonly #directory: string

  constructor(process: AnvilProcess, directory: string) {
    this.#process = process
    this.#directory = directory
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** As our components speak to a node. */
  get rpc(): RpcClient {
    return httpRpcClient(`http://127.0.0.1:${this.#process.port}`)
  }

  async request<T>(method: string, params: unknown[] = []): Promise<T> {
    const { result, error } = (await this.#post({ method, params })) as Answer
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result as T
  }

  /** Puts transactions into the pool, in one JSON-RPC batch. */
  async send(transactions: readonly Hex[]): Promise<void> {
    const method = 'eth_sendRawTransaction'
    const answers = await this.#post(transactions.map((raw) => ({ method, params: [raw] })))
    const refused = (answers as Answer[]).find(({ error }) => error)
    if (refused) throw new Error(`${method}: ${JSON.stringify(refused.error)}`)
  }

  async #post(calls: Call | Call[]): Promise<unknown> {
    const numbered = (call: Call, id = 0) => ({ jsonrpc: '2.0', id, ...call })
    const response = await fetch(`http://127.0.0.1:${this.#process.port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.isArray(calls) ? calls.map(numbered) : numbered(calls)),
    })
    return response.json()
  }

  /**
   * Makes the next block of `transactions`. anvil leaves out those it finds invalid. Through a reorg,
   * because only so is a block a pure function of the state before it.
   */
  async makeBlock(transactions: readonly Hex[], baseFeePerGas: bigint): Promise<EngineBlock> {
    await this.request('evm_mine')
    return this.replaceBlock(transactions, baseFeePerGas)
  }

  /** Makes the newest block again. */
  async replaceBlock(transactions: readonly Hex[], baseFeePerGas: bigint): Promise<EngineBlock> {
    const fee = `0x${baseFeePerGas.toString(16)}`
    await this.request('anvil_setNextBlockBaseFeePerGas', [fee])
    await this.request('anvil_reorg', [1, transactions.map((raw) => [raw, 0])])
    return this.request('eth_getBlockByNumber', ['latest', false])
  }

  receipts(): Promise<EngineReceipt[]> {
    return this.request('eth_getBlockReceipts', ['latest'])
  }

  async nonce(address: Address): Promise<bigint> {
    return BigInt(await this.request<Hex>('eth_getTransactionCount', [address, 'latest']))
  }

  /** Every account anvil has ever loaded. */
  async accounts(): Promise<Record<Address, AnvilAccount>> {
    const dump = await this.request<Hex>('anvil_dumpState')
    const json = gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()
    return (JSON.parse(json) as { accounts: Record<Address, AnvilAccount> }).accounts
  }
}

/** The caller stops it. */
export async function startReferenceAnvil(options: ReferenceAnvilOptions): Promise<ReferenceAnvil> {
  const directory = mkdtempSync(join(tmpdir(), 'rollbed-differential-'))
  const init = join(directory, 'genesis.json')
  writeFileSync(init, JSON.stringify(genesisFile(options)))
  const process = new AnvilProcess({
    port: 0,
    chainId: options.chainId,
    init,
    ...(options.rules === 'prague' ? { hardfork: 'prague' } : { network: 'optimism' }),
    noMining: true,
    order: 'fifo',
    accounts: 0,
    disableDefaultCreate2Deployer: true,
    disablePoolBalanceChecks: options.rules !== 'prague',
    noRequestSizeLimit: true,
    // What genesis says holds for the first block only.
    ...(options.gasLimit && { gasLimit: Number(options.gasLimit) }),
    ...(options.stepsTracing && { stepsTracing: true }),
  })
  const anvil = new ReferenceAnvil(process, directory)
  try {
    await process.start()
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return anvil
}

function genesisFile(options: ReferenceAnvilOptions) {
  const hex = (value: bigint) => `0x${value.toString(16)}`
  const alloc = Object.entries(options.alloc).map(([address, account]) => [
    address,
    {
      ...account,
      balance: hex(account.balance ?? 0n),
      nonce: hex(account.nonce ?? 0n),
    },
  ])
  return {
    config: { chainId: options.chainId },
    nonce: '0x0',
    timestamp: hex(options.timestamp),
    extraData: '0x',
    gasLimit: hex(options.gasLimit ?? 30_000_000n),
    difficulty: '0x0',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: options.coinbase,
    baseFeePerGas: hex(options.baseFeePerGas),
    alloc: Object.fromEntries(alloc),
  }
}
