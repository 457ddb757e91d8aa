import { max, min } from '../types/bigints.ts'
import type { PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import { DEPOSIT_TYPE } from '../types/transaction.ts'
import { successorMs } from '../upgrades/block-times.ts'
import { type BatchStage, createBatchStage } from './batch-stage.ts'
import type { SafeHead } from './batch-validity.ts'
import { batcherInputs } from './batcher-inputs.ts'
import type { StagingChannel } from './channel-assembler.ts'
import type { L2Ancestor } from './check-span-batch.ts'
import { DerivationError } from './derivation-error.ts'
import { emptyBatch } from './empty-batch.ts'
import { createL1Chain, type L1Chain } from './l1-chain.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'
import { advanceEpoch, systemConfigAfter } from './open-epoch.ts'
import { payloadAttributes } from './payload-attributes.ts'
import { readBatcherData } from './read-batcher-data.ts'
import type { RollupConfig, SystemConfig } from './rollup-config.ts'
import type { SingularBatch } from './singular-batch.ts'

/** An L2 block on which derivation goes on. */
export interface L2Parent extends SafeHead {
  /** Position in its epoch. */
  sequenceNumber: bigint
  /** In force for this block. */
  systemConfig: SystemConfig
}

export interface DerivationParameters {
  config: RollupConfig
  l1: L1Source
  /** Nothing after this L1 block is read. */
  l1Head: Hash
  /** The last block that is already known to be safe. */
  parent: L2Parent
  /**
   * A block before `parent`, which a span batch that starts behind it must be held against (see
   * l2Ancestors); undefined where the chain has none.
   */
  l2Ancestor(number: bigint): Promise<L2Ancestor | undefined>
  /** L1 blocks that may be dropped without derivation having to begin anew; 0 by default. */
  reorgDepth?: number
}

export interface DerivedPayload {
  attributes: PayloadAttributes
  l1Origin: { number: bigint; hash: Hash }
  sequenceNumber: bigint
  /** The L1 block that completed what the payload was derived from. */
  l1InclusionNumber: bigint
  isDepositsOnly: boolean
}

/** Where derivation stands when everything up to an L1 block is used up. */
interface Position {
  l1Number: bigint
  /** In force there. */
  l1Config: SystemConfig
  parent: L2Parent
  epochNumber: bigint
  staging: StagingChannel | undefined
}

/** Derives one L2 chain from L1. `createDerivation` makes one. */
export class Derivation {
  readonly #parameters: DerivationParameters
  readonly #chain: L1Chain
  readonly #stage: BatchStage
  readonly #reorgDepth: number
  #parent: L2Parent
  /** Kept where its epoch could not be read: the stage does not give it twice. */
  #batch: SingularBatch | undefined
  #pending: (DerivedPayload & { systemConfig: SystemConfig }) | undefined
  /** Position on L1, and the configuration that holds there. */
  #l1Number: bigint
  #l1Config: SystemConfig
  /** L1 blocks from the safe head's origin to the position. */
  readonly #origins = new Map<bigint, L1Header>()
  /** The epoch that batches are held against; one ahead of the safe head's when its own is over. */
  #epochNumber: bigint
  /** Where it can go back to, oldest first. */
  readonly #positions: Position[] = []
  /** Own blocks that a span may still overlap. */
  readonly #derived = new Map<bigint, L2Ancestor>()

  /** @param chain L1 from the first block to read */
  constructor(parameters: DerivationParameters, chain: L1Chain, firstL1Block: bigint) {
    const { config, parent, reorgDepth = 0 } = parameters
    this.#parameters = parameters
    this.#chain = chain
    this.#reorgDepth = reorgDepth
    this.#parent = parent
    this.#l1Number = firstL1Block - 1n
    this.#l1Config = parent.systemConfig
    this.#epochNumber = parent.l1Origin.number
    this.#stage = createBatchStage({
      config,
      l1Block: (number) => this.#origins.get(number),
      ancestor: async (number) => this.#derived.get(number) ?? parameters.l2Ancestor(number),
    })
  }

  /** The payload after the last accepted block; undefined when L1 up to its head has no more. */
  async next(): Promise<DerivedPayload | undefined> {
    while (!this.#pending) {
      this.#batch ??= await this.#nextBatch()
      if (this.#batch) {
        this.#pending = await this.#toPayload(this.#batch)
        this.#batch = undefined
      } else if (!(await this.#advanceL1())) return undefined
    }
    return this.#pending
  }

  /**
   * The payload was executed and gave this block.
   * @throws DerivationError DERIVATION_OUT_OF_STEP
   */
  accept(block: { number: bigint; hash: Hash; timestamp: bigint }): void {
    const { l1Origin, sequenceNumber, systemConfig, attributes } = this.#expectPending()
    const { number } = this.#parent
    if (block.number !== number + 1n || block.timestamp !== attributes.timestamp) {
      throw new DerivationError(
        'DERIVATION_OUT_OF_STEP',
        `Block ${block.number} is not what was derived after block ${number}.`,
      )
    }
    this.#parent = { ...block, l1Origin, sequenceNumber, systemConfig }
    this.#epochNumber = max(this.#epochNumber, l1Origin.number)
    this.#pending = undefined
    this.#derived.set(block.number, { hash: block.hash, l1OriginNumber: l1Origin.number })
    this.#prune()
  }

  /**
   * The payload cannot be executed: here is what to execute instead, only its deposits. The rest of
   * its span and channel is gone (OP specs, Holocene, "Engine Queue").
   * @throws DerivationError DERIVATION_OUT_OF_STEP, DEPOSITS_INVALID
   */
  rejectTransactions(): DerivedPayload {
    const payload = this.#expectPending()
    if (payload.isDepositsOnly) {
      throw new DerivationError('DEPOSITS_INVALID', 'A payload of deposits must be executable.')
    }
    this.#stage.flushChannel()
    const transactions = payload.attributes.transactions.filter((raw) => raw[0] === DEPOSIT_TYPE)
    this.#pending = {
      ...payload,
      attributes: { ...payload.attributes, transactions },
      isDepositsOnly: true,
    }
    return this.#pending
  }

  /**
   * Goes on to another L1 head. Where that is on another branch, derivation goes back to where it was
   * when it had used up what both branches have, so that the result is the same as if it had never
   * seen the rest.
   * @returns the block to go on from, if derivation went back
   * @throws DerivationError L1_REORGED when the branches part too far back: then it must begin anew
   */
  async moveTo(head: Hash): Promise<L2Parent | undefined> {
    const meeting = await this.#chain.moveTo(head)
    if (meeting >= this.#l1Number) return undefined
    const back = this.#goBack((position) => position.l1Number <= meeting)
    if (back) return back
    throw new DerivationError('L1_REORGED', `L1 dropped more than ${this.#reorgDepth} blocks.`)
  }

  /**
   * Takes blocks after this number back, and maybe some before it.
   * @returns the block to go on from; undefined when that is too far back
   */
  rewind(number: bigint): L2Parent | undefined {
    if (this.#parent.number <= number) return this.#parent
    return this.#goBack((position) => position.parent.number <= number)
  }

  async #advanceL1(): Promise<boolean> {
    const { config, l1 } = this.#parameters
    const number = this.#l1Number + 1n
    const hash = this.#chain.hashAt(number)
    if (hash === undefined) return false
    this.#expectCanonical(number, hash)
    const header = await l1.header(hash)
    const systemConfig = await systemConfigAfter(config, l1, header, this.#l1Config)
    const inputs = batcherInputs(
      await l1.transactions(hash),
      config.batchInboxAddress,
      systemConfig.batcherAddress,
    )
    const data = await readBatcherData(l1, header, inputs)
    // Only now, so that a failed read can be tried again.
    this.#keepPosition()
    this.#l1Number = number
    this.#l1Config = systemConfig
    const oldest = this.#parent.l1Origin.number
    if (number >= oldest) this.#origins.set(number, header)
    this.#stage.load(number, data)
    // An L1 block cannot hold a batch of an epoch that is not before it.
    if (number <= oldest) this.#stage.drain()
    return true
  }

  #keepPosition(): void {
    this.#positions.push({
      l1Number: this.#l1Number,
      l1Config: this.#l1Config,
      parent: this.#parent,
      epochNumber: this.#epochNumber,
      staging: this.#stage.staging(),
    })
    if (this.#positions.length > this.#reorgDepth) this.#positions.shift()
  }

  #expectCanonical(number: bigint, hash: Hash): void {
    const { l1Origin } = this.#parent
    if (number !== l1Origin.number || hash === l1Origin.hash) return
    throw new DerivationError(
      'L1_ORIGIN_NOT_CANONICAL',
      `L1 block ${number} is ${hash}, not ${l1Origin.hash}.`,
      { hint: 'The L1 head and the L2 block to start from belong to different L1 chains.' },
    )
  }

  async #nextBatch(): Promise<SingularBatch | undefined> {
    const parent = this.#parent
    const origins = this.#origins
    if (this.#l1Number <= parent.l1Origin.number) return undefined
    const batch = await this.#stage.next(parent, origins.get(this.#epochNumber)!)
    if (batch) return batch
    const { config } = this.#parameters
    const forced = emptyBatch({
      ...{ config, parent, origins },
      epochNumber: this.#epochNumber,
      l1Number: this.#l1Number,
    })
    if (forced === 'next-epoch') this.#epochNumber += 1n
    return typeof forced === 'object' ? forced : undefined
  }

  async #toPayload(batch: SingularBatch): Promise<DerivedPayload & { systemConfig: SystemConfig }> {
    const { config, l1 } = this.#parameters
    const { epochNumber: number, transactions } = batch
    const parent = this.#parent
    const l1Origin = this.#origins.get(number)!
    const timestampMs = successorMs(config, parent)
    const epoch = await advanceEpoch(config, l1, l1Origin, parent, timestampMs)
    const { systemConfig, sequenceNumber, deposits } = epoch
    return {
      attributes: payloadAttributes({
        ...{ config, systemConfig, l1Origin, sequenceNumber, deposits, transactions },
        number: parent.number + 1n,
        timestampMs,
      }),
      l1Origin: { number, hash: l1Origin.hash },
      sequenceNumber,
      l1InclusionNumber: this.#l1Number,
      isDepositsOnly: transactions.length === 0,
      systemConfig,
    }
  }

  #expectPending(): DerivedPayload & { systemConfig: SystemConfig } {
    if (this.#pending) return this.#pending
    throw new DerivationError('DERIVATION_OUT_OF_STEP', 'There is no payload to answer for.')
  }

  #goBack(isFarEnough: (position: Position) => boolean): L2Parent | undefined {
    const index = this.#positions.findLastIndex(isFarEnough)
    const [position] = index < 0 ? [] : this.#positions.splice(index)
    if (!position) return undefined
    this.#stage.restore(position.staging)
    this.#l1Number = position.l1Number
    this.#l1Config = position.l1Config
    this.#parent = position.parent
    this.#epochNumber = position.epochNumber
    this.#batch = undefined
    this.#pending = undefined
    forgetAfter(this.#origins, this.#l1Number)
    forgetAfter(this.#derived, this.#parent.number)
    return this.#parent
  }

  /** A span that starts in an epoch older than the sequencing window is invalid, whatever it says. */
  #prune(): void {
    const [first] = this.#positions
    const { number: origin } = this.#parent.l1Origin
    const oldest = first ? min(first.l1Number, first.parent.l1Origin.number) : origin
    for (const number of this.#origins.keys()) if (number < oldest) this.#origins.delete(number)
    this.#chain.prune(oldest)
    const window = origin - BigInt(this.#parameters.config.sequencerWindowSize)
    for (const [number, { l1OriginNumber }] of this.#derived) {
      if (l1OriginNumber >= window) break
      this.#derived.delete(number)
    }
  }
}

/**
 * Derives the L2 chain from L1 alone. Source: OP specs, Derivation, with all forks to Jovian active.
 *
 * Reading starts `channelTimeout` L1 blocks before the parent's origin, for a channel that was open
 * then may hold the next batch. The batcher of the parent's system configuration is taken for those
 * blocks, too, up to the first change among them.
 *
 * @throws DerivationError L1_HEAD_TOO_FAR, later L1_ORIGIN_NOT_CANONICAL; whatever `l1` throws
 * @example
 * const derivation = await createDerivation({ config, l1, l1Head, parent, l2Ancestor })
 * for (let payload; (payload = await derivation.next()); ) derivation.accept(await execute(payload))
 */
export async function createDerivation(parameters: DerivationParameters): Promise<Derivation> {
  const { config, l1, l1Head, parent } = parameters
  const first = max(
    parent.l1Origin.number - BigInt(config.channelTimeout),
    BigInt(config.genesis.l1.number),
  )
  return new Derivation(parameters, await createL1Chain(l1, l1Head, first), first)
}

function forgetAfter(map: Map<bigint, unknown>, last: bigint): void {
  for (const number of map.keys()) if (number > last) map.delete(number)
}
