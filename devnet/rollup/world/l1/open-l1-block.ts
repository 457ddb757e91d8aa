import { encode } from '@ethereumjs/rlp'
import { bigIntMax, bigIntMin, bytesToHex } from '@ethereumjs/util'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { blockSize } from '#protocol/execution/block'
import type { BlockEnvironment } from '#protocol/execution/executor'
import { headerHash } from '#protocol/execution/header'
import { logsBloom, mergeBloom } from '#protocol/execution/logs-bloom'
import type { Machine } from '#protocol/execution/machine'
import { NO_REQUESTS, NO_UNCLES } from '#protocol/execution/open-block'
import { encodeReceipt } from '#protocol/execution/receipt'
import { runBlockStart } from '#protocol/execution/run-block-start'
import { type MessageOutcome, runMessage } from '#protocol/execution/run-message'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import {
  checkChain,
  checkExternallyOwned,
  checkFees,
  checkFunds,
  checkIntrinsicGas,
  checkNonce,
} from '#protocol/execution/validate-transaction'
import { WorldState } from '#protocol/execution/world-state'
import { Trie } from '#protocol/trie/trie'
import type { Block, Header, Receipt } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { SignedTransaction } from '#protocol/types/transaction'

export interface OpenL1BlockOptions {
  store: StateStore
  parent: Header
  parentHash: Hash
  /** Seconds. */
  timestamp: bigint
  prevRandao: Hash
  /** Wei. */
  baseFeePerGas: bigint
  blockHash(number: bigint): Promise<Hash | undefined>
}

/** A block of L1 under construction. */
export interface OpenL1Block {
  readonly gasLeft: bigint
  /** @throws TransactionInvalid when it may not stand in this block: nothing has changed then */
  execute(transaction: SignedTransaction): Promise<void>
  seal(): Promise<Block>
}

const NOTHING = { get: () => undefined }
const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
/** anvil's blocks pay nobody. */
export const NO_MINER: Address = '0x0000000000000000000000000000000000000000'

/**
 * Opens the L1 block after `parent`, by the rules of Prague (EIP-1559, -2935, -3651, -7623, -7702)
 * without those of OP: no deposits, no vaults, the base fee is burnt. Nobody withdraws, and there are
 * no blobs.
 * @throws TransactionInvalid; `execute` does
 */
export async function openL1Block(
  machine: Machine,
  options: OpenL1BlockOptions,
): Promise<OpenL1Block> {
  const { store, parent, parentHash, timestamp, prevRandao, baseFeePerGas } = options
  const world = new WorldState(store, parent.stateRoot)
  const environment: BlockEnvironment = {
    number: parent.number + 1n,
    timestamp,
    feeRecipient: NO_MINER,
    gasLimit: parent.gasLimit,
    baseFeePerGas,
    prevRandao,
    blobBaseFee: 1n,
    blockHash: async (number) =>
      number === parent.number ? parentHash : options.blockHash(number),
  }
  const transactions: SignedTransaction[] = []
  const receipts: Receipt[] = []
  const bloom = new Uint8Array(256)
  const transactionTrie = new Trie(NOTHING)
  const receiptTrie = new Trie(NOTHING)
  let gasUsed = 0n
  machine.world = world
  await runBlockStart(machine, environment, { parentHash, parentBeaconBlockRoot: ZERO_HASH })

  function receiptOf(
    type: SignedTransaction['type'],
    effectiveGasPrice: bigint,
    outcome: MessageOutcome,
  ): Receipt {
    const { status, logs, contractAddress, output } = outcome
    const own = logsBloom(logs)
    mergeBloom(bloom, own)
    const gas = { cumulativeGasUsed: gasUsed, gasUsed: outcome.gasUsed, effectiveGasPrice }
    return { type, status, ...gas, logsBloom: bytesToHex(own), logs, contractAddress, output }
  }

  return {
    get gasLeft() {
      return environment.gasLimit - gasUsed
    },
    async execute(transaction) {
      machine.world = world
      const { gas, value, from, maxFeePerGas, maxPriorityFeePerGas } = transaction
      if (gasUsed + gas > environment.gasLimit) {
        throw new TransactionInvalid('BLOCK_GAS_EXCEEDED', 'The block has too little gas left.', {
          have: environment.gasLimit - gasUsed,
          want: gas,
        })
      }
      const sender = await world.entry(from)
      checkChain(transaction, machine.config.chainId)
      checkNonce(sender, transaction.nonce)
      checkExternallyOwned(await world.code(sender))
      checkFees(transaction, baseFeePerGas)
      checkFunds(sender, gas * maxFeePerGas + value)
      const intrinsic = checkIntrinsicGas(transaction)

      const tip = bigIntMin(maxPriorityFeePerGas, maxFeePerGas - baseFeePerGas)
      const gasPrice = baseFeePerGas + tip
      world.update(sender, { nonce: sender.nonce + 1n, balance: sender.balance - gas * gasPrice })
      const outcome = await runMessage(machine, transaction, environment, { gasPrice, intrinsic })
      const pay = async (address: Address, amount: bigint) => {
        const entry = await world.entry(address)
        world.update(entry, { balance: entry.balance + amount })
      }
      await pay(from, (gas - outcome.gasUsed) * gasPrice)
      await pay(environment.feeRecipient, tip * outcome.gasUsed)
      world.endTransaction(outcome.destroyed)
      gasUsed += outcome.gasUsed
      const receipt = receiptOf(transaction.type, gasPrice, outcome)
      const key = encode(transactions.length)
      transactionTrie.put(key, transaction.raw)
      receiptTrie.put(key, encodeReceipt(receipt))
      transactions.push(transaction)
      receipts.push(receipt)
    },
    async seal() {
      const header: Header = {
        parentHash,
        sha3Uncles: NO_UNCLES,
        miner: environment.feeRecipient,
        stateRoot: await world.flush(store),
        transactionsRoot: transactionTrie.commit(),
        receiptsRoot: receiptTrie.commit(),
        logsBloom: bytesToHex(bloom),
        difficulty: 0n,
        number: environment.number,
        gasLimit: environment.gasLimit,
        gasUsed,
        timestamp,
        extraData: '0x',
        mixHash: prevRandao,
        nonce: '0x0000000000000000',
        baseFeePerGas,
        withdrawalsRoot: EMPTY_TRIE_ROOT,
        blobGasUsed: 0n,
        excessBlobGas: 0n,
        parentBeaconBlockRoot: ZERO_HASH,
        requestsHash: NO_REQUESTS,
      }
      const size = blockSize({ header, transactions })
      return { hash: headerHash(header), header, transactions, receipts, size }
    },
  }
}

/** EIP-1559 with Ethereum's own parameters: what the block after `parent` asks for, in wei. */
export function nextL1BaseFee({ baseFeePerGas: fee, gasUsed, gasLimit }: Header): bigint {
  const target = gasLimit / 2n
  if (gasUsed === target) return fee
  if (gasUsed < target) return fee - (fee * (target - gasUsed)) / target / 8n
  return fee + bigIntMax((fee * (gasUsed - target)) / target / 8n, 1n)
}
