import type { Hex } from 'viem'
import type { LoggedEvent } from '../checkers/checker.ts'

/** Quantities are hex, as JSON-RPC has them. */
export interface TransactionSeen {
  hash: Hex
  type: Hex
  from: Hex
  to: Hex | null
  value: Hex
  nonce: Hex
  /** Of deposits alone. */
  mint?: Hex
  sourceHash?: Hex
  gas?: Hex
  input: Hex
  /** Of others: what its signer made, as a digest of its members. */
  members?: string
}

/** As `eth_getLogs` has it. */
export interface LogSeen {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  logIndex: Hex
}

export interface ReceiptSeen {
  transactionHash: Hex
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  l1Fee?: Hex
  /** Absent in logs of before it was told, as what follows. */
  type?: Hex
  cumulativeGasUsed?: Hex
  contractAddress?: Hex | null
  /** What it takes of the block's room for L1's data. */
  blobGasUsed?: Hex
  /** What it says of L1's prices and of what it takes there, in the order of `L1_MEMBERS`. */
  l1?: readonly (Hex | null)[]
  /** keccak256 of its bloom, where that is not empty. */
  bloom?: Hex
  /** Of deposits alone. */
  depositNonce?: Hex
  logs: readonly LogSeen[]
}

/** As `eth_getBlockByNumber` has it, without transactions. */
export type HeaderSeen = Readonly<Record<string, Hex>>

/** `l2.block`: a sealed block with everything in it, as a client was told it. */
export interface L2BlockSeen {
  hash: Hex
  number: number
  parent: Hex
  /** Unix seconds. */
  time: number
  baseFee: Hex
  gasLimit: Hex
  gasUsed: Hex
  blobGasUsed: Hex
  extraData: Hex
  /** undefined before Denim. */
  timestampMs?: Hex
  header?: HeaderSeen
  transactions: readonly TransactionSeen[]
  receipts: readonly ReceiptSeen[]
  /** Of all that was answered. */
  digest?: string
}

/** `l2.again`: a block that was asked for another time. */
export interface SeenAgain {
  hash: Hex
  number: number
  digest: string
}

/** `l1.block`: a block of L1, with what its portal logged. */
export interface L1BlockSeen {
  hash: Hex
  number: number
  parent: Hex
  /** Unix seconds. */
  time: number
  deposits: readonly PortalLog[]
  /** What else its portal logged; absent in logs of before it was told, as what the portal has, in wei. */
  withdrawals?: readonly PortalLog[]
  portal?: Hex
  /** Topics of what the registry of signers logged, where it did. */
  registry?: readonly (readonly Hex[])[]
  /** Call data of what was sent to the batch inbox, in order. */
  batches: readonly Hex[]
  /** What is in blobs is not in the log. */
  hasBlobs: boolean
  baseFee?: Hex
  excessBlobGas?: Hex
  mixHash?: Hex
  beaconRoot?: Hex
}

/** As `eth_getLogs` has it. */
export interface PortalLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockHash: Hex
  logIndex: Hex
}

/** `value.seen`: what a client was answered to a question for one number of an account. */
export interface ValueSeen {
  /** Of code: 1 where there is some. */
  kind: 'balance' | 'nonce' | 'storage' | 'call' | 'code'
  address: Hex
  /** The slot, or the data of the call. */
  input?: Hex
  /** A tag, a block's number in hex, or its hash. */
  at: string
  value: Hex
  /** Milliseconds of the log at which it was asked. */
  asked: number
}

/** `range.seen`: what a client was answered to a filter of logs. */
export interface RangeSeen {
  /** A tag, or a block's number in hex. */
  from: string
  to: string
  /** undefined: of everybody. */
  address?: Hex
  /** By their places; null: any. */
  topics?: readonly (Hex | null)[]
  logs: readonly PlacedLog[]
  /** Milliseconds of the log at which it was asked. */
  asked: number
}

export interface PlacedLog {
  block: number
  transaction: Hex
  index: number
}

/** `transaction.signed`: what a client made, before anybody else knew of it. */
export interface TransactionSigned {
  hash: Hex
  from: Hex
  /** null: it creates. */
  to: Hex | null
  value: Hex
  input: Hex
  nonce: number
  maxFeePerGas: Hex
  maxPriorityFeePerGas: Hex
  /** As it goes into a block. */
  raw?: Hex
  /** How many slots of one account its access list has. */
  slots?: number
  /** Whose accounts run which contract from now on. */
  delegates?: readonly { authority: Hex; contract: Hex }[]
}

/** `token.known`: one of L1, what stands for it on L2, and L1's ends of the bridge. */
export interface TokenKnown {
  l1Token: Hex
  l2Token: Hex
  l1Bridge: Hex
  l1Messenger: Hex
}

/** What a chain begins with, as far as its configuration's hash commits to it. */
export interface ChainConfig {
  chainId: number
  l1Hash: Hex
  l2Hash: Hex
  /** Unix seconds. */
  l2Time: number
  batcher: Hex
  scalar: Hex
  gasLimit: Hex
  portal: Hex
  systemConfig: Hex
}

