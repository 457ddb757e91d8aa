import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
  size,
  slice,
  toRlp,
} from 'viem'
import { bloomOf, encodedReceipt } from './encoded-receipt.ts'
import { estimatedSize } from './estimated-size.ts'
import type {
  ChainKnown,
  HeaderSeen,
  L1BlockSeen,
  L2BlockSeen,
  TransactionSeen,
  TransactionSigned,
} from './events-of.ts'
import { listRoot, quantity, storageRoot } from './trie-root.ts'

/** What a block stands on, and what its signers made. */
export interface Around {
  /** Its L1 origin, where anybody read it. */
  origin: L1BlockSeen | undefined
  signed: ReadonlyMap<Hex, TransactionSigned>
  /** What the contract of withdrawals keeps after it; undefined where nobody knows. */
  messages: readonly (readonly [slot: bigint, value: bigint])[] | undefined
  known: ChainKnown
}

const DEPOSIT = '0x7e'
const ZERO = numberToHex(0, { size: 32 })
/** keccak256 of an empty list, and sha256 of nothing: there are no uncles and no requests. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** OP specification, predeploys: who is paid the tips. */
const SEQUENCER_FEE_VAULT = '0x4200000000000000000000000000000000000011'
/** OP specification, L1 attributes: gas of the first transaction. */
const ATTRIBUTES_GAS = 1_000_000n
/** Of its input, in bytes, since Jovian. */
const ATTRIBUTES_SIZE = 178

/** In the order in which a hash commits to them. */
const HEADER = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'],
  ...['logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData'],
  ...['mixHash', 'nonce', 'baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas'],
  ...['parentBeaconBlockRoot', 'requestsHash'],
]
const QUANTITIES = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed'],
  'excessBlobGas',
])

/**
 * What is wrong with a header and with the first transaction of a block, by the specification alone (Jovian). Its
 * state root nobody can work out without an EVM; what follows from its parent and its number alone others look at.
 *
 * @returns ends of sentences
 */
export function blockProblems(block: L2BlockSeen, around: Around): string[] {
  const { header } = block
  if (!header) return []
  const raws = block.transactions.map((each) => rawOf(each, around.signed))
  const wanted = {
    ...wantedHeader(block, header, around),
    ...(isWhole(block, raws) && wantedOfTransactions(block, header, raws, around)),
  }
  const wrong = Object.entries(wanted).filter(([name, value]) => same(header[name]) !== same(value))
  const hash = keccak256(toRlp(HEADER.map((name) => memberOf(header, name))))
  return [
    ...wrong.map(([name, value]) => `has ${name} ${header[name]}, not ${value}.`),
    ...(hash === block.hash ? [] : [`is told as ${block.hash}, and its header is ${hash}.`]),
    ...attributesProblems(block, around),
  ]
}

/** What does not begin with L1's attributes another checker names. */
const isWhole = ({ transactions }: L2BlockSeen, raws: (Hex | undefined)[]): raws is Hex[] =>
  !raws.includes(undefined) && size(transactions[0]?.input ?? '0x') === ATTRIBUTES_SIZE

const same = (value: unknown) => String(value).toLowerCase()

function memberOf(header: HeaderSeen, name: string): Hex {
  const value = header[name] ?? '0x'
  return QUANTITIES.has(name) ? quantity(BigInt(value === '0x' ? 0 : value)) : value
}

function wantedHeader(
  { number, parent }: L2BlockSeen,
  header: HeaderSeen,
  { origin }: Around,
): HeaderSeen {
  const constant = {
    ...{ parentHash: parent, number: numberToHex(number), sha3Uncles: NO_UNCLES },
    ...{ miner: SEQUENCER_FEE_VAULT, difficulty: '0x0', nonce: pad('0x0', { size: 8 }) },
    ...{ requestsHash: NO_REQUESTS, excessBlobGas: '0x0' },
  } as const
  const ofL1 = origin?.mixHash && {
    mixHash: origin.mixHash,
    parentBeaconBlockRoot: origin.beaconRoot ?? ZERO,
  }
  // What is not told of either is not judged.
  const wanted = { ...constant, ...ofL1 } as HeaderSeen
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => name in header))
}

/** Of what is in it, in bytes, with what RLP says before. */
const listSize = (length: number) =>
  length < 56 ? length + 1 : length + 1 + size(numberToHex(length))

