import { concatHex, type Hex, keccak256, numberToHex, pad, slice, toEventSelector } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { digestOf, digestOfMembers } from '../model/digest-of.ts'
import type { TrackedRequests } from './tracked-requests.ts'

interface BlockJson {
  hash: string
  number: string
  parentHash: string
  timestamp: string
  baseFeePerGas: string
  gasLimit: string
  gasUsed: string
  blobGasUsed: string
  extraData: string
  /** Since Denim. */
  timestampMs?: string
  excessBlobGas?: string
  mixHash?: string
  parentBeaconBlockRoot?: string
  transactions: Record<string, unknown>[]
}

interface L1Log extends Record<string, unknown> {
  address: string
  topics: readonly string[]
}

/** EIP-4844: type of transactions with blobs. */
const BLOBS = '0x3'
/** Blocks read in one look, where it was cut off for long. */
const MOST_BLOCKS = 64

const DEPOSITED = toEventSelector('TransactionDeposited(address,address,uint256,bytes)')

/** What a receipt says of the fee for L1, in the order in which it is told. */
const L1_MEMBERS = [
  ...['l1GasPrice', 'l1BlobBaseFee', 'l1GasUsed', 'l1BaseFeeScalar', 'l1BlobBaseFeeScalar'],
  ...['operatorFeeScalar', 'operatorFeeConstant', 'daFootprintGasScalar'],
]
const NO_BLOOM = numberToHex(0, { size: 256 })

/** As the description of a devnet says. */
const GENESIS_BALANCE = 10_000n * 10n ** 18n

/** Reads both chains block by block, and tells the recorder all of it: a judge works it out anew. */
export class ChainReader {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Hashes that were recorded, of either chain. */
  readonly #recorded = new Set<string>()

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    const { kind, facts, rollupConfig, recorder } = world
    recorder.record('reader', 'chain.known', {
      accounts: facts.accounts.map(({ address }) => address),
      balance: `0x${GENESIS_BALANCE.toString(16)}`,
      ...{ chainId: facts.chainId, genesisTime: rollupConfig.genesis.l2Time },
      ...{ blockTime: rollupConfig.blockTime, ...(kind === 'real' && { isReal: true }) },
      genesisL1: Number(rollupConfig.genesis.l1.number),
      sequencerWindow: Number(rollupConfig.sequencerWindowSize),
      ...denimOf(rollupConfig),
      ...(!rollupConfig.upgrades && {
        ...{ attributes: attributesOf(rollupConfig), config: configOf(rollupConfig) },
      }),
    })
  }

  /** One look at both. What a fault hides is looked for again with the next. */
  async look(): Promise<void> {
    await this.#readL1()
    await this.#readL2()
  }

  async #readL1(): Promise<void> {
    for (const block of await this.#unrecorded('l1')) {
      const at = { blockHash: block.hash }
      const { optimismPortal, teeProverRegistry } = this.#world.facts.contracts
      const address = [optimismPortal, teeProverRegistry]
      const logs = await this.#ask<L1Log[]>('l1', 'eth_getLogs', [{ ...at, address }])
      const portal = await this.#ask<string>('l1', 'eth_getBalance', [optimismPortal, at])
      if (!logs || !portal) return
      const isOfRegistry = (log: L1Log) =>
        log.address.toLowerCase() === teeProverRegistry.toLowerCase()
      const parts = logs
        .filter((log) => !isOfRegistry(log))
        .map(({ address, topics, data, blockHash, logIndex }) => ({
          ...{ address, topics, data, blockHash, logIndex },
        }))
      const registry = logs.filter(isOfRegistry).map(({ topics }) => topics)
      const inbox = this.#world.rollupConfig.batchInboxAddress.toLowerCase()
      const batcher = this.#world.rollupConfig.genesis.systemConfig.batcherAddress.toLowerCase()
      const posted = block.transactions.filter(
        ({ to, from }) =>
          String(to).toLowerCase() === inbox && String(from).toLowerCase() === batcher,
      )
      this.#tell('l1.block', block, {
        deposits: parts.filter(({ topics }) => topics[0] === DEPOSITED),
        ...{ withdrawals: parts.filter(({ topics }) => topics[0] !== DEPOSITED), portal },
        ...(registry.length > 0 && { registry }),
        batches: posted.map(({ input }) => input),
        hasBlobs: posted.some(({ type }) => type === BLOBS),
        ...{ baseFee: block.baseFeePerGas, excessBlobGas: block.excessBlobGas },
        ...{ mixHash: block.mixHash, beaconRoot: block.parentBeaconBlockRoot },
      })
    }
  }

  async #readL2(): Promise<void> {
    const blocks = await this.#unrecorded('l2')
    for (const block of blocks) {
      const receipts = await this.#ask<Record<string, unknown>[]>('l2', 'eth_getBlockReceipts', [
        { blockHash: block.hash },
      ])
      if (!receipts) return
      const { transactions, hash: _, uncles: _uncles, ...header } = Object(block)
      this.#tell('l2.block', block, {
        ...{ baseFee: block.baseFeePerGas, header },
        ...{ gasLimit: block.gasLimit, gasUsed: block.gasUsed, blobGasUsed: block.blobGasUsed },
        ...{ extraData: block.extraData, timestampMs: block.timestampMs },
        transactions: (transactions as BlockJson['transactions']).map(partsOfTransaction),
        receipts: receipts.map(partsOfReceipt),
        digest: digestOf(block, receipts),
      })
    }
  }

  /** Blocks of the newest chain that were not recorded yet, oldest first. */
  async #unrecorded(chain: 'l1' | 'l2'): Promise<BlockJson[]> {
    const asked = this.#world.recorder.now()
    const head = await this.#ask<BlockJson>(chain, 'eth_getBlockByNumber', ['latest', true])
    if (chain === 'l2' && head) {
      const { hash, number } = head
      this.#world.recorder.record('reader', 'l2.head', { hash, number: Number(number), asked })
    }
    const blocks: BlockJson[] = []
    for (let block = head; block && !this.#recorded.has(block.hash); ) {
      blocks.unshift(block)
      // A block is recorded after the one that it stands on: the newest wait for the next look.
      if (blocks.length > MOST_BLOCKS) blocks.pop()
      if (Number(block.number) === 0) return blocks
      block = await this.#ask<BlockJson>(chain, 'eth_getBlockByHash', [block.parentHash, true])
      if (!block) return []
    }
    return blocks
  }

  async #ask<T>(chain: 'l1' | 'l2', method: string, params: unknown[]): Promise<T | undefined> {
    const { result } = await this.#requests.rpc('reader', chain, method, params)
    return (result ?? undefined) as T | undefined
  }

  #tell(what: string, block: BlockJson, more: Readonly<Record<string, unknown>>): void {
    const { hash, number, parentHash, timestamp } = block
    this.#recorded.add(hash)
    this.#world.recorder.record('reader', what, {
      ...{ hash, number: Number(number), parent: parentHash, time: Number(timestamp) },
      ...more,
    })
  }
}

