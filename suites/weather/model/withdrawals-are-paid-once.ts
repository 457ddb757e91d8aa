import { type Hex, hexToBigInt, slice, toEventSelector } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { depositOf } from './derive-deposits.ts'
import { eventsOf, type L1BlockSeen } from './events-of.ts'
import { L1Tree } from './l1-tree.ts'
import { treeOf } from './l2-tree.ts'
import { MESSAGE_PASSER } from './predeploys.ts'

const PROVEN = toEventSelector('WithdrawalProven(bytes32,address,address)')
const FINALIZED = toEventSelector('WithdrawalFinalized(bytes32,bool)')

/** Wei that leave L2, by the hash of the withdrawal. */
type Withdrawn = ReadonlyMap<Hex, bigint>

export const withdrawalsArePaidOnce: Checker = {
  name: 'withdrawals-are-paid-once',
  says: 'L1 pays what L2 withdrew, once it was proven, and once; its portal has what was deposited and not paid.',
  safety(events) {
    const withdrawn = withdrawnOnL2(events)
    // Nobody was told of all blocks.
    if (!withdrawn) return []
    const l1 = new L1Tree(events)
    const ofChains = new Map(
      l1.tips().flatMap(({ hash }) => {
        const found = chainProblems(l1.chainTo(hash), withdrawn)
        return found.map((each) => [each.problem, each] as const)
      }),
    )
    const unequal = eventsOf(events, 'withdrawal.paid').flatMap(({ t, hash, gained }): Found[] => {
      const right = withdrawn.get(hash)
      if (BigInt(gained) === right) return []
      return [
        { t, problem: `Withdrawal ${hash} was paid with ${BigInt(gained)} wei, not ${right}.` },
      ]
    })
    return [...ofChains.values(), ...unequal]
  },
}

function withdrawnOnL2(events: readonly LoggedEvent[]): Withdrawn | undefined {
  const tree = treeOf(events)
  const head = tree?.heads.findLast(({ hash }) => tree.blocks.has(hash))
  const chain = head ? [...tree!.backFrom(head.hash)] : []
  if (chain.at(-1)?.number !== 0) return undefined
  const logs = chain.flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
  return new Map(
    logs
      .filter(({ address }) => address.toLowerCase() === MESSAGE_PASSER)
      .map(({ data }) => [slice(data, 96, 128), hexToBigInt(slice(data, 0, 32))]),
  )
}

function chainProblems(
  chain: readonly (L1BlockSeen & { t?: number })[],
  withdrawn: Withdrawn,
): Found[] {
  const [proven, paid] = [new Set<Hex>(), new Set<Hex>()]
  return chain.flatMap(({ number, deposits, withdrawals = [], portal, t = 0 }, index): Found[] => {
    const problems: string[] = []
    let change = deposits.reduce((sum, log) => sum + depositOf(log).mint, 0n)
    for (const { topics, data } of withdrawals) {
      const hash = topics[1]!
      if (topics[0] === PROVEN) proven.add(hash)
      if (topics[0] !== FINALIZED) continue
      if (!withdrawn.has(hash)) problems.push('which L2 does not have')
      if (!proven.has(hash)) problems.push('which nobody proved')
      if (paid.has(hash)) problems.push('which was paid before')
      paid.add(hash)
      // A call that fails is not repeated: its ether stays.
      if (BigInt(data) === 1n) change -= withdrawn.get(hash) ?? 0n
    }
    const before = chain[index - 1]?.portal
    const right = before && BigInt(before) + change
    const sentences = problems.map((problem) => `L1 block ${number} pays a withdrawal ${problem}.`)
    if (portal && right && BigInt(portal) !== right)
      sentences.push(`With L1 block ${number} the portal has ${BigInt(portal)} wei, not ${right}.`)
    return sentences.map((problem) => ({ t, problem }))
  })
}
