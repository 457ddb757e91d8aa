import { type Hex, numberToHex } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import { eventsOf, type TransactionSigned } from './events-of.ts'
import { type KnownBlock, type L2Tree, treeOf } from './l2-tree.ts'
import { headsWithin } from './possible-values.ts'
import { signedMembers } from './signed-members.ts'

const SUCCESS = '0x1'

export const pagesAreTrue: Checker = {
  name: 'pages-are-true',
  says: 'What is shown of a transaction, of its calls, of an account and of the pool is what was sent and what became of it.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    const found = <T extends { t: number }>(
      pages: readonly T[],
      problemOf: (tree: L2Tree, page: T) => string | undefined,
    ) =>
      pages.flatMap((page): Found[] => {
        const problem = problemOf(tree, page)
        return problem === undefined ? [] : [{ t: page.t, problem }]
      })
    return [
      ...found(eventsOf(events, 'transaction.seen'), transactionProblem),
      ...found(eventsOf(events, 'call.seen'), callProblem),
      ...found(eventsOf(events, 'past.seen'), pastProblem),
      ...found(eventsOf(events, 'pool.seen'), poolProblem),
      ...found(eventsOf(events, 'confirmed'), confirmedProblem),
    ]
  },
}

/** Ends of sentences: what of this is other than it was signed. */
function otherThan(signed: TransactionSigned, shown: Readonly<Record<string, unknown>>): string[] {
  const text = (value: unknown) => String(value ?? null).toLowerCase()
  return (['from', 'to', 'value', 'input'] as const)
    .filter((name) => name in shown && text(shown[name]) !== text(signed[name]))
    .map((name) => `${name} ${text(shown[name])}, not ${text(signed[name])}.`)
}

type Page<T> = T & { t: number; asked: number }

function transactionProblem(
  tree: L2Tree,
  { hash, transaction }: Page<{ hash: Hex; transaction: Readonly<Record<string, unknown>> | null }>,
): string | undefined {
  const signed = tree.signed.get(hash)
  if (!transaction || !signed) return undefined
  const [wrong] = otherThan(signed, transaction)
  if (wrong) return `Transaction ${hash} is shown with ${wrong}`
  const block = tree.blocks.get(transaction.blockHash as Hex)
  const at = Number(transaction.transactionIndex)
  if (block && block.transactions[at]?.hash !== hash)
    return `Transaction ${hash} is shown at ${at} of block ${block.number}, where it is not.`
  const wanted: Record<string, unknown> = {
    ...(signed.raw && signedMembers(signed.raw)),
    ...(block && {
      ...{ blockNumber: numberToHex(block.number), blockTimestamp: numberToHex(block.time) },
      gasPrice: block.receipts[at]?.effectiveGasPrice,
    }),
  }
  const text = (value: unknown) => (JSON.stringify(value) ?? 'nothing').toLowerCase()
  const other = Object.keys(wanted).find((name) => text(transaction[name]) !== text(wanted[name]))
  if (other === undefined) return undefined
  return `Transaction ${hash} is shown with ${other} ${text(transaction[other])}, not ${text(wanted[other])}.`
}

function callProblem(
  tree: L2Tree,
  {
    hash,
    frame: { isDone, gasUsed, to, ...frame },
  }: Page<{ hash: Hex; frame: Readonly<Record<string, unknown>> }>,
): string | undefined {
  const signed = tree.signed.get(hash)
  if (!signed) return undefined
  // A creation calls what it creates.
  const [wrong] = otherThan(signed, { ...frame, ...(signed.to && { to }) })
  if (wrong) return `The calls of ${hash} begin with ${wrong}`
  const receipts = [...tree.blocks.values()].flatMap(({ receipts }) =>
    receipts.filter(({ transactionHash }) => transactionHash === hash),
  )
  const isOne = receipts.some(
    ({ status, gasUsed: used }) => used === gasUsed && (status === SUCCESS) === isDone,
  )
  return receipts.length === 0 || isOne
    ? undefined
    : `The calls of ${hash} ${isDone ? 'went well' : 'failed'} with ${gasUsed} gas, and in no block it did so.`
}