/** When Denim comes, in Unix seconds; nothing where it never does. */
function denimOf({ upgrades, genesis }: World['rollupConfig']): { denim?: number } {
  const at = upgrades?.denim ?? 'never'
  return at === 'never' ? {} : { denim: at === 'genesis' ? genesis.l2Time : at }
}

function partsOfTransaction(transaction: Record<string, unknown>) {
  const { hash, type, from, to, value, nonce, mint, input, sourceHash, gas } = transaction
  const own =
    sourceHash === undefined ? { members: membersOf(transaction) } : { mint, sourceHash, gas }
  return { hash, type, from, to, value, nonce, input, ...own }
}

/** What its signer made, all of it: not its hash and its sender, which others name, nor its place and its price. */
function membersOf(transaction: Record<string, unknown>): string {
  const { hash: _h, from: _f, blockHash: _b, blockNumber: _n, gasPrice: _g, ...rest } = transaction
  const { blockTimestamp: _t, blockTimestampMs: _ms, transactionIndex: _i, ...signed } = rest
  return digestOfMembers(signed)
}

/** All of a receipt but what the block says of itself; its bloom, which is long, by its hash. */
export function partsOfReceipt({ logs, logsBloom, ...receipt }: Record<string, unknown>) {
  const { transactionHash, status, type, gasUsed, cumulativeGasUsed, effectiveGasPrice } = receipt
  const { l1Fee, contractAddress, blobGasUsed, depositNonce } = receipt
  const hasBloom = logsBloom !== undefined && logsBloom !== NO_BLOOM
  return {
    ...{ transactionHash, status, type, gasUsed, cumulativeGasUsed, effectiveGasPrice },
    ...{ l1Fee, contractAddress, blobGasUsed, depositNonce },
    ...(l1Fee !== undefined && { l1: L1_MEMBERS.map((name) => receipt[name] ?? null) }),
    ...(hasBloom && { bloom: keccak256(logsBloom as Hex) }),
    logs: (logs as Record<string, unknown>[]).map(({ address, topics, data, logIndex }) => ({
      ...{ address, topics, data, logIndex },
    })),
  }
}

/** Of setL1BlockValuesJovian(), as the OP specification lays it out. */
function attributesOf({ genesis: { systemConfig } }: World['rollupConfig']) {
  const { scalar, batcherAddress, operatorFeeScalar, operatorFeeConstant } = systemConfig
  return {
    head: concatHex(['0x3db6be2b', slice(scalar, 28, 32), slice(scalar, 24, 28)]),
    tail: concatHex([
      pad(batcherAddress),
      numberToHex(operatorFeeScalar, { size: 4 }),
      numberToHex(operatorFeeConstant, { size: 8 }),
      numberToHex(systemConfig.daFootprintGasScalar, { size: 2 }),
    ]),
  }
}

function configOf({ l2ChainId, genesis, ...config }: World['rollupConfig']) {
  const { batcherAddress, scalar, gasLimit } = genesis.systemConfig
  return {
    ...{ chainId: l2ChainId, l1Hash: genesis.l1.hash, l2Hash: genesis.l2.hash },
    ...{ l2Time: genesis.l2Time, batcher: batcherAddress, scalar, gasLimit: numberToHex(gasLimit) },
    ...{ portal: config.depositContractAddress, systemConfig: config.l1SystemConfigAddress },
  }
}
