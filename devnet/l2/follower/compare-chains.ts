import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type Clock, sleep } from '#protocol/clock/clock'
import type { Block } from '#protocol/types/block'
import type { ChainView } from '../node/chain-view.ts'
import { blockJson } from '../node/rpc/json/block-json.ts'
import { profileValues } from '../node/rpc/profile-differences.ts'

/** Milliseconds between two looks. */
const INTERVAL = 200
/** Milliseconds that a difference must last: after an L1 reorg both sides change in their own time. */
const PATIENCE = 10_000

/** The first block that two chains do not share. */
export interface ChainDifference {
  number: bigint
  field: string
  ours: unknown
  theirs: unknown
}

export interface CompareChainsOptions {
  ours: ChainView
  /** undefined: nobody; then this only waits for our own blocks. */
  theirs: RpcClient | undefined
  clock: Clock
  /** The last block to compare; without it comparing ends with the signal. */
  lastBlock?: bigint | undefined
  signal: AbortSignal
  /** Every block up to this one is the same. */
  onSame?(block: Block): void
}

/**
 * Compares block after block as ours come in, by hash; blocks that the other side no longer keeps
 * are passed over.
 * @returns the first difference that lasts; undefined when it came to the end without
 * @throws RPC_UNREACHABLE
 */
export async function compareChains(
  options: CompareChainsOptions,
): Promise<ChainDifference | undefined> {
  const { ours, theirs, clock, lastBlock, signal, onSame } = options
  let next = 0n
  const stop = ours.on('reorg', ({ removed }) => {
    const lowest = removed.at(-1)!.header.number
    if (lowest < next) next = lowest
  })
  let since: number | undefined
  try {
    while (!signal.aborted && (lastBlock === undefined || next <= lastBlock)) {
      const block = ours.blockByNumber(next)
      const difference = block && theirs && (await differenceAt(block, theirs, signal))
      if (block && difference === undefined) {
        since = undefined
        if (ours.blockByNumber(next) === block) next++
        onSame?.(block)
        continue
      }
      if (difference) {
        since ??= clock.now()
        if (next === 0n || clock.now() - since >= PATIENCE) return difference
      }
      await sleep(clock, INTERVAL, signal).catch(() => {})
    }
    return undefined
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    stop()
  }
}

async function differenceAt(
  block: Block,
  theirs: RpcClient,
  signal: AbortSignal,
): Promise<ChainDifference | undefined> {
  const { number } = block.header
  const tag = `0x${number.toString(16)}`
  const other = await theirs.request('eth_getBlockByNumber', [tag, false], signal)
  if (!other) {
    const head = BigInt(String(await theirs.request('eth_blockNumber', [], signal)))
    // No longer there, or not yet.
    return head >= number ? undefined : { number, field: 'number', ours: number, theirs: head }
  }
  const their = Object(other) as Record<string, unknown>
  if (their.hash === block.hash) return undefined
  const our: Record<string, unknown> = blockJson(block, false, profileValues('spec'))
  const fields = Object.keys(our).filter((key) => key !== 'hash')
  const isSame = (key: string) => JSON.stringify(our[key]) === JSON.stringify(their[key])
  const field = fields.find((key) => !isSame(key)) ?? 'hash'
  return { number, field, ours: our[field], theirs: their[field] }
}
