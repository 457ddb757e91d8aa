import { bigIntMin } from '@ethereumjs/util'
import { hashAndSizeOf } from '#protocol/execution/block'
import type { CallOutcome } from '#protocol/execution/executor'
import type { Block, Header, Receipt } from '#protocol/types/block'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CallObject } from '../calls/call-object.ts'
import type { ProfileValues } from '../profile-differences.ts'
import { callErrorText, shownOutput } from './call-error-text.ts'
import { simulatedBlockText } from './simulated-block-text.ts'
import type { SimulatedBlockWriter, WrittenRoots } from './simulated-block-writer.ts'
import { simulatedTransaction } from './simulated-transaction.ts'
import type { SimulatedBlock } from './simulation.ts'

/** More than that, and a number is not for the writer. */
const MOST_64 = 2n ** 64n - 1n

/** What its transaction has that a call does not say. */
export interface CallPlace {
  gas: bigint
  nonce: bigint
  chainId: bigint
}

export interface ShownAs {
  fullTransactions: boolean
  profile: ProfileValues
}

/** Puts a simulated block together, call by call. */
export class SimulatedBlockBuilder {
  gasUsed = 0n
  readonly #start: Header
  readonly #writer: SimulatedBlockWriter
  readonly #shown: ShownAs
  /** Only where they are shown in full. */
  readonly #transactions: SignedTransaction[] = []
  #calls = 0

  /** @param start before its calls ran */
  constructor(start: Header, writer: SimulatedBlockWriter, shown: ShownAs) {
    this.#start = start
    this.#writer = writer
    this.#shown = shown
    writer.begin()
  }

  /** A call that has run, and what came of it. */
  add(call: CallObject, place: CallPlace, outcome: CallOutcome): void {
    const { fullTransactions, profile } = this.#shown
    if (fullTransactions || !isPlain(call)) {
      const transaction = simulatedTransaction(call, place)
      if (fullTransactions) this.#transactions.push(transaction)
      this.#writer.addTransaction(transaction)
    } else {
      this.#writer.addCall(call, place)
    }
    const shown = {
      output: shownOutput(outcome, profile),
      error: callErrorText(outcome, profile),
    }
    this.#writer.addOutcome(outcome, shown)
    this.gasUsed += outcome.gasUsed
    this.#calls++
  }

  end(stateRoot: Header['stateRoot']): SimulatedBlock {
    const written = this.#calls === 0 ? this.#nothing() : this.#writer.end()
    const { transactionsLength, ...roots } = written
    const header: Header = { ...this.#start, ...roots, stateRoot, gasUsed: this.gasUsed }
    const { hash, size } = hashAndSizeOf(header, transactionsLength)
    const transactions = this.#transactions
    const receipts = transactions.map((transaction) => receiptOf(header, transaction))
    const block: Block = { header, hash, size, transactions, receipts }
    return { header, hash, text: simulatedBlockText(block, this.#writer, this.#shown) }
  }

  #nothing(): WrittenRoots {
    const { transactionsRoot, receiptsRoot, logsBloom } = this.#start
    return { transactionsRoot, receiptsRoot, logsBloom, transactionsLength: 0 }
  }
}

function isPlain(call: CallObject): boolean {
  const { value, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = call
  if (gasPrice !== undefined || call.accessList || call.authorizationList) return false
  if (maxFeePerGas !== undefined && maxFeePerGas > MOST_64) return false
  if (maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas > MOST_64) return false
  return value <= MOST_64
}

/** What a full transaction shows of its receipt. */
function receiptOf(
  { baseFeePerGas }: Header,
  { maxFeePerGas, maxPriorityFeePerGas }: SignedTransaction,
): Receipt {
  const effectiveGasPrice = bigIntMin(maxFeePerGas, baseFeePerGas + maxPriorityFeePerGas)
  return { effectiveGasPrice } as Receipt
}