/** `chain.known`: what the specification and the devnet's description say before anything happens. */
export interface ChainKnown {
  accounts: readonly Hex[]
  /** Wei, of each of these. */
  balance: Hex
  /** Of L2. */
  chainId: number
  /** Unix seconds at which L2 begins. */
  genesisTime: number
  /** Seconds between L2 blocks. */
  blockTime: number
  /** Its parts take time to do what they do. */
  isReal?: true
  /** Number of the L1 block with which L2 begins. */
  genesisL1: number
  /** L1 blocks in which a batch has to be posted. */
  sequencerWindow: number
  /** Unix seconds from which on blocks are 200 ms apart; undefined: never. */
  denim?: number
  /** undefined where it has upgrades: their id stands in journals, too. */
  config?: ChainConfig
  /** Of Jovian's L1 attributes what the chain's configuration says: before the numbers of L1, and after its hash. */
  attributes?: { head: Hex; tail: Hex }
}

/** `l2.head`: the newest block at some moment since it was asked for. */
export interface HeadSeen {
  hash: Hex
  number: number
  /** Milliseconds of the log. */
  asked: number
}

/** `dropped` of the node: a block that was being built is none any more. With a dead node it says nothing. */
export interface GivenUp {
  /** On which it stood. */
  parent?: Hex
  /** Input of its first transaction, the L1 attributes. */
  attributes?: Hex
  /** With the attributes. */
  transactions?: readonly Hex[]
}

/** `receipt.seen`: what a client was answered to a hash. */
export interface ReceiptAnswer {
  hash: Hex
  receipt: (ReceiptSeen & { blockHash: Hex }) | null
  /** Milliseconds of the log at which it was asked. */
  asked: number
}

/** `proof.seen`: a client's proof of an account and of one of its slots, EIP-1186. */
export interface ProofSeen {
  address: Hex
  isContract: boolean
  slot: Hex
  /** A tag, or a block's number in hex. */
  at: string
  account: readonly Hex[]
  storage: readonly Hex[]
  /** Milliseconds of the log at which it was asked. */
  asked: number
}

/** `output.seen`: what the rollup node says of a block. */
export interface OutputSeen {
  number: number
  hash: Hex
  root: Hex
}

/** `game`: one on L1, as it was read there. */
export interface GameSeen {
  address: Hex
  /** Of its end. */
  block: number
  /** Absent in logs of before it was told, as what follows. */
  start?: number
  /** What it claims at equal distances, the last of its end. */
  roots?: readonly Hex[]
  /** By the rollup's own word. */
  claimIsTrue: boolean
}

/** The request of a proof, as `prover_prove` has it. */
export interface ProofAsked {
  l1_head: Hex
  l1_head_number: number
  agreed_l2_head_hash: Hex
  agreed_l2_output_root: Hex
  claimed_l2_output_root: Hex
  claimed_l2_block_number: number
  proposer: Hex
  intermediate_block_interval: number
}

/** A signed claim, as the prover host tells it. */
export interface ProposalSeen {
  output_root: Hex
  signature: Hex
  l1_origin_hash: Hex
  l1_origin_number: number
  l2_block_number: number
  prev_output_root: Hex
  config_hash: Hex
}

export interface TeeProofSeen {
  aggregate_proposal: ProposalSeen
  proposals: readonly ProposalSeen[]
}

/** `withdrawal.paid`: by how much its target is richer on L1. */
export interface PaidSeen {
  hash: Hex
  /** Wei. */
  gained: Hex
}

/** `transaction.seen`, `call.seen`, `past.seen`, `pool.seen`: what an explorer was answered for a page. */
interface Page {
  /** Milliseconds of the log at which it was asked. */
  asked: number
}

/** `fees.seen`: of blocks one after the other, each with the tips of its least and of its last gas. */
export interface FeesSeen {
  /** Number of the first. */
  oldest: number
  /** And of the block after the last. */
  base: readonly Hex[]
  /** How full each was, from 0 to 1. */
  ratios: readonly number[]
  reward: readonly (readonly Hex[])[]
}

interface Kinds {
  'transaction.seen': Page & { hash: Hex; transaction: Readonly<Record<string, unknown>> | null }
  'call.seen': Page & { hash: Hex; frame: Readonly<Record<string, unknown>> }
  'past.seen': Page & { address: Hex; hashes: Hex[]; isAll: boolean }
  /** `next`: of these, those that a block could hold. */
  'pool.seen': Page & { hashes: Hex[]; next?: Hex[] }
  confirmed: { hash: Hex; isDone: boolean; number: number }
  'price.seen': Page & { price: Hex }
  'status.seen': Page & { hash: Hex; status: string }
  'place.seen': Page & { number: number; index: number; hash?: Hex; gasPrice?: Hex }
  'sync.seen': Page & Record<'latest' | 'safe' | 'finalized', Hex>
  'estimate.seen': { gas: Hex }
  'drops.seen': Page & { drops: readonly { hash: Hex; code: string }[] }
  'fees.seen': Page & FeesSeen
  'withdrawal.paid': PaidSeen
  'chain.known': ChainKnown
  'token.known': TokenKnown
  'l1.block': L1BlockSeen
  'l2.block': L2BlockSeen
  'l2.head': HeadSeen
  'value.seen': ValueSeen
  'range.seen': RangeSeen
  'l2.again': SeenAgain
  'receipt.seen': ReceiptAnswer
  'proof.seen': ProofSeen
  'output.seen': OutputSeen
  game: GameSeen
  'transaction.signed': TransactionSigned
}

/** The events of one kind, in the order of the log. */
export function eventsOf<K extends keyof Kinds>(
  events: readonly LoggedEvent[],
  kind: K,
): (Kinds[K] & { t: number })[] {
  return events
    .filter(({ what }) => what === kind)
    .map(({ t, data }) => ({ ...(data as unknown as Kinds[K]), t }))
}
