import type { Hex } from 'viem'
import { DEPOSIT } from './derive-deposits.ts'
import type { L2BlockSeen, ReceiptSeen, TransactionSeen, TransactionSigned } from './events-of.ts'
import type { Change, Ledger } from './ledger.ts'

/** OP specification, predeploys: who is paid for what. */
const BASE_FEE_VAULT = '0x4200000000000000000000000000000000000019'
const SEQUENCER_FEE_VAULT = '0x4200000000000000000000000000000000000011'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'

const SUCCESS = '0x1'
/** Of what moves ether and does nothing else. */
const TRANSFER_GAS = 21_000n

export interface ExecutedBlock {
  /** After each transaction, in the order of the block; the last is the block's own. */
  ledgers: readonly Ledger[]
  /** One sentence each. */
  problems: readonly string[]
}

/**
 * What a block makes of the ledger before it, by the specification: fees, transfers, deposits. It runs no
 * EVM: loads send what is arithmetic alone. Gas of contracts and the fee for L1 are taken from receipts, and
 * are held to what the vaults have.
 */
export function executeBlock(
  before: Ledger,
  block: L2BlockSeen,
  signed: ReadonlyMap<Hex, TransactionSigned>,
): ExecutedBlock {
  const receipts = new Map(block.receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const problems: string[] = []
  const ledgers: Ledger[] = []
  let ledger = before
  for (const transaction of block.transactions) {
    const receipt = receipts.get(transaction.hash)
    const at = `Transaction ${transaction.hash} of block ${block.number}`
    if (!receipt) {
      problems.push(`${at} has no receipt.`)
      continue
    }
    const executed =
      transaction.type === DEPOSIT
        ? deposited(ledger, transaction, receipt)
        : sent(ledger, transaction, receipt, block, signed.get(transaction.hash))
    problems.push(...executed.problems.map((problem) => `${at} ${problem}`))
    ledger = ledger.after(executed.changes)
    ledgers.push(ledger)
  }
  return { ledgers: ledgers.length > 0 ? ledgers : [before], problems }
}

interface Executed {
  changes: readonly Change[]
  /** Ends of sentences. */
  problems: readonly string[]
}

/** OP specification, Deposits: what is minted stays, also where the rest fails. It pays no fee. */
function deposited(ledger: Ledger, transaction: TransactionSeen, receipt: ReceiptSeen): Executed {
  const { from, to } = transaction
  const [mint, value] = [BigInt(transaction.mint ?? 0), BigInt(transaction.value)]
  const isRich = ledger.of(from).balance + mint >= value
  const isDone = receipt.status === SUCCESS
  const problems = isDone && !isRich ? ['moved more than its sender has.'] : []
  const changes: Change[] = [{ address: from, wei: mint, nonces: 1 }]
  if (isDone && to) changes.push({ address: from, wei: -value }, { address: to, wei: value })
  return { changes, problems }
}

function sent(
  ledger: Ledger,
  transaction: TransactionSeen,
  receipt: ReceiptSeen,
  { baseFee }: L2BlockSeen,
  signed: TransactionSigned | undefined,
): Executed {
  const problems = signed ? differences(transaction, signed) : ['was made by nobody.']
  const [gas, price, base] = [receipt.gasUsed, receipt.effectiveGasPrice, baseFee].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  const l1Fee = BigInt(receipt.l1Fee ?? 0)
  const value = receipt.status === SUCCESS ? BigInt(transaction.value) : 0n
  const { from, to } = transaction
  const { nonce, balance } = ledger.of(from)
  if (Number(transaction.nonce) !== nonce)
    problems.push(`has nonce ${Number(transaction.nonce)}, and its sender is at ${nonce}.`)
  if (balance < value + gas * price + l1Fee) problems.push('costs more than its sender has.')
  if (signed) {
    const [most, tip] = [BigInt(signed.maxFeePerGas), BigInt(signed.maxPriorityFeePerGas)]
    const right = base + tip < most ? base + tip : most
    if (price !== right) problems.push(`was priced at ${price} wei, not ${right}.`)
  }
  if (to && transaction.input === '0x' && gas < TRANSFER_GAS)
    problems.push(`used ${gas} gas, less than any transaction.`)
  const changes: Change[] = [
    { address: from, wei: -(value + gas * price + l1Fee), nonces: 1 },
    { address: BASE_FEE_VAULT, wei: gas * base },
    { address: SEQUENCER_FEE_VAULT, wei: gas * (price - base) },
    { address: L1_FEE_VAULT, wei: l1Fee },
  ]
  if (to) changes.push({ address: to, wei: value })
  return { changes, problems }
}

/** What became other than its signer made it. */
function differences(transaction: TransactionSeen, signed: TransactionSigned): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['sender', transaction.from.toLowerCase(), signed.from.toLowerCase()],
    ['recipient', transaction.to?.toLowerCase() ?? null, signed.to?.toLowerCase() ?? null],
    ['value', BigInt(transaction.value), BigInt(signed.value)],
    ['nonce', Number(transaction.nonce), signed.nonce],
  ]
  return pairs
    .filter(([, is, was]) => is !== was)
    .map(([name, is, was]) => `has ${name} ${is}, and was signed with ${was}.`)
}
