import { bigIntMin } from '@ethereumjs/util'
import type { BytePile } from '#protocol/bytes/byte-pile'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { encodeRlpForNow } from '#protocol/bytes/encode-rlp'
import { hashAndSize } from '#protocol/execution/block'
import type { CallOutcome } from '#protocol/execution/executor'
import { addLogs, logsBloom, mergeBloom } from '#protocol/execution/logs-bloom'
import { encodeReceipt } from '#protocol/execution/receipt'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Block, Header, Log, Receipt } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'

/** The pretended emitter of value transfers (OPEN-28…36). */
const TRANSFERS: Address = `0x${'e'.repeat(40)}`
const NO_BLOOM = new Uint8Array(256)
/** Of one receipt, until it is encoded. */
const receiptBloom = new Uint8Array(256)

/** Puts a simulated block together, call by call. Nothing that is hashed goes by way of hex. */
export class SimulatedBlockBuilder {
  gasUsed = 0n
  readonly #start: Header
  readonly #pile: BytePile
  readonly #transactions: SignedTransaction[] = []
  readonly #outcomes: CallOutcome[] = []
  readonly #encodedReceipts: Uint8Array[] = []
  readonly #bloom = new Uint8Array(256)

  /**
   * @param start before its calls ran
   * @param pile gets what is hashed for its roots
   */
  constructor(start: Header, pile: BytePile) {
    this.#start = start
    this.#pile = pile
  }

  add(transaction: SignedTransaction, outcome: CallOutcome): void {
    this.gasUsed += outcome.gasUsed
    const logs = realLogs(outcome.logs)
    const bloom = this.#bloomOf(logs)
    const { type } = transaction
    const { status } = outcome
    const cumulativeGasUsed = this.gasUsed
    const encoded = encodeReceipt(
      { type, status, cumulativeGasUsed, logsBloom: bloom, logs },
      encodeRlpForNow,
    )
    this.#encodedReceipts.push(this.#pile.add(encoded))
    this.#outcomes.push(outcome)
    this.#transactions.push(transaction)
  }

  /** Good until the next one, of whatever block; it is in the block's by then. */
  #bloomOf(logs: readonly Log[]): Uint8Array {
    if (logs.length === 0) return NO_BLOOM
    receiptBloom.fill(0)
    addLogs(receiptBloom, logs)
    mergeBloom(this.#bloom, receiptBloom)
    return receiptBloom
  }

  end(stateRoot: Header['stateRoot']): Block {
    const transactions = this.#transactions
    const header: Header = {
      ...this.#start,
      stateRoot,
      gasUsed: this.gasUsed,
      logsBloom: bytesToHex(this.#bloom),
      transactionsRoot: orderedTrieRoot(transactions.map(({ raw }) => raw)),
      receiptsRoot: orderedTrieRoot(this.#encodedReceipts),
    }
    const outcomes = this.#outcomes
    let receipts: Receipt[] | undefined
    return {
      header,
      transactions,
      // Made for who asks: most answers show none of them.
      get receipts() {
        receipts ??= receiptsOf(header, transactions, outcomes)
        return receipts
      },
      ...hashAndSize({ header, transactions }),
    }
  }
}

function receiptsOf(
  { baseFeePerGas }: Header,
  transactions: readonly SignedTransaction[],
  outcomes: readonly CallOutcome[],
): Receipt[] {
  let cumulativeGasUsed = 0n
  return outcomes.map(({ status, gasUsed, logs, contractAddress, output }, index) => {
    const { type, maxFeePerGas, maxPriorityFeePerGas } = transactions[index]!
    cumulativeGasUsed += gasUsed
    return {
      type,
      status,
      cumulativeGasUsed,
      gasUsed,
      logs,
      logsBloom: bytesToHex(logsBloom(realLogs(logs))),
      contractAddress,
      effectiveGasPrice: bigIntMin(maxFeePerGas, baseFeePerGas + maxPriorityFeePerGas),
      output,
    }
  })
}

/** Transfer logs are shown, but stand neither in the bloom nor in the receipts. */
function realLogs(logs: Log[]): Log[] {
  return logs.some(isTransfer) ? logs.filter((log) => !isTransfer(log)) : logs
}

function isTransfer({ address }: Log): boolean {
  return address === TRANSFERS
}
