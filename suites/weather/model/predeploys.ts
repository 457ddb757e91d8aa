import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToBigInt,
  keccak256,
  pad,
  parseAbi,
  slice,
} from 'viem'
import type { LogSeen, TransactionSeen } from './events-of.ts'
import type { Ledger } from './ledger.ts'

/** What the contracts that a chain begins with do, by the OP specification, without their code. */

/** L1 attributes. */
export const L1_BLOCK = '0x4200000000000000000000000000000000000015'
/** The milliseconds within the second, since Denim. */
export const BASE_TIME = '0x4200000000000000000000000000000000000030'
/** Sender of what a block begins with. */
export const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
/** Withdrawals. */
export const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'

const PASSER = parseAbi([
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
  'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
])
/** Ether that is sent without a word is withdrawn for its sender, with this much gas on L1. */
const RECEIVE_GAS = 100_000n
/** Slot of the count of messages; that of the messages is 0. */
const COUNT_SLOT = 1n
/** Of messages, in the upper two bytes of their nonces. */
const VERSION = 1n << 240n

export interface Withdrawal {
  log: Pick<LogSeen, 'address' | 'topics' | 'data'>
  /** What the contract keeps of it. */
  slots: readonly (readonly [bigint, bigint])[]
}

/** @returns undefined where the contract refuses it */
export function withdrawalOf(
  { from, value, input }: Pick<TransactionSeen, 'from' | 'value' | 'input'>,
  ledger: Ledger,
): Withdrawal | undefined {
  const asked = input === '0x' ? ([from, RECEIVE_GAS, '0x'] as const) : argumentsOf(input)
  if (!asked) return undefined
  const [target, gasLimit, data] = asked
  const count = messageCount(ledger)
  const nonce = VERSION | count
  const [wei, sender] = [BigInt(value), from]
  const hash = keccak256(
    encodeAbiParameters(
      ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes'].map((type) => ({ type })),
      [nonce, sender, target, wei, gasLimit, data],
    ),
  )
  const log = {
    address: MESSAGE_PASSER as Hex,
    topics: encodeEventTopics({
      abi: PASSER,
      eventName: 'MessagePassed',
      args: { nonce, sender, target },
    }) as Hex[],
    data: encodeAbiParameters(
      ['uint256', 'uint256', 'bytes', 'bytes32'].map((type) => ({ type })),
      [wei, gasLimit, data, hash],
    ),
  }
  const slots = [
    [sentSlot(hash), 1n],
    [COUNT_SLOT, count + 1n],
  ] as const
  return { log, slots }
}

function argumentsOf(input: Hex) {
  try {
    return decodeFunctionData({ abi: PASSER, data: input }).args
  } catch {
    return undefined
  }
}

/** Solidity: where a mapping at slot 0 keeps what belongs to a key. */
const sentSlot = (hash: Hex) =>
  hexToBigInt(
    keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [hash, 0n])),
  )

const messageCount = (ledger: Ledger) => ledger.slot(MESSAGE_PASSER, COUNT_SLOT) ?? 0n

/** Of the call since Jovian, in bytes. */
const ATTRIBUTES_SIZE = 178

/** OP specification, Ecotone: fields are packed in the call as they are in their slots. */
export function attributesSlots(input: Hex): (readonly [bigint, bigint])[] {
  // One that is too short is told of elsewhere.
  const whole = concatHex([input, pad('0x', { size: ATTRIBUTES_SIZE })])
  const word = (from: number, to: number) => hexToBigInt(slice(whole, from, to))
  return [
    [0n, word(20, 36)],
    [1n, word(36, 68)],
    [2n, word(100, 132)],
    [3n, word(4, 20)],
    [4n, word(132, 164)],
    [7n, word(68, 100)],
    [8n, (word(176, 178) << 96n) | word(164, 176)],
  ]
}

/** The last word of a call to BaseTime's setter. */
export function baseTimeSlots(input: Hex): (readonly [bigint, bigint])[] {
  return [[0n, hexToBigInt(slice(input, 4, 36))]]
}

/** Their storage is empty in the first block of all. */
const BEGIN_EMPTY: ReadonlySet<Hex> = new Set([MESSAGE_PASSER, BASE_TIME])

/** What the attributes that came last say of fees. OP specification, Ecotone and Jovian. */
export function pricesOf(ledger: Ledger) {
  const [base, scalars, blobBase, last] = [1n, 3n, 7n, 8n].map(
    (slot) => ledger.slot(L1_BLOCK, slot) ?? 0n,
  ) as [bigint, bigint, bigint, bigint]
  const scalarAt = (bits: bigint) => (scalars >> bits) & UINT32
  const l1Gas = 16n * base * scalarAt(96n) + blobBase * scalarAt(64n)
  const room = last >> 96n
  const operator = [(last >> 64n) & UINT32, last & UINT64]
  /** As receipts have them: both prices, both scalars, the operator's two, the room of a byte. */
  const members = [base, blobBase, scalarAt(96n), scalarAt(64n), ...operator, room]
  return { l1Gas, room, members }
}

/** What a slot holds; undefined where nobody can say. */
export function slotOf(ledger: Ledger, address: Hex, slot: bigint): bigint | undefined {
  const kept = ledger.slot(address, slot)
  return BEGIN_EMPTY.has(address) ? (kept ?? 0n) : kept
}

const UINT32 = (1n << 32n) - 1n
const UINT64 = (1n << 64n) - 1n

/** What functions without arguments return, by their selectors. */
export const VIEWS: Readonly<Record<Hex, (ledger: Ledger) => bigint | undefined>> = {
  /** L1Block.number() */
  '0x8381f58a': (ledger) => lowest(ledger.slot(L1_BLOCK, 0n)),
  /** L1Block.sequenceNumber() */
  '0x64ca23ef': (ledger) => lowest(ledger.slot(L1_BLOCK, 3n)),
  /** L1Block.hash() */
  '0x09bd5a60': (ledger) => ledger.slot(L1_BLOCK, 2n),
  /** BaseTime.timestampMillisPart() */
  '0x7b2fea99': (ledger) => ledger.slot(BASE_TIME, 0n),
  /** L2ToL1MessagePasser.messageNonce() */
  '0xecc70428': (ledger) => VERSION | messageCount(ledger),
}

const lowest = (word: bigint | undefined) => (word === undefined ? undefined : word & UINT64)
