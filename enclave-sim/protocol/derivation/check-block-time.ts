import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import { BASE_TIME } from '../execution/predeploys.ts'
import type { Receipt } from '../types/block.ts'
import { isDeposit, type Transaction } from '../types/transaction.ts'
import { type BlockTimes, blockMs } from '../upgrades/block-times.ts'
import { rulesAt } from '../upgrades/schedule.ts'
import { encodeBaseTime, millisPart, SETTER_SELECTOR } from './base-time.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './l1-attributes.ts'

/** An executed block, as far as its time goes; seconds, and milliseconds within them. */
export interface TimedBlock {
  number: bigint
  timestamp: bigint
  transactions: readonly Transaction[]
  receipts: readonly Pick<Receipt, 'status'>[]
  /** BaseTime's slot 0 in the state after it. */
  storedPart: bigint
  /** The slot of its parent is that of the parent's state. */
  parent: { timestamp: bigint; storedPart: bigint }
}

/**
 * The six rules by which the milliseconds of a block are valid. Nothing that derivation makes breaks
 * one; they are what a node, a follower and an enclave ask of every block that they vouch for.
 * Source: base/base, base_time.rs ("ProtocolSetterBeforeDenim" to the check after execution).
 * @throws RollbedError BLOCK_TIME_INVALID
 */
export function checkBlockTime(times: BlockTimes, block: TimedBlock): void {
  const { hasBaseTime } = rulesAt(times.upgrades, block.timestamp * 1000n)
  const setters = block.transactions.flatMap((each, index) =>
    isProtocolSetter(each) ? [index] : [],
  )
  if (!hasBaseTime) {
    if (setters.length > 0) throw invalid(block, 'it sets its milliseconds before Denim')
    return
  }
  const part = millisPart(block.transactions)
  const expected = encodeBaseTime(block.number, BigInt(part ?? 0))
  const second = block.transactions[1]
  if (part === undefined || bytesToHex(second!.raw) !== bytesToHex(expected)) {
    throw invalid(block, 'its second transaction is not the deposit of its milliseconds')
  }
  if (setters.length > 1) throw invalid(block, 'it sets its milliseconds twice')
  checkProgress(times, block, block.timestamp * 1000n + BigInt(part))
  if (block.receipts.length !== block.transactions.length || block.receipts[1]?.status !== 1) {
    throw invalid(block, 'the deposit of its milliseconds failed')
  }
  if (block.storedPart !== BigInt(part)) {
    throw invalid(block, `its state holds ${block.storedPart} ms and its deposit says ${part}`)
  }
}

function checkProgress(times: BlockTimes, block: TimedBlock, timestampMs: bigint): void {
  const scheduled = blockMs(times, block.number)
  if (timestampMs !== scheduled) {
    throw invalid(block, `it is at ${timestampMs} ms and was due at ${scheduled}`)
  }
  const parentSeconds = block.parent.timestamp * 1000n
  const { hasBaseTime, blockInterval } = rulesAt(times.upgrades, parentSeconds)
  if (!hasBaseTime) {
    if (timestampMs % 1000n !== 0n)
      throw invalid(block, 'the first block of Denim is no whole second')
    return
  }
  const parentMs = parentSeconds + block.parent.storedPart
  if (timestampMs !== parentMs + blockInterval!) {
    throw invalid(block, `it is at ${timestampMs} ms, after a block at ${parentMs}`)
  }
}

/** Whether it sets the milliseconds with the right to do so; a user's transaction just reverts. */
function isProtocolSetter(transaction: Transaction): boolean {
  return (
    isDeposit(transaction) &&
    transaction.from === L1_ATTRIBUTES_DEPOSITOR &&
    transaction.to === BASE_TIME &&
    bytesToHex(transaction.data.subarray(0, 4)) === SETTER_SELECTOR
  )
}

function invalid({ number }: TimedBlock, why: string): RollbedError {
  return new RollbedError('BLOCK_TIME_INVALID', `Block ${number} has no valid time: ${why}.`)
}
