import {
  BaseError,
  type BlockTag,
  type Chain,
  type Client,
  type GetTransactionReceiptReturnType,
  type Hash,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem'
import { getBlock, getTransaction, getTransactionReceipt } from 'viem/actions'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { LOOK_INTERVAL } from './poll.ts'
import { requireProvable } from './require-provable.ts'
import { type Drops, readDrops, TransactionDropped } from './transaction-dropped.ts'

export interface WaitParameters {
  hash: Hash
  /** Milliseconds; 30,000 until pre-confirmed or sealed, 300,000 until safe or finalized. */
  timeout?: number | undefined
  signal?: AbortSignal | undefined
}

/** How far a transaction has come; each includes those before it. */
export type Confirmation = 'preconfirmed' | 'sealed' | 'safe' | 'finalized'

const HEADS: Partial<Record<Confirmation, BlockTag>> = {
  sealed: 'latest',
  safe: 'safe',
  finalized: 'finalized',
}

/**
 * The receipt of a transaction once it has come so far.
 * @throws RollbedError CONFIRMATION_TIMEOUT, TRANSACTION_DROPPED, CHAIN_DIVERGED
 */
export async function waitUntil<chain extends Chain | undefined>(
  client: Client<Transport, chain>,
  wanted: Confirmation,
  parameters: WaitParameters,
): Promise<GetTransactionReceiptReturnType<chain>> {
  const { hash, signal } = parameters
  const isQuick = wanted === 'preconfirmed' || wanted === 'sealed'
  const { timeout = isQuick ? 30_000 : 300_000 } = parameters
  const deadline = systemClock.now() + timeout
  const head = HEADS[wanted]
  let wasSeen = false
  for (;;) {
    signal?.throwIfAborted()
    // The head first: a receipt read after it is of a block that it covers, or of a later one.
    const reached = head && (await getBlock(client, { blockTag: head })).number
    const receipt = await receiptOf(client, hash)
    if (receipt && (!head || (reached ?? -1n) >= receipt.blockNumber)) return receipt
    if (!receipt) wasSeen = await stillThere(client, hash, wasSeen)
    else wasSeen = true
    if (receipt && !isQuick) await requireProvable(client, receipt.blockNumber)
    if (systemClock.now() >= deadline) throw await tooLate(client, wanted, hash, timeout, receipt)
    await sleep(systemClock, LOOK_INTERVAL, signal)
  }
}

/**
 * @returns whether the node has ever known the transaction
 * @throws TransactionDropped
 */
async function stillThere(
  client: Client<Transport, Chain | undefined>,
  hash: Hash,
  wasSeen: boolean,
): Promise<boolean> {
  const { drops } = await readDrops(client, hash).catch(ignoreMissingMethod)
  const [drop] = drops
  if (drop) throw new TransactionDropped(hash, drop.reason)
  const isKnown = (await getTransaction(client, { hash }).catch(ignoreMissing)) !== undefined
  if (isKnown || !wasSeen) return isKnown
  // It may have been pre-confirmed between the two looks.
  if (await receiptOf(client, hash)) return true
  throw new TransactionDropped(hash, 'The node does not know it any more.')
}

/** Other chains with flashblocks do not tell what they drop. */
function ignoreMissingMethod(error: unknown): Pick<Drops, 'drops'> {
  if (error instanceof BaseError && error.walk(isMissingMethod)) return { drops: [] }
  throw error
}

const isMissingMethod = (error: unknown) =>
  error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof TransactionNotFoundError)) throw error
}

async function receiptOf<chain extends Chain | undefined>(
  client: Client<Transport, chain>,
  hash: Hash,
): Promise<GetTransactionReceiptReturnType<chain> | undefined> {
  try {
    return await getTransactionReceipt(client, { hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

async function tooLate(
  client: Client<Transport, Chain | undefined>,
  wanted: Confirmation,
  hash: Hash,
  timeout: number,
  receipt: { blockNumber: bigint } | undefined,
): Promise<RollbedError> {
  const isKnown = receipt || (await getTransaction(client, { hash }).catch(() => undefined))
  const stands = receipt
    ? `it stands in block ${receipt.blockNumber}`
    : isKnown
      ? 'it waits in the pool'
      : 'the node does not know it'
  return new RollbedError(
    'CONFIRMATION_TIMEOUT',
    `Transaction ${hash} is not ${wanted} after ${timeout / 1000} s: ${stands}.`,
    {
      hint: receipt
        ? 'A cheated chain has no safe blocks: anvil_metadata tells since when, and why.'
        : 'Was it sent to this chain, or to a branch? A reorganization may have dropped it.',
    },
  )
}
