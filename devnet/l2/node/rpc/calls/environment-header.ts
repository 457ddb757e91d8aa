import type { Header } from '#protocol/types/block'
import type { BlockSelector } from '../selector/block-selector.ts'
import { blockToComeMs } from '../selector/block-to-come.ts'
import { requireBlock } from '../selector/find-block.ts'
import type { ShownChain } from '../shown-chain.ts'

/**
 * The header of the block in which a call at this selector runs. Where no pre-confirmations are served
 * `pending` has the state of `latest` (OPEN-04), but what is sent next runs in the block to come: with
 * its number and with the time that a cheat gave it, as at anvil and Hardhat.
 * @throws JsonRpcError -32001, 4444
 */
export function environmentHeader(rpc: ShownChain, selector: BlockSelector): Header {
  if (selector !== 'pending' || rpc.preconfirmations) return requireBlock(rpc, selector).header
  const { header } = rpc.chain.latest()
  const next = { number: header.number + 1n, timestamp: blockToComeMs(rpc) / 1000n }
  return rpc.chain.pending()?.header ?? { ...header, ...next }
}
