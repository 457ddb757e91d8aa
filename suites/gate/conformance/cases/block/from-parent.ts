import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import {
  oneOfEach,
  parentOf,
  type SeenBlock,
  seenPending,
  seenSealed,
} from '../../seen/seen-blocks.ts'

/** A block and the sealed one that it stands on. */
interface Child extends SeenBlock {
  parent: SeenBlock
}

/** Every block of the run whose parent was seen, sealed and pending, while the gate left the chain alone. */
async function children(t: CaseContext): Promise<{ sealed: Child[]; pending: Child[] }> {
  await t.scene(recentBlocks)
  const all = seenSealed(t.seen)
  const withParent = (blocks: readonly SeenBlock[]) =>
    blocks.flatMap((each) => {
      const parent = parentOf(each, all)
      return parent && each.answered < t.seen.calmUntil ? [{ ...each, parent }] : []
    })
  const [sealed, pending] = [withParent(oneOfEach(all)), withParent(seenPending(t.seen))]
  // The first transaction of each block of an OP chain is a deposit (OP spec, "Deposits").
  if (!sealed.some(({ block, transactions }) => block.number !== '0x0' && isOp(transactions)))
    notApplicable('It is no OP chain: nothing says what follows from the parent.')
  return { sealed, pending }
}

const isOp = (transactions: SeenBlock['transactions']) => transactions?.[0]?.type === '0x7e'

const stepOf = ({ block, parent }: Child) =>
  expectQuantity(block.timestamp, 'timestamp') - expectQuantity(parent.block.timestamp, 'timestamp')

/** That of most blocks. */
function commonest(steps: readonly bigint[]): bigint {
  const counts = new Map<bigint, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]![0]
}

export const cases = defineCases([
  {
    id: 'rpc.block.seen-lattice.01',
    title: 'Every block of the run, sealed and pending, is one block time later than its parent',
    area: 'block',
    rules: ['RPC-BLK-21', 'RPC-PEND-04'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'OP spec, derivation: a block is due one block time after the one before, always.',
    async run(t) {
      const { sealed, pending } = await children(t)
      const usual = commonest(sealed.map(stepOf))
      await judgeEach([...sealed, ...pending], 'blocks on a known parent', (each) => {
        const step = stepOf(each)
        const at = `seconds from block ${each.parent.block.number} to the next`
        // Blocks of less than a second share their seconds.
        const isOnLattice = usual > 0n ? step === usual : step === 0n || step === 1n
        expectThat(isOnLattice, usual > 0n ? `${usual}` : '0 or 1', step, at)
      })
    },
  },
  ...(['gasLimit', 'extraData'] as const).map((member) => ({
    id: `rpc.block.seen-${member.toLowerCase()}.01`,
    title: `${member} of every block of the run is that of its parent, or of all that follow`,
    area: 'block' as const,
    rules: [member === 'gasLimit' ? 'RPC-BLK-19' : 'RPC-BLK-17', 'RPC-PEND-04'],
    needs: ['rpc' as const],
    judgesAll: true as const,
    rationale:
      'OP spec, system config: a value holds until L1 sets another, which then holds, too.',
    async run(t: CaseContext) {
      const { sealed, pending } = await children(t)
      const childOf = (hash: unknown) =>
        [...sealed, ...pending].find(({ block }) => block.parentHash === hash)
      await judgeEach([...sealed, ...pending], 'blocks on a known parent', (each) => {
        const [own, before] = [each.block[member], each.parent.block[member]]
        if (own === before) return
        // One that began here is there in the next block; of the newest nobody knows yet.
        const next = each.isPending ? sealedOn(each, sealed) : childOf(each.block.hash)
        if (next)
          expectEqual(
            own,
            next.block[member],
            `${member} of a block on ${each.parent.block.number}`,
          )
      })
    },
  })),
])

/** The sealed block that came of a pending one. */
function sealedOn({ block }: SeenBlock, sealed: readonly Child[]): Child | undefined {
  return sealed.find((each) => each.block.parentHash === block.parentHash)
}
