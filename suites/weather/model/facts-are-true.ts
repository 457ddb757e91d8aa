import { type Hex, hexToBigInt } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import { DEPOSIT } from './derive-deposits.ts'
import { eventsOf, type FeesSeen } from './events-of.ts'
import { nextBaseFee } from './gas-problems.ts'
import { type KnownBlock, type L2Tree, treeOf } from './l2-tree.ts'
import { blockAt, headsWithin, markedWithin } from './possible-values.ts'

/** Wei for each gas that op-geth suggests where blocks are not full. */
const SUGGESTED_TIP = 1_000_000n
/** Gas of who moves ether to an account without code. */
const TRANSFER = 21_000n

export const factsAreTrue: Checker = {
  name: 'facts-are-true',
  says: 'Prices, fees of the past, estimates, places, states of transactions and the heads are as they were at some moment between asking and answering.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    /** Right is what is right for one of the newest blocks meanwhile; undefined: nobody knows. */
    const held = <T extends { t: number; asked: number }>(
      answers: readonly T[],
      problemOf: (answer: T, head: KnownBlock) => string | undefined,
    ) =>
      answers.flatMap((answer): Found[] => {
        const heads = headsWithin(tree, answer.asked, answer.t) ?? []
        const problems = heads.map((head) => problemOf(answer, head))
        if (heads.length === 0 || problems.includes(undefined)) return []
        return [{ t: answer.t, problem: problems[0]! }]
      })
    return [
      ...held(eventsOf(events, 'price.seen'), ({ price }, head) => {
        const right = nextBaseFee(head) + SUGGESTED_TIP
        return other('The price of gas', hexToBigInt(price), right)
      }),
      ...held(eventsOf(events, 'fees.seen'), (fees, head) => feesProblem(tree, fees, head)),
      ...held(eventsOf(events, 'status.seen'), ({ hash, status }, head) => {
        const isSealed = [...tree.backFrom(head.hash)].some((block) => has(block, hash))
        return isSealed ? other(`The state of ${hash}`, status, 'Unknown') : undefined
      }),
      ...held(eventsOf(events, 'place.seen'), (place, head) => placeProblem(tree, place, head)),
      ...eventsOf(events, 'sync.seen').flatMap((sync): Found[] => {
        const possible = {
          latest: headsWithin(tree, sync.asked, sync.t),
          safe: markedWithin(tree, 'safe', sync.asked, sync.t),
          finalized: markedWithin(tree, 'finalized', sync.asked, sync.t),
        }
        return (['latest', 'safe', 'finalized'] as const).flatMap((tag): Found[] => {
          const right = possible[tag]
          if (!right || right.some(({ hash }) => hash === sync[tag])) return []
          return [{ t: sync.t, problem: `${sync[tag]} was told as ${tag}, and was not then.` }]
        })
      }),
      ...eventsOf(events, 'estimate.seen').flatMap(({ t, gas }): Found[] => {
        const problem = other('The estimate of a transfer', hexToBigInt(gas), TRANSFER)
        return problem ? [{ t, problem }] : []
      }),
    ]
  },
}

const other = (what: string, said: bigint | string, right: bigint | string) =>
  said === right ? undefined : `${what} was told as ${said}, not ${right}.`

const has = ({ transactions }: KnownBlock, hash: Hex) =>
  transactions.some((each) => each.hash === hash)

function feesProblem(
  tree: L2Tree,
  { oldest, base, ratios, reward }: FeesSeen,
  head: KnownBlock,
): string | undefined {
  const blocks = [...tree.backFrom(head.hash)].filter(({ number }) => number >= oldest).reverse()
  if (blocks[0]?.number !== oldest) return undefined
  const right = {
    base: [...blocks.map(({ baseFee }) => BigInt(baseFee)), nextBaseFee(head)],
    ratios: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    reward: blocks.map(tipsOf),
  }
  const said = { base: base.map(BigInt), ratios, reward: reward.map((each) => each.map(BigInt)) }
  const wrong = (['base', 'ratios', 'reward'] as const).find(
    (name) => String(said[name]) !== String(right[name]),
  )
  return (
    wrong && `From block ${oldest} on ${wrong} was told as ${said[wrong]}, not ${right[wrong]}.`
  )
}

/** The least and the highest of its users; 0 where there are none. */
function tipsOf({ baseFee, transactions, receipts }: KnownBlock): bigint[] {
  const tips = receipts
    .filter((_, at) => transactions[at]!.type !== DEPOSIT)
    .map(({ effectiveGasPrice }) => BigInt(effectiveGasPrice) - BigInt(baseFee))
    .sort((one, another) => Number(one - another))
  return [tips[0] ?? 0n, tips.at(-1) ?? 0n]
}

function placeProblem(
  tree: L2Tree,
  { number, index, hash, gasPrice }: { number: number; index: number; hash?: Hex; gasPrice?: Hex },
  head: KnownBlock,
): string | undefined {
  const block = blockAt(tree, head.hash, number)
  const name = `Transaction ${index} of block ${number}`
  if (!block && head.number >= number) return undefined
  const right = block?.transactions[index]
  if (right?.hash !== hash) return `${name} was told as ${hash}, not ${right?.hash}.`
  const price =
    right && right.type !== DEPOSIT ? block!.receipts[index]?.effectiveGasPrice : undefined
  if (price === undefined || price === gasPrice) return undefined
  return `${name} was told with a price of ${gasPrice}, not ${price}.`
}
