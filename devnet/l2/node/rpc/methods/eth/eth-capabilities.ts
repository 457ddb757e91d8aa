import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/**
 * `eth_capabilities []` → which part of the chain this node can answer from: every block, transaction,
 * receipt and log, and the newest states (execution-apis).
 */
export const ethCapabilities: NodeMethod = ({ chain }) => {
  const { header, hash } = chain.latest()
  const all = { disabled: false, oldestBlock: '0x0' }
  const states = { disabled: false, oldestBlock: toQuantity(oldestState(header.number)) }
  return {
    head: { number: toQuantity(header.number), hash },
    state: states,
    tx: all,
    logs: all,
    receipts: all,
    blocks: all,
    stateproofs: states,
  }

  /** Of the states kept without a gap; that of genesis is kept besides. */
  function oldestState(tip: bigint): bigint {
    if (!chain.isStatePruned(1n)) return 0n
    let [pruned, kept] = [1n, tip]
    while (kept - pruned > 1n) {
      const middle = (pruned + kept) / 2n
      if (chain.isStatePruned(middle)) pruned = middle
      else kept = middle
    }
    return kept
  }
}
