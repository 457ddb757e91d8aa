import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { EngineFault } from '../evm/engine-fault.ts'
import { indexKey } from '../trie/hash-ordered-trie.ts'
import { Trie } from '../trie/trie.ts'
import type { Block, Header, Receipt } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { SignedTransaction, Transaction } from '../types/transaction.ts'
import { isDeposit } from '../types/transaction.ts'
import { hashAndSize } from './block.ts'
import { executeDeposit } from './execute-deposit.ts'
import { executeSigned } from './execute-signed.ts'
import type { BlockEnvironment, OpenBlock, OpenBlockOptions, StateEditor } from './executor.ts'
import { encodeExtraData } from './extra-data.ts'
import { installBaseTime } from './install-base-time.ts'
import { type L1FeeParameters, l1FeeFields, readL1FeeParameters } from './l1-fee.ts'
import { addLogs, logsBloom } from './logs-bloom.ts'
import { type Machine, rulesOf } from './machine.ts'
import { nextBaseFee } from './next-base-fee.ts'
import {
  BASE_FEE_VAULT,
  L1_BLOCK,
  L1_FEE_VAULT,
  L2_TO_L1_MESSAGE_PASSER,
  OPERATOR_FEE_VAULT,
} from './predeploys.ts'
import { encodeReceipt } from './receipt.ts'
import { runBlockStart } from './run-block-start.ts'
import type { MessageOutcome } from './run-message.ts'
import { traceTransaction } from './trace-transaction.ts'
import type { Tracer } from './tracer.ts'
import { TransactionInvalid } from './transaction-invalid.ts'
import { WorldEditor } from './world-editor.ts'
import { WorldState } from './world-state.ts'

/** keccak256(rlp([])). */
export const NO_UNCLES: Hash = keccak256Hex(Uint8Array.of(0xc0))
/** sha256(''). OP spec, Isthmus: requestsHash. */
export const NO_REQUESTS: Hash =
  '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const NOTHING = { get: () => undefined }
const NO_BLOOM = bytesToHex(logsBloom([]))
const FEE_VAULTS = [BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT]

/** What the header says of the first `count` transactions. */
interface Summary {
  count: number
  bloom: Uint8Array
  transactionTrie: Trie
  receiptTrie: Trie
}

/**
 * Opens the block after `parent`: BaseTime is in its place, and EIP-4788 and EIP-2935 have run when this
 * resolves.
 * @throws BASE_TIME_PROXY_UNFIT
 */
export async function openBlock(machine: Machine, options: OpenBlockOptions): Promise<OpenBlock> {
  const block = new BlockBuilder(machine, options)
  await block.start()
  return block
}

class BlockBuilder implements OpenBlock {
  readonly environment: BlockEnvironment
  readonly state: StateEditor
  readonly transactions: Transaction[] = []
  readonly receipts: Receipt[] = []
  readonly faults: EngineFault[] = []
  gasUsed = 0n
  daFootprint = 0n

  readonly #machine: Machine
  readonly #options: OpenBlockOptions
  readonly #world: WorldState
  #summary = emptySummary()
  /** As of the first signed transaction, when the L1-attributes deposit has run; then fixed. */
  #feeParameters: L1FeeParameters | undefined

