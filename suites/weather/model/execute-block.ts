import { getContractAddress, type Hex, hexToBytes, keccak256 } from 'viem'
import { isRelay, isTokenWithdrawal, tokensArrive, tokensLeave } from './bridged-tokens.ts'
import { DEPOSIT } from './derive-deposits.ts'
import { digestOfMembers } from './digest-of.ts'
import { bloomOf } from './encoded-receipt.ts'
import { estimatedSize } from './estimated-size.ts'
import type {
  L2BlockSeen,
  LogSeen,
  ReceiptSeen,
  TokenKnown,
  TransactionSeen,
  TransactionSigned,
} from './events-of.ts'
import type { Change, Ledger } from './ledger.ts'
import {
  attributesSlots,
  BASE_TIME,
  baseTimeSlots,
  L1_BLOCK,
  MESSAGE_PASSER,
  pricesOf,
  withdrawalOf,
} from './predeploys.ts'
import { signedMembers } from './signed-members.ts'

/** OP specification, predeploys: who is paid for what. */
const BASE_FEE_VAULT = '0x4200000000000000000000000000000000000019'
const SEQUENCER_FEE_VAULT = '0x4200000000000000000000000000000000000011'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'

const SUCCESS = '0x1'
/** Code that creates nothing. */
const FAILS = '0xfe'

export interface ExecutedBlock {
  /** After each transaction, in the order of the block; the last is the block's own. */
  ledgers: readonly Ledger[]
  /** One sentence each. */
  problems: readonly string[]
}

/**
 * What a block makes of the ledger before it, by the specification: fees, transfers, deposits, withdrawals. It
 * runs no EVM: loads send what is arithmetic alone, and contracts of theirs log once a call, without a word. Gas of contracts and the fee for L1 are taken from receipts, and
 * are held to what the vaults have.
 */
export function executeBlock(
  before: Ledger,
  block: L2BlockSeen,
  signed: ReadonlyMap<Hex, TransactionSigned>,
  token?: TokenKnown,
): ExecutedBlock {
  const receipts = new Map(block.receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const problems: string[] = []
  const ledgers: Ledger[] = []
  let ledger = before
  let logs = 0
  let gas = 0n
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
        : sent(ledger, transaction, receipt, block, signed.get(transaction.hash), token)
    gas += BigInt(receipt.gasUsed)
    const wrong = [
      ...executed.problems,
      ...logProblems(receipt, executed.logs, logs),
      ...placeProblems(transaction, receipt, gas),
    ]
    problems.push(...wrong.map((problem) => `${at} ${problem}`))
    logs += receipt.logs.length
    ledger = ledger.after(executed.changes)
    ledgers.push(ledger)
  }
  return { ledgers: ledgers.length > 0 ? ledgers : [before], problems }
}

type Unplaced = Omit<LogSeen, 'logIndex'>

interface Executed {
  changes: readonly Change[]
  logs: readonly Unplaced[]
  /** Ends of sentences. */
  problems: readonly string[]
}

/** OP specification, Deposits: what is minted stays, also where the rest fails. It pays no fee. */
function deposited(ledger: Ledger, transaction: TransactionSeen, receipt: ReceiptSeen): Executed {
  const { from, to } = transaction
  const [mint, value] = [BigInt(transaction.mint ?? 0), BigInt(transaction.value)]
  const isRich = ledger.of(from).balance + mint >= value
  const isDone = receipt.status === SUCCESS
  const problems = statusProblems(isDone, isRich)
  const changes: Change[] = [{ address: from, wei: mint, nonces: 1 }]
  if (isDone && to) changes.push({ address: from, wei: -value }, { address: to, wei: value })
  if (to?.toLowerCase() === L1_BLOCK)
    changes.push({ address: to, slots: attributesSlots(transaction.input) })
  if (to?.toLowerCase() === BASE_TIME)
    changes.push({ address: to, slots: baseTimeSlots(transaction.input) })
  if (!isDone || !isRelay(transaction)) return { changes, problems, logs: [] }
  const arrived = tokensArrive(transaction, ledger)
  return { changes: [...changes, ...arrived.changes], problems, logs: arrived.logs }
}

