import type { Clock } from '#protocol/clock/clock'
import type { Targets } from '../targets.ts'
import type { Hex } from '../wire/hex.ts'

/**
 * Does to a target what its read interface cannot: sends transactions, knows when a block begins,
 * names a range that can be proven. `--driver FILE` loads a module whose default export is a
 * {@link DriverFactory}. Everything a driver lacks makes the cases that need it not applicable.
 */
export interface Driver {
  /** What `--driver` takes for it: repro commands quote it. */
  readonly name: string
  /** Sends nothing: calls find code and money by overrides, and cases that must send are set aside. */
  readonly onlyReads?: true
  /** Its accounts are poor: calls find money for them by an override, where the node takes one. */
  readonly lacksMoney?: true
  /**
   * Puts a contract on the chain, or finds the one that an earlier run left; `isFresh` asks for a new
   * one. Without it the contracts are sent as transactions.
   * @param initCode what a creating transaction would have as data
   * @returns its address, sealed
   */
  deployOnce?(name: string, initCode: Hex, options: { isFresh: boolean }): Promise<Hex>
  /**
   * Funded senders. They are used by index, up to ten, the last by what is sent all the time: who has fewer gives
   * some twice, of four at least.
   */
  readonly accounts: readonly Hex[]
  /**
   * Sends without waiting. Transactions of one account keep their order.
   * @returns the hash once the node took it @throws when the node refuses
   */
  send(transaction: DriverTransaction): Promise<Hex>
  /** Resolves with where the transaction was sealed. Bounded wait. */
  sealed(hash: Hex): Promise<SealedTransaction>
  /** Resolves just after a block was sealed, so that nearly a block time lies ahead. */
  blockStart(): Promise<void>
  /** A range of so many blocks whose batches are on L1, with roots not taken from the prover. */
  provableRange?(blocks: number): Promise<ProvableRange>
  /**
   * Takes the newest sealed block out of the chain, as a reorganization of depth one does. What was
   * in it should come back in the block that replaces it.
   */
  reorg?(): Promise<void>
  /**
   * What the chain does not get over of what was done to it, in one sentence: told with the results, so
   * that nobody looks elsewhere for it.
   */
  damage?(): Promise<string | undefined>
  stop?(): Promise<void>
}

export interface DriverTransaction {
  /** Index into `accounts`. */
  account: number
  /** Absent: creates a contract from `data`. */
  to?: Hex
  data?: Hex
  value?: bigint
  gas?: bigint
  /**
   * Leaves so many nonces free before its own, so that it waits in the pool. Later transactions of
   * the account count on as if it had not been sent. Default 0.
   */
  nonceGap?: number
  /**
   * Form of the transaction (EIP-2718, EIP-2930, EIP-7702); its access list names slot 0 of `to`, its
   * authorization lets an account that nobody uses delegate to `to`. Default: with fees of EIP-1559, as a
   * driver may send the others, too.
   */
  form?: 'legacy' | 'access-list' | 'set-code'
}

export interface SealedTransaction {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  index: number
  gasUsed: bigint
  succeeded: boolean
  contract: Hex | null
}

/** What a caller of prover_prove must know, computed from public chain data. */
export interface ProvableRange {
  chainId: number
  l1Head: Hex
  l1HeadNumber: number
  agreedHash: Hex
  agreedNumber: number
  agreedRoot: Hex
  /** Output root of each block after the agreed one, in order. */
  roots: readonly Hex[]
}

export type DriverFactory = (options: DriverOptions) => Promise<Driver>

export interface DriverOptions {
  targets: Targets
  clock: Clock
  signal: AbortSignal
  /** To send with every request to a target, such as an API key. */
  headers?: Readonly<Record<string, string>>
  /** Requests in a second that the targets allow. */
  rps?: number
  /** The file the driver was loaded from; its `name` should be this. */
  file?: string
}
