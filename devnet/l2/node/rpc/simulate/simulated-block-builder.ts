import { bigIntMin } from '@ethereumjs/util'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { blockSize } from '#protocol/execution/block'
import type { CallOutcome } from '#protocol/execution/executor'
import { headerHash } from '#protocol/execution/header'
import { logsBloom, mergeBloom } from '#protocol/execution/logs-bloom'
import { encodeReceipt } from '#protocol/execution/receipt'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Block, Header, Log, Receipt } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'

/** The pretended emitter of value transfers (OPEN-28…36). */
const TRANSFERS: Address = `0x${'e'.repeat(40)}`
const NO_BLOOM = new Uint8Array(256)

/** Puts a simulated block together, call by call. Nothing that is hashed goes by way of hex. */
export class SimulatedBlockBuilder {
  gasUsed = 0n
  readonly #start: Header
  readonly #transactions: SignedTransaction[] = []
  readonly #receipts: Receipt[] = []
  readonly #encodedReceipts: Uint8Array[] = []
  readonly #bloom = new Uint8Array(256)

  /** @param start before its calls ran */
  constructor(start: Header) {
    this.#start = start
  }

  add(transaction: SignedTransaction, outcome: CallOutcome): void {
    this.gasUsed += outcome.gasUsed
    const logs = realLogs(outcome.logs)
    const bloom = logs.length === 0 ? NO_BLOOM : logsBloom(logs)
    if (bloom !== NO_BLOOM) mergeBloom(this.#bloom, bloom)
    const { type } = transaction
    const { status } = outcome
    const cumulativeGasUsed = this.gasUsed
    this.#encodedReceipts.push(
      encodeReceipt({ type, status, cumulativeGasUsed, logsBloom: bloom, logs }),
    )
    this.#receipts.push(
      receipt(transaction, outcome, this.#start.baseFeePerGas, {
        cumulativeGasUsed,
        bloom,
      }),
    )
    this.#transactions.push(transaction)
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
    const size = blockSize({ header, transactions })
    return { hash: headerHash(header), header, transactions, receipts: this.#receipts, size }
  }
}

function receipt(
  { type, maxFeePerGas, maxPriorityFeePerGas }: SignedTransaction,
  { status, gasUsed, logs, contractAddress, output }: CallOutcome,
  baseFee: bigint,
  { cumulativeGasUsed, bloom }: { cumulativeGasUsed: bigint; bloom: Uint8Array },
): Receipt {
  return {
    type,
    status,
    cumulativeGasUsed,
    gasUsed,
    logs,
    // Made for who asks: an answer shows only the block's.
    get logsBloom() {
      return bytesToHex(bloom)
    },
    contractAddress,
    effectiveGasPrice: bigIntMin(maxFeePerGas, baseFee + maxPriorityFeePerGas),
    output,
  }
}

/** Transfer logs are shown, but stand neither in the bloom nor in the receipts. */
function realLogs(logs: Log[]): Log[] {
  return logs.some(isTransfer) ? logs.filter((log) => !isTransfer(log)) : logs
}

function isTransfer({ address }: Log): boolean {
  return address === TRANSFERS
}
