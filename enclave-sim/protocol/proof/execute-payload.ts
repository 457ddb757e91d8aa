import { checkBlockTime } from '../derivation/check-block-time.ts'
import type { Executor, OpenBlock } from '../execution/executor.ts'
import { BASE_TIME } from '../execution/predeploys.ts'
import { TransactionInvalid } from '../execution/transaction-invalid.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { TransactionMalformed } from '../transaction/transaction-malformed.ts'
import type { Block, Header, PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import type { BlockTimes } from '../upgrades/block-times.ts'
import { rulesAt } from '../upgrades/schedule.ts'

/** Where BaseTime keeps the milliseconds. */
const PART_SLOT: Hash = `0x${'0'.repeat(64)}`

export interface ExecutePayloadOptions {
  executor: Executor
  store: StateStore
  parent: { header: Header; hash: Hash }
  attributes: PayloadAttributes
  /** When blocks are due. */
  config: BlockTimes
  /** For BLOCKHASH. */
  blockHash(number: bigint): Promise<Hash | undefined>
}

/**
 * Executes a derived payload.
 * @returns the block, or undefined when a transaction may not stand in it: such a payload is invalid
 * as a whole, and derivation must replace it (OP specs, Holocene: "Engine Queue").
 * @throws EngineTrap: nobody can vouch for a block on which the engine broke; BLOCK_TIME_INVALID
 */
export async function executePayload(options: ExecutePayloadOptions): Promise<Block | undefined> {
  const { executor, store, parent, attributes, config, blockHash } = options
  const block = await executor.openBlock({
    store,
    parent: parent.header,
    parentHash: parent.hash,
    attributes,
    blockHash,
  })
  const parentPart = await storedPart(block, config)
  try {
    for (const raw of attributes.transactions) await block.execute(decodeTransaction(raw))
  } catch (error) {
    if (error instanceof TransactionInvalid || error instanceof TransactionMalformed)
      return undefined
    throw error
  }
  const [fault] = block.faults
  if (fault) throw fault
  checkBlockTime(config, {
    ...block.environment,
    transactions: block.transactions,
    receipts: block.receipts,
    storedPart: await storedPart(block, config),
    parent: { timestamp: parent.header.timestamp, storedPart: parentPart },
  })
  return await block.seal()
}

/** Nobody asks where there are no milliseconds: a witness holds no more than it did. */
async function storedPart({ state, environment }: OpenBlock, config: BlockTimes): Promise<bigint> {
  const { hasBaseTime } = rulesAt(config.upgrades, environment.timestamp * 1000n)
  return hasBaseTime ? BigInt(await state.getStorage(BASE_TIME, PART_SLOT)) : 0n
}