  constructor(machine: Machine, options: OpenBlockOptions) {
    const { parent, parentHash, attributes, blockHash } = options
    this.#machine = machine
    this.#options = options
    this.#world = new WorldState(options.store, parent.stateRoot)
    this.state = new WorldEditor(this.#world)
    this.environment = {
      number: parent.number + 1n,
      timestamp: attributes.timestamp,
      feeRecipient: attributes.feeRecipient,
      gasLimit: attributes.gasLimit,
      baseFeePerGas: options.baseFeePerGas ?? nextBaseFee(parent, machine.config.fork),
      prevRandao: attributes.prevRandao,
      // OP spec, Ecotone: "Blob base fee" is 1 as long as excessBlobGas is 0.
      blobBaseFee: 1n,
      blockHash: async (number) => (number === parent.number ? parentHash : blockHash(number)),
    }
  }

  async start(): Promise<void> {
    const { parentHash, attributes } = this.#options
    const { parentBeaconBlockRoot } = attributes
    this.#machine.world = this.#world
    const roots = { parentHash, parentBeaconBlockRoot }
    if (rulesOf(this.#machine, this.environment).hasBaseTime) {
      await installBaseTime(this.#world)
    }
    this.faults.push(...(await runBlockStart(this.#machine, this.environment, roots)))
    if (this.#options.canRewind) this.#world.allowRewind()
  }

  async execute(transaction: Transaction, tracer?: Tracer): Promise<Receipt> {
    this.#machine.world = this.#world
    this.#checkGas(transaction)
    const run = () =>
      isDeposit(transaction) ? this.#executeDeposit(transaction) : this.#executeSigned(transaction)
    const { gasUsed, daFootprint } = this
    try {
      const receipt = tracer ? await this.#trace(transaction, tracer, run) : await run()
      this.transactions.push(transaction)
      this.receipts.push(receipt)
      return receipt
    } catch (error) {
      // The block goes on without it.
      this.#world.abandonTransaction()
      Object.assign(this, { gasUsed, daFootprint })
      throw error
    }
  }

  rewind(count: number): void {
    this.#world.rewind(count)
    this.transactions.length = count
    this.receipts.length = count
    this.gasUsed = this.receipts.at(-1)?.cumulativeGasUsed ?? 0n
    this.daFootprint = this.receipts.reduce((sum, { l1 }) => sum + (l1?.daFootprint ?? 0n), 0n)
    if (this.transactions.every(isDeposit)) this.#feeParameters = undefined
    if (this.#summary.count > count) this.#summary = emptySummary()
  }

  touched(): { address: Address; slots: Hash[] }[] {
    return this.#world.touched()
  }

  async checkpoint(): Promise<Header> {
    const { store, parentHash, attributes } = this.#options
    const { environment } = this
    const stateRoot = await this.#world.flush(store)
    const { bloom, transactionTrie, receiptTrie } = this.#summarize()
    return {
      parentHash,
      sha3Uncles: NO_UNCLES,
      miner: environment.feeRecipient,
      stateRoot,
      transactionsRoot: transactionTrie.commit(),
      receiptsRoot: receiptTrie.commit(),
      logsBloom: bytesToHex(bloom),
      difficulty: 0n,
      number: environment.number,
      gasLimit: environment.gasLimit,
      gasUsed: this.gasUsed,
      timestamp: environment.timestamp,
      extraData: encodeExtraData(
        { ...attributes.eip1559, minBaseFee: attributes.minBaseFee },
        this.#machine.config.fork,
      ),
      mixHash: attributes.prevRandao,
      nonce: '0x0000000000000000',
      baseFeePerGas: environment.baseFeePerGas,
      withdrawalsRoot: await this.#world.storageRoot(L2_TO_L1_MESSAGE_PASSER),
      blobGasUsed: this.daFootprint,
      excessBlobGas: 0n,
      parentBeaconBlockRoot: attributes.parentBeaconBlockRoot,
      requestsHash: NO_REQUESTS,
    }
  }

  async seal(): Promise<Block> {
    const header = await this.checkpoint()
    const { transactions, receipts } = this
    return { header, transactions, receipts, ...hashAndSize({ header, transactions }) }
  }

  /** Not with each transaction: a replay for a trace asks for no header. */
  #summarize(): Summary {
    const summary = this.#summary
    const { bloom, transactionTrie, receiptTrie } = summary
    for (; summary.count < this.transactions.length; summary.count++) {
      const receipt = this.receipts[summary.count]!
      const key = indexKey(summary.count)
      transactionTrie.put(key, this.transactions[summary.count]!.raw)
      receiptTrie.put(key, encodeReceipt(receipt))
      addLogs(bloom, receipt.logs)
    }
    return summary
  }

  #checkGas(transaction: Transaction): void {
    const { gasLimit } = this.environment
    const want = this.gasUsed + transaction.gas
    if (want <= gasLimit) return
    if (isDeposit(transaction)) {
      // L1 bounds what a block's deposits may use (OP spec, Guaranteed Gas Market), so this chain's
      // configuration cannot be right; no block at all can follow.
      throw new RollbedError(
        'DEPOSITS_EXCEED_BLOCK_GAS',
        `The deposits need ${want} gas and the block has ${gasLimit}.`,
        { hint: 'Raise the L2 gas limit.' },
      )
    }
    throw new TransactionInvalid('BLOCK_GAS_EXCEEDED', 'The block has too little gas left.', {
      have: gasLimit - this.gasUsed,
      want: transaction.gas,
    })
  }

  #trace(transaction: Transaction, tracer: Tracer, run: () => Promise<Receipt>): Promise<Receipt> {
    const { feeRecipient } = this.environment
    const feeRecipients = isDeposit(transaction) ? [feeRecipient] : [feeRecipient, ...FEE_VAULTS]
    return traceTransaction(this.#machine, tracer, transaction, feeRecipients, run)
  }

  async #executeDeposit(transaction: Transaction & { type: 0x7e }): Promise<Receipt> {
    const outcome = await executeDeposit(this.#machine, transaction, this.environment)
    if (outcome.fault) this.faults.push(outcome.fault)
    return {
      ...this.#receipt(transaction, outcome),
      effectiveGasPrice: 0n,
      depositNonce: outcome.depositNonce,
      depositReceiptVersion: 1n,
    }
  }

  async #executeSigned(transaction: SignedTransaction): Promise<Receipt> {
    const parameters = this.#feeParameters ?? (await this.#readFeeParameters())
    const l1 = l1FeeFields(transaction.raw, parameters)
    // OP spec, Jovian, "DA Footprint Block Limit".
    const have = this.environment.gasLimit - this.daFootprint
    const want = l1.daFootprint
    if (want > have) {
      throw new TransactionInvalid(
        'BLOCK_DA_EXCEEDED',
        'The block has too little DA footprint left.',
        {
          have,
          want,
        },
      )
    }
    const outcome = await executeSigned(this.#machine, transaction, this.environment, l1)
    // Only now, because a refused transaction must leave no trace.
    this.#feeParameters = parameters
    this.daFootprint += want
    const { effectiveGasPrice } = outcome
    return { ...this.#receipt(transaction, outcome), effectiveGasPrice, l1 }
  }

  async #readFeeParameters(): Promise<L1FeeParameters> {
    const world = this.#world
    const l1Block = await world.entry(L1_BLOCK)
    const readSlot = async (slot: Hash) => bytesToBigInt(await world.slot(l1Block, slot))
    return readL1FeeParameters(readSlot, this.#machine.config.fork)
  }

  #receipt(transaction: Transaction, outcome: MessageOutcome): Omit<Receipt, 'effectiveGasPrice'> {
    const { status, gasUsed, logs, contractAddress, output } = outcome
    this.gasUsed += gasUsed
    return {
      type: transaction.type,
      status,
      cumulativeGasUsed: this.gasUsed,
      gasUsed,
      logsBloom: logs.length === 0 ? NO_BLOOM : bytesToHex(logsBloom(logs)),
      logs,
      contractAddress,
      output,
    }
  }
}

function emptySummary(): Summary {
  return {
    count: 0,
    bloom: new Uint8Array(256),
    transactionTrie: new Trie(NOTHING),
    receiptTrie: new Trie(NOTHING),
  }
}