function pastProblem(
  tree: L2Tree,
  { address, hashes, isAll, asked, t }: Page<{ address: Hex; hashes: Hex[]; isAll: boolean }>,
): string | undefined {
  const heads = headsWithin(tree, asked, t)
  const pasts = heads?.map(({ hash }) => pastOf(tree, hash, address))
  if (!pasts || pasts.includes(undefined)) return undefined
  const isTrue = (pasts as Hex[][]).some(
    (past) =>
      hashes.every((hash, index) => past[index] === hash) &&
      (!isAll || past.length === hashes.length),
  )
  return isTrue
    ? undefined
    : `${address} is shown with ${hashes.length} transactions, the last of them ${hashes[0]}, and that was never its past.`
}

/** Newest first; undefined where not all of it was told. */
function pastOf(tree: L2Tree, head: Hex, address: Hex): Hex[] | undefined {
  const chain = [...tree.backFrom(head)]
  const own = address.toLowerCase()
  if (chain.at(-1)?.number !== 0) return undefined
  return chain.flatMap(({ transactions, receipts }) =>
    transactions
      .filter(({ from, to }, index) =>
        [from, to, receipts[index]?.contractAddress].some((each) => each?.toLowerCase() === own),
      )
      .map(({ hash }) => hash)
      .reverse(),
  )
}

function poolProblem(
  tree: L2Tree,
  { hashes, next, asked, t }: Page<{ hashes: Hex[]; next?: Hex[] }>,
): string | undefined {
  const stranger = hashes.find((hash) => !tree.signed.has(hash))
  if (stranger) return `The pool shows ${stranger}, which nobody made.`
  const waiting = next && halvesProblem(tree, hashes, next)
  if (waiting) return waiting
  const heads = headsWithin(tree, asked, t)
  if (!heads) return undefined
  const chains = heads.map(({ hash }) => [...tree.backFrom(hash)])
  const again = hashes.find((hash) =>
    chains.every((chain) => chain.some((block) => has(block, hash))),
  )
  if (again) return `The pool shows ${again}, and its block was sealed.`
  const late = hashes.find((hash) => heads.every((head) => isPast(tree, head, hash)))
  return late && `The pool shows ${late}, and its sender's nonce was used by another.`
}

const isPast = ({ signed }: L2Tree, { executed }: KnownBlock, hash: Hex): boolean => {
  const { from, nonce } = signed.get(hash)!
  const now = executed?.ledgers.at(-1)?.of(from).nonce
  return now !== undefined && nonce < now
}

/** Of one sender the first nonces are next, without a gap, and what follows on one of them is, too. */
function halvesProblem({ signed }: L2Tree, hashes: Hex[], next: Hex[]): string | undefined {
  const all = hashes.flatMap((hash) => signed.get(hash) ?? [])
  const isNext = ({ hash }: TransactionSigned) => next.includes(hash)
  const split = all.find((one) =>
    all.some(
      (before) =>
        before.from === one.from &&
        before.nonce + 1 === one.nonce &&
        isNext(before) !== isNext(one),
    ),
  )
  return split && `The pool shows ${split.hash} apart from the one before it, with no gap between.`
}

const has = ({ transactions }: KnownBlock, hash: Hex) =>
  transactions.some((each) => each.hash === hash)

/** What was pre-confirmed is so in the block that it was of, unless that was given up. */
function confirmedProblem(
  tree: L2Tree,
  { hash, isDone, number, t }: { t: number; hash: Hex; isDone: boolean; number: number },
): string | undefined {
  const blocks = [...tree.blocks.values()].filter((block) => has(block, hash))
  const isLost = tree.ends.some((end) => end.t >= t && !end.sealed)
  if (blocks.length === 0 || isLost) return undefined
  const isTrue = blocks.some(
    (block) =>
      block.number === number &&
      block.receipts.some(
        ({ transactionHash, status }) =>
          transactionHash === hash && (status === SUCCESS) === isDone,
      ),
  )
  return isTrue
    ? undefined
    : `Transaction ${hash} was pre-confirmed as ${isDone ? 'done' : 'failed'} in block ${number}, and is not so in any block.`
}