function sent(
  ledger: Ledger,
  transaction: TransactionSeen,
  receipt: ReceiptSeen,
  { baseFee }: L2BlockSeen,
  signed: TransactionSigned | undefined,
  token: TokenKnown | undefined,
): Executed {
  const problems = signed ? differences(transaction, signed) : ['was made by nobody.']
  const [gas, price, base] = [receipt.gasUsed, receipt.effectiveGasPrice, baseFee].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  const l1Fee = BigInt(receipt.l1Fee ?? 0)
  const isDone = receipt.status === SUCCESS
  const value = isDone ? BigInt(transaction.value) : 0n
  const { from, to } = transaction
  const { nonce, balance } = ledger.of(from)
  if (Number(transaction.nonce) !== nonce)
    problems.push(`has nonce ${Number(transaction.nonce)}, and its sender is at ${nonce}.`)
  if (balance < value + gas * price + l1Fee) problems.push('costs more than its sender has.')
  if (signed) {
    const [most, tip] = [BigInt(signed.maxFeePerGas), BigInt(signed.maxPriorityFeePerGas)]
    const right = base + tip < most ? base + tip : most
    if (price !== right) problems.push(`was priced at ${price} wei, not ${right}.`)
    if (signed.raw) problems.push(...feeProblems(receipt, signed.raw, ledger))
  }
  const delegated: Change[] = (signed?.delegates ?? []).map(({ authority, contract }) => ({
    ...{ address: authority, nonces: 1, isContract: ledger.isContract(contract) },
  }))
  const effect = effectOf(transaction, ledger.after(delegated), token)
  problems.push(...statusProblems(isDone, effect !== undefined))
  const least = leastGas(transaction.input, signed, ledger)
  if (effect?.isTransfer && gas !== least)
    problems.push(`used ${gas} gas to move ether, not ${least}.`)
  const changes: Change[] = [
    { address: from, wei: -(value + gas * price + l1Fee), nonces: 1 },
    ...delegated,
    { address: BASE_FEE_VAULT, wei: gas * base },
    { address: SEQUENCER_FEE_VAULT, wei: gas * (price - base) },
    { address: L1_FEE_VAULT, wei: l1Fee },
  ]
  changes.push({ address: to ?? createdBy(transaction), wei: value })
  if (isDone) changes.push(...(effect?.changes ?? []))
  return { changes, problems, logs: isDone ? (effect?.logs ?? []) : [] }
}

/** OP specification, Fjord and Jovian: by what its block said of L1, in the first transaction. */
function feeProblems({ l1Fee, blobGasUsed, l1 }: ReceiptSeen, raw: Hex, ledger: Ledger): string[] {
  const size = estimatedSize(raw)
  const { l1Gas, room, members } = pricesOf(ledger)
  const [l1GasPrice, blobBaseFee, ...scalars] = members
  // Sixteen for each byte, as it was before Fjord.
  const right = [l1GasPrice, blobBaseFee, (size * 16n) / 1_000_000n, ...scalars].map(String)
  const said = l1?.map((each) => String(each && BigInt(each)))
  const [fee, footprint] = [(size * l1Gas) / 1_000_000_000_000n, (size / 1_000_000n) * room]
  return [
    ...(BigInt(l1Fee ?? 0) === fee ? [] : [`pays ${BigInt(l1Fee ?? 0)} wei for L1, not ${fee}.`]),
    ...(!said || said.join() === right.join()
      ? []
      : [`tells ${said} of L1's prices and its share, not ${right}.`]),
    ...(BigInt(blobGasUsed ?? 0) === footprint
      ? []
      : [`takes ${BigInt(blobGasUsed ?? 0)} of the room on L1, not ${footprint}.`]),
  ]
}

interface Effect {
  /** Beside what is moved and paid. */
  changes: readonly Change[]
  logs: readonly Unplaced[]
  /** It moves ether and runs no code. */
  isTransfer?: boolean
}

/** @returns undefined where it must fail */
function effectOf(
  transaction: TransactionSeen,
  ledger: Ledger,
  token: TokenKnown | undefined,
): Effect | undefined {
  const { to } = transaction
  if (!to) {
    if (transaction.input === FAILS) return undefined
    return { changes: [{ address: createdBy(transaction), isContract: true }], logs: [] }
  }
  if (token && isTokenWithdrawal(transaction)) return tokensLeave(transaction, ledger, token)
  if (to.toLowerCase() === MESSAGE_PASSER) {
    const withdrawal = withdrawalOf(transaction, ledger)
    return (
      withdrawal && {
        changes: [{ address: MESSAGE_PASSER, slots: withdrawal.slots }],
        logs: [withdrawal.log],
      }
    )
  }
  if (ledger.isContract(to)) return { changes: [], logs: [{ address: to, topics: [], data: '0x' }] }
  return { changes: [], logs: [], isTransfer: true }
}

