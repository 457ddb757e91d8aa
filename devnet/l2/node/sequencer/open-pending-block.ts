import { decodeL1Attributes } from '#protocol/derivation/l1-attributes'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { EngineFault } from '#protocol/evm/engine-fault'
import { blockSize } from '#protocol/execution/block'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { SignedTransaction, Transaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import { exceedsBlock } from '../mempool/exceeds-block.ts'
import type { Pool } from '../mempool/pool.ts'
import type { PooledTransaction } from '../mempool/sender-queue.ts'
import type { BlockPlan } from '../open-block/block-plan.ts'
import type { OpenSnapshot } from '../open-block/open-snapshot.ts'
import type { PlacedEdit, StateEdit } from '../open-block/state-edit.ts'

export interface PendingBlockContext {
  executor: Executor
  store: StateStore
  pool: Pool
  blockHash(number: bigint): Promise<Hash | undefined>
  /** Told of each block in which the EVM broke where no block can do without what it ran. */
  onFault?(number: bigint, fault: EngineFault): void
}

/** Up to where a flashblock may fill the block. */
export interface FlashblockLimits {
  gas: bigint
  /** Jovian. */
  daFootprint: bigint
  /** Fill the block even if it runs too far ahead of L1. */
  ignoresDrift: boolean
  /** Asked before each transaction: is it time to stop? */
  isOver(): boolean
}

/** The pending block while it can still grow: executes each transaction once and tells its state as snapshots. */
export class OpenPendingBlock {
  readonly plan: BlockPlan
  /** What it held of another chain's flashblocks when it began here: no share of this chain's. */
  readonly takenOver: { gas: bigint; daFootprint: bigint }
  readonly #context: PendingBlockContext
  readonly #daGasPerByte: bigint
  #open: OpenBlock
  readonly #edits: PlacedEdit[]
  #flashblocks: number
  #published = 0

  /** @param begun where another chain began it: its first snapshot here is that one */
  constructor(
    context: PendingBlockContext,
    plan: BlockPlan,
    open: OpenBlock,
    begun?: Pick<OpenSnapshot, 'edits' | 'flashblockIndex'>,
  ) {
    this.#context = context
    this.plan = plan
    this.#open = open
    this.#edits = [...(begun?.edits ?? [])]
    this.#flashblocks = begun?.flashblockIndex ?? 0
    this.takenOver = begun
      ? { gas: open.gasUsed, daFootprint: open.daFootprint }
      : { gas: 0n, daFootprint: 0n }
    // Found in the block itself: a zero in the configuration stands for a default there.
    const { data } = decodeTransaction(plan.attributes.transactions[0]!)
    this.#daGasPerByte = BigInt(decodeL1Attributes(data).systemConfig.daFootprintGasScalar)
  }

  /** Changes the state between two transactions. */
  async edit(edit: StateEdit): Promise<void> {
    this.#edits.push({ after: this.#open.transactions.length, edit })
    await edit(this.#open.state)
  }

  holdsUserTransactions(): boolean {
    return this.#open.transactions.some((each) => !isDeposit(each))
  }

  /** The rule that the block breaks, so that nobody can derive it from L1. */
  divergence(): string | undefined {
    if (this.plan.divergence) return this.plan.divergence
    if (this.#edits.length > 0 || this.plan.parentStateRoot !== this.plan.parent.header.stateRoot) {
      return 'state'
    }
    if (this.#open.transactions.some((each) => !isDeposit(each) && each.isImpersonated)) {
      return 'impersonation'
    }
    return this.plan.isDrifted && this.holdsUserTransactions() ? 'sequencer drift' : undefined
  }

  /** Takes transactions from the pool until the limits are reached. */
  async fill(limits: FlashblockLimits): Promise<void> {
    if (this.plan.isDrifted && !limits.ignoresDrift) return
    const selection = this.#context.pool.select(this.#open.environment.baseFeePerGas)
    while (!limits.isOver()) {
      const pooled = selection.next()
      if (!pooled) return
      if (!this.#fits(pooled, limits)) this.#discardIfTooLarge(pooled.transaction)
      else if (await this.#add(pooled.transaction)) selection.accept()
    }
  }

  /** Whether the pool has a transaction that could be the next one. */
  hasCandidate(): boolean {
    const { pool } = this.#context
    return pool.select(this.#open.environment.baseFeePerGas).next() !== undefined
  }

  /** What the block is now. Every call is one flashblock. */
  async snapshot(): Promise<OpenSnapshot> {
    const header = await this.#open.checkpoint()
    const transactions = Object.freeze([...this.#open.transactions])
    const receipts = Object.freeze([...this.#open.receipts])
    const firstNewTransaction = this.#published
    this.#published = transactions.length
    return Object.freeze({
      flashblockIndex: this.#flashblocks++,
      header: Object.freeze(header),
      transactions,
      receipts,
      firstNewTransaction,
      size: blockSize({ header, transactions: [...transactions] }),
      plan: this.plan,
      edits: Object.freeze([...this.#edits]),
    })
  }

  async seal(): Promise<Block> {
    const { faults } = this.#open
    const block = await this.#open.seal()
    for (const fault of faults) this.#context.onFault?.(block.header.number, fault)
    return block
  }

  #fits({ transaction, estimatedSize }: PooledTransaction, limits: FlashblockLimits): boolean {
    const { gasUsed, daFootprint } = this.#open
    return (
      gasUsed + transaction.gas <= limits.gas &&
      daFootprint + estimatedSize * this.#daGasPerByte <= limits.daFootprint
    )
  }

  #discardIfTooLarge(transaction: SignedTransaction): void {
    const { gasLimit } = this.plan.attributes
    const reason = exceedsBlock(transaction, { gasLimit, daGasPerByte: this.#daGasPerByte })
    if (reason) this.#context.pool.discard(transaction.hash, reason)
  }

  async #add(transaction: SignedTransaction): Promise<boolean> {
    const before = this.#open.transactions.length
    try {
      await this.#open.execute(transaction)
      return true
    } catch (error) {
      if (error instanceof TransactionInvalid) this.#refuse(transaction, error)
      else await this.#restart(this.#open.transactions.slice(0, before), transaction, error)
      return false
    }
  }

  /** Nothing was executed. Some transactions may stand in a later block, the others never will. */
  #refuse({ hash, from }: SignedTransaction, error: TransactionInvalid): void {
    const { pool } = this.#context
    switch (error.code) {
      case 'BLOCK_GAS_EXCEEDED':
      case 'BLOCK_DA_EXCEEDED':
      case 'FEE_CAP_BELOW_BASE_FEE':
        return
      case 'NONCE_TOO_LOW':
      case 'NONCE_TOO_HIGH':
        // An EIP-7702 authorization used up a nonce behind the pool's back.
        pool.setNextNonce(from, error.fields.want!)
        return
      default:
        pool.discard(hash, error)
    }
  }

  /** The executor itself failed, in who knows what state: what was pre-confirmed is built anew. */
  async #restart(
    before: readonly Transaction[],
    culprit: SignedTransaction,
    cause: unknown,
  ): Promise<void> {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `Executing transaction ${culprit.hash} failed inside the node: ${why}`
    this.#context.pool.discard(
      culprit.hash,
      new RollbedError('EXECUTION_FAILED', message, { cause }),
    )
    this.#open = await execute(this.#context, this.plan, before, this.#edits)
  }
}

/** Opens the planned block and executes its deposits: flashblock 0. */
export async function openPendingBlock(
  context: PendingBlockContext,
  plan: BlockPlan,
): Promise<OpenPendingBlock> {
  const deposits = plan.attributes.transactions.map(decodeTransaction)
  return new OpenPendingBlock(context, plan, await execute(context, plan, deposits))
}

/** Goes on with a block that another chain has open: as that snapshot shows it, to the byte. */
export async function takeOverPendingBlock(
  context: PendingBlockContext,
  snapshot: OpenSnapshot,
): Promise<OpenPendingBlock> {
  const { plan, transactions, edits } = snapshot
  const open = await execute(context, plan, transactions, edits)
  return new OpenPendingBlock(context, plan, open, snapshot)
}

async function execute(
  { executor, store, blockHash }: PendingBlockContext,
  { parent, parentStateRoot, attributes, baseFeePerGas }: BlockPlan,
  transactions: readonly Transaction[],
  edits: readonly PlacedEdit[] = [],
): Promise<OpenBlock> {
  const open = await executor.openBlock({
    store,
    parent: { ...parent.header, stateRoot: parentStateRoot },
    parentHash: parent.hash,
    attributes,
    blockHash,
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
  })
  const editAfter = async (count: number) => {
    for (const { after, edit } of edits) if (after === count) await edit(open.state)
  }
  for (const [index, transaction] of transactions.entries()) {
    await open.execute(transaction)
    await editAfter(index + 1)
  }
  return open
}
