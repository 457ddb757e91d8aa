import type { Hex } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import type { TransactionSigned } from './events-of.ts'
import { type KnownBlock, type L2Tree, treeOf } from './l2-tree.ts'

/** Wei, more than any fee of a load: who has so much left can pay. */
const PLENTY = 10n ** 18n
/** Blocks that may pass by what waits. */
const PATIENCE = 2

export const turnsCome: Checker = {
  name: 'turns-come',
  says: 'What waits, can be paid and has the next nonce of its sender, be it after a deposit, is in one of the next two blocks.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    /** Since when each waits, and how many blocks passed by it since its turn came. */
    const waiting = new Map<Hex, { since: number; passed: number }>()
    let begun = Number.NEGATIVE_INFINITY
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (who !== 'node') return []
      const hash = data.hash as Hex
      if (what === 'pooled') waiting.set(hash, { since: t, passed: 0 })
      if (what === 'discarded') waiting.delete(hash)
      // With a node goes its pool.
      if (what === 'ended') waiting.clear()
      // What was taken back comes into the pool again, and what was begun is given up.
      if (what === 'reorg' || what === 'dropped' || what === 'ended')
        begun = Number.NEGATIVE_INFINITY
      if (what !== 'sealed') return []
      for (const each of data.transactions as Hex[]) waiting.delete(each)
      const [block, from] = [tree.blocks.get(hash), begun]
      begun = t
      return [...waiting].flatMap(([each, wait]): Found[] => {
        // What L1 makes at one go is not the pool's.
        const isPassed = wait.since < from && from < t && isDue(tree, tree.signed.get(each), block)
        wait.passed = isPassed ? wait.passed + 1 : 0
        if (wait.passed !== PATIENCE) return []
        const problem = `Transaction ${each} is next of its sender's, and block ${block!.number} passes by it, too.`
        return [{ t, problem }]
      })
    })
  },
}

/** Whether this block could have had it: its nonce is next after the block, as before it or by its deposits, and there is room. */
function isDue(
  { blocks }: L2Tree,
  signed: TransactionSigned | undefined,
  block: KnownBlock | undefined,
): boolean {
  const after = block?.executed?.ledgers.at(-1)
  const before = block && blocks.get(block.parent)?.executed?.ledgers.at(-1)
  if (!signed || !before || !after) return false
  const [had, has] = [before.of(signed.from), after.of(signed.from)]
  const isNext = had.nonce <= signed.nonce && has.nonce === signed.nonce
  const isPaid =
    had.balance > BigInt(signed.value) + PLENTY && has.balance > BigInt(signed.value) + PLENTY
  const room = BigInt(block!.gasLimit) / 2n
  const isRoomy = BigInt(block!.gasUsed) < room && BigInt(block!.blobGasUsed) < room
  return isNext && isPaid && isRoomy && BigInt(signed.maxFeePerGas) >= BigInt(block!.baseFee)
}
