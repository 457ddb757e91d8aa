import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { ChainView } from '#devnet/l2/node/chain-view'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Block } from '#protocol/types/block'

const head = ({ hash, header }: Block) => ({ number: Number(header.number), hash })

/** Tells a recorder of a block that was sealed. */
export function recordSealed(block: Block, recorder: EventRecorder): void {
  recorder.record('node', 'sealed', {
    ...head(block),
    parent: block.header.parentHash,
    transactions: block.transactions.map(({ hash }) => hash),
  })
}

/**
 * Tells a recorder what the chain of a node does: the same words in each body of a world.
 * @param options.hasEnded whether the node is dead: what it was about to write is no news of a disk
 */
export function recordChain(
  chain: ChainView,
  recorder: EventRecorder,
  { hasEnded = () => false }: { hasEnded?: () => boolean } = {},
): void {
  const record = (what: string, data: Record<string, unknown>) =>
    recorder.record('node', what, data)
  chain.on('sealed', (block) => recordSealed(block, recorder))
  chain.on('flashblock', ({ header, flashblockIndex, transactions, firstNewTransaction }) => {
    const added = transactions.slice(firstNewTransaction).map(({ hash }) => hash)
    // Ten in a block, most of them empty: only what pre-confirms something is told.
    if (added.length === 0) return
    record('flashblock', { number: Number(header.number), index: flashblockIndex, added })
  })
  // It was read at pending, and nobody can look it up any more.
  chain.on('dropped', ({ header, transactions }) =>
    record('dropped', {
      number: Number(header.number),
      parent: header.parentHash,
      attributes: transactions[0] && bytesToHex(transactions[0].data),
      transactions: transactions.map(({ hash }) => hash),
    }),
  )
  chain.on('reorg', ({ removed }) => record('reorg', { removed: removed.map(({ hash }) => hash) }))
  chain.on('safe', (block) => record('safe', head(block)))
  chain.on('finalized', (block) => record('finalized', head(block)))
  chain.on('pooled', ({ hash, from }) => record('pooled', { hash, from }))
  chain.on('discarded', ({ transaction, reason }) =>
    record('discarded', { hash: transaction.hash, code: reason.code }),
  )
  chain.on('waits', (reason) => {
    if (hasEnded()) return
    if (reason) record('waits', { why: reason.message })
    else record('goes.on', {})
  })
}
