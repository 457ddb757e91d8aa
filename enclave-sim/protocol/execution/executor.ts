import type { EngineFault } from '../evm/engine-fault.ts'
import type { Block, Header, Log, PayloadAttributes, Receipt } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import type { Authorization, Transaction } from '../types/transaction.ts'
import type { Tracer } from './tracer.ts'

/** What an EVM frame sees of its block. */
export interface BlockEnvironment {
  number: bigint
  timestamp: bigint
  feeRecipient: Address
  gasLimit: bigint
  baseFeePerGas: bigint
  prevRandao: Hash
  blobBaseFee: bigint
  /** Hash of an ancestor for BLOCKHASH; undefined beyond the 256 newest or unknown. */
  blockHash(number: bigint): Promise<Hash | undefined>
}

/**
 * Runs OP blocks on the EVM. One instance serves any number of blocks, one after another: two open
 * blocks or calls of one executor must not interleave (create one executor per concurrent user).
 */
export interface Executor {
  /** Applies the pre-block system calls (EIP-4788, EIP-2935) and waits for transactions. */
  openBlock(options: OpenBlockOptions): Promise<OpenBlock>
  /**
   * A scratch copy of a state in which single calls can run and anything can be overridden.
   * `tracer` hears every call in it. Where there is a budget, a call whose opcodes use more of it than is left,
   * or a precompile, is given up with BudgetSpent: nobody knows how long a precompile takes.
   */
  openScratch(options: CallOptions & { tracer?: Tracer }): Scratch
  /**
   * Runs one message as the first call of a scratch would be, for its outcome alone. What it reads of a
   * state is at hand for the next such call, until one comes for another state.
   */
  call(options: CallOptions, message: CallMessage, rules: CallRules): Promise<CallOutcome>
  /**
   * The same without waiting, for most calls need not; undefined: this one has to.
   * @throws TransactionInvalid, BudgetSpent
   */
  callAtHand(options: CallOptions, message: CallMessage, rules: CallRules): CallOutcome | undefined
}

export interface CallOptions {
  store: StateStore
  stateRoot: Hash
  /** Gas that its calls may use together: beyond, the call is given up with BudgetSpent. */
  budget?: bigint | undefined
}

export interface OpenBlockOptions {
  store: StateStore
  parent: Header
  /** keccak256 of the parent header. */
  parentHash: Hash
  /** `transactions` is ignored here: the caller executes them one by one. */
  attributes: PayloadAttributes
  /** Ancestor hashes by number, for BLOCKHASH. */
  blockHash(number: bigint): Promise<Hash | undefined>
  /** In place of the fee that follows from the parent; wei. For a devnet's cheats. */
  baseFeePerGas?: bigint
  /** Whether transactions may be taken back: what they change is remembered then. */
  canRewind?: boolean
}

/** A block under construction. Only grows, unless it `canRewind`. */
export interface OpenBlock {
  readonly environment: BlockEnvironment
  readonly transactions: readonly Transaction[]
  readonly receipts: readonly Receipt[]
  readonly gasUsed: bigint
  /** Jovian; 0 under Isthmus. */
  readonly daFootprint: bigint
  /**
   * Where the engine broke in a deposit or in a call before the first transaction, neither of which
   * a block can do without: they have failed, and the block went on.
   */
  readonly faults: readonly EngineFault[]
  /** For a devnet's cheats: what is changed here no transaction explains, so nobody can derive it. */
  readonly state: StateEditor
  /**
   * Executes the next transaction.
   * @throws TransactionInvalid (stable code, nothing changed) when it may not stand in this block:
   * nonce, funds, intrinsic gas, fee, block gas or DA limit. Deposits never throw it.
   * @throws EngineTrap, or what reading the state throws: nothing changed either, and the block can go on
   */
  execute(transaction: Transaction, tracer?: Tracer): Promise<Receipt>
  /**
   * Writes the state so far into the store and returns the header the block would have if it ended
   * here, with real roots. Construction can go on afterwards; the returned state root stays readable.
   */
  checkpoint(): Promise<Header>
  /** checkpoint() and the finished block. */
  seal(): Promise<Block>
  /** Takes back all transactions but the first `count`, of a block that `canRewind`. */
  rewind(count: number): void
  /** Every account and storage slot read or written so far. */
  touched(): { address: Address; slots: Hash[] }[]
}

