import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { PendingBlock } from '../../chain-view.ts'
import { prunedHistory } from '../../state/pruned-history.ts'
import type { ShownChain } from '../shown-chain.ts'
import { type BlockSelector, describeSelector } from './block-selector.ts'
import type { ReadableBlock } from './readable-block.ts'

/** The block under construction; undefined on an endpoint without pre-confirmations (OPEN-04). */
export function pendingBlock(rpc: ShownChain): PendingBlock | undefined {
  return rpc.preconfirmations ? rpc.chain.pending() : undefined
}

/** Genesis; on a fork the block upon the one that was forked. */
export function firstBlock({ chain, fork }: Pick<ShownChain, 'chain' | 'fork'>): Block | undefined {
  return chain.blockByNumber(fork ? fork.block.number + 1n : 0n)
}

export function findBlock(rpc: ShownChain, selector: BlockSelector): ReadableBlock | undefined {
  const { chain } = rpc
  if (typeof selector === 'bigint') return chain.blockByNumber(selector)
  if (typeof selector === 'object') return chain.blockByHash(selector.hash)
  switch (selector) {
    case 'latest':
      return chain.latest()
    case 'safe':
      return chain.safe()
    case 'finalized':
      return chain.finalized()
    case 'earliest':
      return firstBlock(rpc)
    case 'pending':
      return pendingBlock(rpc) ?? chain.latest()
  }
}

/**
 * The block whose state is read: with the state that cheats made of its own, if there were any.
 * @throws JsonRpcError -32001 (OPEN-12); 4444 when the state is no longer kept
 */
export function requireBlock(rpc: ShownChain, selector: BlockSelector): ReadableBlock {
  const block = requirePublishedBlock(rpc, selector)
  const { number } = block.header
  if (rpc.chain.isStatePruned(number)) throw prunedHistory(number)
  const stateRoot = rpc.chain.stateRootOf(block)
  if (stateRoot === block.header.stateRoot) return block
  return { ...block, header: { ...block.header, stateRoot } }
}

/** The block as its hash has it. @throws JsonRpcError -32001 */
export function requirePublishedBlock(rpc: ShownChain, selector: BlockSelector): ReadableBlock {
  const block = findBlock(rpc, selector)
  if (block) return block
  throw new JsonRpcError(-32001, `block not found: ${describeSelector(selector)}`)
}

/** The block whose state is read. @throws JsonRpcError -32001, 4444 */
export function requireBlockByHash(rpc: ShownChain, hash: Hash): Block {
  return requireBlock(rpc, { hash }) as Block
}
