import type { PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import { createBatchStage } from './batch-stage.ts'
import type { SafeHead } from './batch-validity.ts'
import { batcherInputs } from './batcher-inputs.ts'
import type { StagingChannel } from './channel-assembler.ts'
import type { L2Ancestor } from './check-span-batch.ts'
import { DerivationError } from './derivation-error.ts'
import { emptyBatch } from './empty-batch.ts'
import { createL1Chain } from './l1-chain.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'
import { openEpoch, systemConfigAfter } from './open-epoch.ts'
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

export interface Derivation {
  /** The payload after the last accepted block; undefined when L1 up to its head has no more. */
  next(): Promise<DerivedPayload | undefined>
  /** The payload was executed and gave this block. */
  accept(block: { number: bigint; hash: Hash; timestamp: bigint }): void
  /**
   * The payload cannot be executed: here is what to execute instead, only its deposits. The rest of
   * its span and channel is gone (OP specs, Holocene, "Engine Queue").
   */
  rejectTransactions(): DerivedPayload
  /**
   * Goes on to another L1 head. Where that is on another branch, derivation goes back to where it was
   * when it had used up what both branches have, so that the result is the same as if it had never
   * seen the rest.
   * @returns the block to go on from, if derivation went back
   * @throws DerivationError L1_REORGED when the branches part too far back: then it must begin anew
   */
  moveTo(head: Hash): Promise<L2Parent | undefined>
  /**
   * Takes blocks after this number back, and maybe some before it.
   * @returns the block to go on from; undefined when that is too far back
   */
  rewind(number: bigint): L2Parent | undefined
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

/**
 * Derives the L2 chain from L1 alone. Source: OP specs, Derivation, with all forks to Jovian active.
 *
 * Reading starts `channelTimeout` L1 blocks before the parent's origin, for a channel that was open
 * then may hold the next batch. The batcher of the parent's system configuration is taken for those
 * blocks, too, up to the first change among them.
 *
 * @throws DerivationError L1_HEAD_TOO_FAR, later L1_ORIGIN_NOT_CANONICAL; whatever `l1` throws
 */
export async function createDerivation(parameters: DerivationParameters): Promise<Derivation> {
  const { config, l1, reorgDepth = 0 } = parameters
  let parent = parameters.parent
  let pending: (DerivedPayload & { systemConfig: SystemConfig }) | undefined

  const start = max(
    parent.l1Origin.number - BigInt(config.channelTimeout),
    BigInt(config.genesis.l1.number),
  )
  const chain = await createL1Chain(l1, parameters.l1Head, start)
  /** Position on L1, and the configuration that holds there. */
  let l1Number = start - 1n
  let l1Config = parent.systemConfig
  /** L1 blocks from the safe head's origin to the position. */
  const origins = new Map<bigint, L1Header>()
  /** The epoch that batches are held against; one ahead of the safe head's when its own is over. */
  let epochNumber = parent.l1Origin.number
  /** Where it can go back to, oldest first. */
  const positions: Position[] = []
  /** Own blocks that a span may still overlap. */
  const derived = new Map<bigint, L2Ancestor>()

  const stage = createBatchStage({
    config,
    l1Block: (number) => origins.get(number),
    ancestor: async (number) => derived.get(number) ?? parameters.l2Ancestor(number),
  })

  async function advanceL1(): Promise<boolean> {
    const hash = chain.hashAt(l1Number + 1n)
    if (hash === undefined) return false
    expectCanonical(l1Number + 1n, hash)
    const header = await l1.header(hash)
    const systemConfig = await systemConfigAfter(config, l1, header, l1Config)
    const inputs = batcherInputs(
      await l1.transactions(hash),
      config.batchInboxAddress,
      systemConfig.batcherAddress,
    )
    const data = await readBatcherData(l1, header, inputs)
    // Only now, so that a failed read can be tried again.
    positions.push({ l1Number, l1Config, parent, epochNumber, staging: stage.staging() })
    if (positions.length > reorgDepth) positions.shift()
    l1Number += 1n
    l1Config = systemConfig
    if (l1Number >= parent.l1Origin.number) origins.set(l1Number, header)
    stage.load(l1Number, data)
    // An L1 block cannot hold a batch of an epoch that is not before it.
    if (l1Number <= parent.l1Origin.number) stage.drain()
    return true
  }

  function expectCanonical(number: bigint, hash: Hash): void {
    if (number !== parent.l1Origin.number || hash === parent.l1Origin.hash) return
    throw new DerivationError(
      'L1_ORIGIN_NOT_CANONICAL',
      `L1 block ${number} is ${hash}, not ${parent.l1Origin.hash}.`,
      { hint: 'The L1 head and the L2 block to start from belong to different L1 chains.' },
    )
  }

  async function nextBatch(): Promise<SingularBatch | undefined> {
    if (l1Number <= parent.l1Origin.number) return undefined
    const batch = await stage.next(parent, origins.get(epochNumber)!)
    if (batch) return batch
    const forced = emptyBatch({ config, parent, epochNumber, l1Number, origins })
    if (forced === 'next-epoch') epochNumber += 1n
    return typeof forced === 'object' ? forced : undefined
  }

  async function toPayload(batch: SingularBatch): Promise<typeof pending> {
    const { epochNumber: number, timestamp, transactions } = batch
    const l1Origin = origins.get(number)!
    const sameEpoch = number === parent.l1Origin.number
    const { systemConfig, deposits } = sameEpoch
      ? { systemConfig: parent.systemConfig, deposits: [] }
      : await openEpoch(config, l1, l1Origin, parent.systemConfig)
    const sequenceNumber = sameEpoch ? parent.sequenceNumber + 1n : 0n
    return {
      attributes: payloadAttributes({
        ...{ config, systemConfig, l1Origin, sequenceNumber, timestamp, deposits, transactions },
      }),
      l1Origin: { number, hash: l1Origin.hash },
      sequenceNumber,
      l1InclusionNumber: l1Number,
      isDepositsOnly: transactions.length === 0,
      systemConfig,
    }
  }

  function expectPending(): NonNullable<typeof pending> {
    if (pending) return pending
    throw new DerivationError('DERIVATION_OUT_OF_STEP', 'There is no payload to answer for.')
  }

  return {
    async next() {
      if (pending) return pending
      for (;;) {
        const batch = await nextBatch()
        if (batch) {
          pending = await toPayload(batch)
          return pending
        }
        if (!(await advanceL1())) return undefined
      }
    },
    accept(block) {
      const { l1Origin, sequenceNumber, systemConfig, attributes } = expectPending()
      if (block.number !== parent.number + 1n || block.timestamp !== attributes.timestamp) {
        throw new DerivationError(
          'DERIVATION_OUT_OF_STEP',
          `Block ${block.number} is not what was derived after block ${parent.number}.`,
        )
      }
      parent = { ...block, l1Origin, sequenceNumber, systemConfig }
      epochNumber = max(epochNumber, l1Origin.number)
      pending = undefined
      derived.set(block.number, { hash: block.hash, l1OriginNumber: l1Origin.number })
      prune()
    },
    rejectTransactions() {
      const payload = expectPending()
      if (payload.isDepositsOnly) {
        throw new DerivationError('DEPOSITS_INVALID', 'A payload of deposits must be executable.')
      }
      stage.flushChannel()
      const transactions = payload.attributes.transactions.filter((raw) => raw[0] === 0x7e)
      pending = {
        ...payload,
        attributes: { ...payload.attributes, transactions },
        isDepositsOnly: true,
      }
      return pending
    },
    async moveTo(head) {
      const meeting = await chain.moveTo(head)
      if (meeting >= l1Number) return undefined
      const back = goBack((position) => position.l1Number <= meeting)
      if (back) return back
      throw new DerivationError('L1_REORGED', `L1 dropped more than ${reorgDepth} blocks.`)
    },
    rewind: (number) =>
      parent.number <= number ? parent : goBack((position) => position.parent.number <= number),
  }

  function goBack(isFarEnough: (position: Position) => boolean): L2Parent | undefined {
    const index = positions.findLastIndex(isFarEnough)
    const [position] = index < 0 ? [] : positions.splice(index)
    if (!position) return undefined
    stage.restore(position.staging)
    ;({ l1Number, l1Config, parent, epochNumber } = position)
    pending = undefined
    for (const number of origins.keys()) if (number > l1Number) origins.delete(number)
    for (const number of derived.keys()) if (number > parent.number) derived.delete(number)
    return parent
  }

  /** A span that starts in an epoch older than the sequencing window is invalid, whatever it says. */
  function prune(): void {
    const [first] = positions
    const oldest = first
      ? min(first.l1Number, first.parent.l1Origin.number)
      : parent.l1Origin.number
    for (const number of origins.keys()) if (number < oldest) origins.delete(number)
    chain.prune(oldest)
    const window = parent.l1Origin.number - BigInt(config.sequencerWindowSize)
    for (const [number, { l1OriginNumber }] of derived) {
      if (l1OriginNumber >= window) break
      derived.delete(number)
    }
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