export interface CallMessage {
  from: Address
  to: Address | null
  data: Uint8Array
  value: bigint
  /** Gas limit of the whole message, intrinsic gas included. */
  gas: bigint
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  nonce?: bigint
  accessList?: { address: Address; storageKeys: Hash[] }[]
  authorizationList?: Authorization[]
}

export interface CallOutcome {
  status: 0 | 1
  /** After refunds, at least the EIP-7623 floor. */
  gasUsed: bigint
  /** Before refunds, at least the floor. */
  maxUsedGas: bigint
  output: Uint8Array
  logs: Log[]
  /** In place of them, where `rawLogs` is asked for: good until the next call. */
  rawLogs?: Uint8Array
  contractAddress: Address | null
  /** Set when status is 0. `revert` keeps its data in `output`; every other halt has no output. */
  halt?: { kind: 'revert' | 'out of gas' | 'other'; message: string }
}

export interface CallRules {
  environment: BlockEnvironment
  /** Refuse a wrong nonce, a fee cap below the base fee, and a balance below gas × fee + value. */
  validate: boolean
  /** Emit an ERC-20 style Transfer log from 0xeeee…ee for each value transfer (simulateV1). */
  traceTransfers?: boolean
  /** Leave the logs as the engine has them (evm/assembly/log.ts), for who only writes them on. */
  rawLogs?: boolean
  /** Gas that this call may use, whatever is left of a budget: beyond, it is given up with BudgetSpent. */
  budget?: bigint | undefined
  /** Precompiles as seen by this call: moved ones by destination, removed ones absent. */
  precompiles?: PrecompileView | undefined
}

/** Which address runs which original precompile. Missing: the fork's own set. */
export type PrecompileView = ReadonlyMap<Address, Address>

/** Single values of a state, read and changed between two transactions. */
export interface StateEditor {
  getBalance(address: Address): Promise<bigint>
  getNonce(address: Address): Promise<bigint>
  getCode(address: Address): Promise<Uint8Array>
  getStorage(address: Address, slot: Hash): Promise<Hash>
  setBalance(address: Address, balance: bigint): Promise<void>
  setNonce(address: Address, nonce: bigint): Promise<void>
  setCode(address: Address, code: Uint8Array): Promise<void>
  setStorage(address: Address, slot: Hash, value: Hash): Promise<void>
  /** Drops all storage of an account, whatever the trie holds. */
  clearStorage(address: Address): Promise<void>
}

/**
 * A private, mutable view of a state. Nothing reaches the store unless `commit` is called.
 */
export interface Scratch extends StateEditor {
  /** Nonce and balance of an account that was read before; undefined: of one that was not. */
  known(address: Address): { nonce: bigint; balance: bigint } | undefined
  /** EIP-4788 and EIP-2935 writes at the start of a simulated block. */
  applyBlockStart(
    environment: BlockEnvironment,
    roots: { parentHash: Hash; parentBeaconBlockRoot: Hash },
  ): Promise<void>
  /**
   * Runs one message as a transaction without L1 and operator fees; its effects stay in the scratch.
   * @returns at once where all that it needs is at hand
   * @throws TransactionInvalid when `validate` refuses it, or value exceeds the balance.
   */
  call(message: CallMessage, rules: CallRules): CallOutcome | Promise<CallOutcome>
  /** Remembers this moment, to which `rewind` leads back as often as wanted, until `commit`. */
  mark(): void
  /** Takes back whatever was done since `mark`, and gives back the whole budget. */
  rewind(): void
  /** Writes everything into the store; returns the state root. */
  commit(): Promise<Hash>
}