const createdBy = ({ from, nonce }: TransactionSeen): Hex =>
  getContractAddress({ from, nonce: BigInt(nonce) })

/**
 * What moves ether and does nothing else takes, with its data (EIP-7623), its access list (EIP-2930) and what it
 * delegates (EIP-7702): half of that comes back for an authority that was there before, a fifth of all at most.
 */
function leastGas(input: Hex, signed: TransactionSigned | undefined, ledger: Ledger): bigint {
  const tokens = hexToBytes(input).reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0)
  const slots = signed?.slots
  const listed = slots === undefined ? 0 : 2_400 + 1_900 * slots
  const delegates = signed?.delegates ?? []
  const known = delegates.filter(({ authority }) => {
    const { nonce, balance } = ledger.of(authority)
    return nonce > 0 || balance > 0n
  })
  const used = 21_000 + 4 * tokens + listed + 25_000 * delegates.length
  const refund = Math.min(12_500 * known.length, Math.floor(used / 5))
  return BigInt(Math.max(used - refund, 21_000 + 10 * tokens))
}

function statusProblems(isDone: boolean, canBeDone: boolean): string[] {
  if (isDone === canBeDone) return []
  return [isDone ? 'was done, and must fail.' : 'failed, and nothing hinders it.']
}

/** @param gas used up to it in the block */
function placeProblems(
  transaction: TransactionSeen,
  { cumulativeGasUsed, contractAddress, depositNonce }: ReceiptSeen,
  gas: bigint,
): string[] {
  const nonce = depositNonce ?? transaction.nonce
  const created = transaction.to ? null : createdBy({ ...transaction, nonce })
  const named = contractAddress?.toLowerCase() ?? null
  return [
    // In logs of before it was told, it was told of no receipt.
    ...(cumulativeGasUsed === undefined || BigInt(cumulativeGasUsed) === gas
      ? []
      : [`counts ${BigInt(cumulativeGasUsed)} gas up to it, not ${gas}.`]),
    ...(contractAddress === undefined || named === (created?.toLowerCase() ?? null)
      ? []
      : [`names its contract as ${named}, not ${created}.`]),
  ]
}

/** @param first index of its first log in the block */
function logProblems(
  { logs, bloom, l1 }: ReceiptSeen,
  wanted: readonly Unplaced[],
  first: number,
): string[] {
  const textOf = ({ address, topics, data }: Unplaced) =>
    JSON.stringify([address, topics, data]).toLowerCase()
  const [is, right] = [logs.map(textOf), wanted.map(textOf)]
  if (is.join() !== right.join())
    return [`has logs ${is.join(', ') || 'of nothing'}, not ${right.join(', ') || 'of nothing'}.`]
  // In logs of before it was told, it was told of no receipt.
  const wantedBloom = logs.length > 0 && l1 ? keccak256(bloomOf(logs)) : bloom
  if (bloom !== wantedBloom) return ['has a bloom that is not of its logs.']
  const places = logs.map(({ logIndex }) => Number(logIndex))
  const isInOrder = places.every((place, index) => place === first + index)
  return isInOrder ? [] : [`counts its logs as ${places.join(', ')}, and the first is ${first}.`]
}

/** What became other than its signer made it. */
function differences(transaction: TransactionSeen, signed: TransactionSigned): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['sender', transaction.from.toLowerCase(), signed.from.toLowerCase()],
    ['recipient', transaction.to?.toLowerCase() ?? null, signed.to?.toLowerCase() ?? null],
    ['value', BigInt(transaction.value), BigInt(signed.value)],
    ['nonce', Number(transaction.nonce), signed.nonce],
    ['input', transaction.input, signed.input],
  ]
  const { members } = transaction
  if (members !== undefined && signed.raw)
    pairs.push(['members', members, digestOfMembers(signedMembers(signed.raw))])
  return pairs
    .filter(([, is, was]) => is !== was)
    .map(([name, is, was]) => `has ${name} ${is}, and was signed with ${was}.`)
}