const number = (bytes: Hex | undefined, from: number, to: number) =>
  hexToBigInt(slice(bytes!, from, to))

/** What a header says of the transactions of its block. */
function wantedOfTransactions(
  { transactions, receipts }: L2BlockSeen,
  header: HeaderSeen,
  raws: readonly Hex[],
  { messages }: Around,
): HeaderSeen {
  const first = transactions[0]!
  const scalar = BigInt(number(first.input, 176, 178))
  const users = raws.filter((_, index) => transactions[index]!.type !== DEPOSIT)
  const room = users.reduce((sum, raw) => sum + (estimatedSize(raw) / 1_000_000n) * scalar, 0n)
  let gas = 0n
  const encoded = receipts.map((receipt) => {
    gas += hexToBigInt(receipt.gasUsed)
    return encodedReceipt(receipt, gas)
  })
  const body = raws.reduce((sum, raw, index) => {
    // One of before EIP-2718 is a list already.
    return sum + (transactions[index]!.type === '0x0' ? size(raw) : size(toRlp(raw)))
  }, 0)
  const ofHeader = size(toRlp(HEADER.map((name) => memberOf(header, name))))
  return {
    transactionsRoot: listRoot(raws),
    // With lists of no uncles and of no withdrawals, a byte each.
    ...('size' in header && { size: numberToHex(listSize(ofHeader + listSize(body) + 2)) }),
    receiptsRoot: listRoot(encoded),
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
    gasUsed: numberToHex(gas),
    blobGasUsed: numberToHex(room),
    ...(messages && { withdrawalsRoot: storageRoot(messages) }),
  }
}

/** As it was signed, or as OP's specification encodes a deposit; undefined where nobody can know. */
export function rawOf(
  transaction: TransactionSeen,
  signed: ReadonlyMap<Hex, TransactionSigned>,
): Hex | undefined {
  if (transaction.type !== DEPOSIT) return signed.get(transaction.hash)?.raw
  const { sourceHash, from, to, mint, value, gas, input } = transaction
  if (!sourceHash || !gas) return undefined
  const numbers = [mint ?? '0x0', value, gas].map((each) => quantity(hexToBigInt(each)))
  return concatHex([DEPOSIT, toRlp([sourceHash, from, to ?? '0x', ...numbers, '0x', input])])
}

/** What the first transaction says of L1 and of what L2 is asked to pay. OP specification, Jovian, "L1 attributes". */
function attributesProblems({ transactions }: L2BlockSeen, { origin, known }: Around): string[] {
  const [first] = transactions
  if (!first?.sourceHash || !origin?.baseFee || !known.attributes) return []
  const { input } = first
  if (size(input) !== ATTRIBUTES_SIZE)
    return [`has attributes of ${size(input)} bytes, not ${ATTRIBUTES_SIZE}.`]
  const sequence = number(input, 12, 20)
  const at = (from: number, to: number) => numberToHex(number(input, from, to))
  const hasBlobs = hexToBigInt(origin.excessBlobGas ?? '0x0') > 0n
  const pairs: [string, unknown, unknown][] = [
    ['selector and fee scalars', slice(input, 0, 12), known.attributes.head],
    ['L1 time', at(20, 28), numberToHex(origin.time)],
    ['L1 base fee', at(36, 68), numberToHex(hexToBigInt(origin.baseFee))],
    // What EIP-4844 asks for grows with blobs alone.
    ...(hasBlobs ? [] : [['L1 blob base fee', at(68, 100), '0x1'] as [string, unknown, unknown]]),
    ['batcher and other scalars', slice(input, 132), known.attributes.tail],
    ['gas', BigInt(first.gas ?? 0), ATTRIBUTES_GAS],
    ['source', first.sourceHash, sourceOf(origin.hash, sequence)],
    ['hash', first.hash, keccak256(rawOf(first, new Map()) ?? '0x')],
  ]
  return pairs
    .filter(([, is, wanted]) => is !== wanted)
    .map(([name, is, wanted]) => `has attributes whose ${name} is ${is}, not ${wanted}.`)
}

/** OP specification, Deposits: domain 1 is of L1's attributes. */
const sourceOf = (l1: Hex, sequence: bigint): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'bytes32' }],
      [
        1n,
        keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [l1, sequence])),
      ],
    ),
  )
