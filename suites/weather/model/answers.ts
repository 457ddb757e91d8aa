import { type Hex, numberToHex } from 'viem'
import type { Checker, Found } from '../checkers/checker.ts'
import {
  eventsOf,
  type OutputSeen,
  type ProofSeen,
  type ReceiptAnswer,
  type SeenAgain,
} from './events-of.ts'
import { type KnownBlock, type L2Tree, treeOf } from './l2-tree.ts'
import { blockAt, headsWithin } from './possible-values.ts'
import { slotOf } from './predeploys.ts'
import { provenAccount, provenValue } from './proven-value.ts'
import { outputRootOf } from './whole-proof.ts'

/** Answers that name the block they are of: each is held to that block. */
export const answersAreTrue: Checker = {
  name: 'answers-are-true',
  says: 'A receipt, a proof of an account and an output root are those of the block that they are told for, and a block is told twice the same.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    const found = <T extends { t: number }>(
      answers: readonly T[],
      problemOf: (tree: L2Tree, answer: T) => string | undefined,
    ) =>
      answers.flatMap((answer): Found[] => {
        const problem = problemOf(tree, answer)
        return problem === undefined ? [] : [{ t: answer.t, problem }]
      })
    return [
      ...found(eventsOf(events, 'receipt.seen'), receiptProblem),
      ...found(eventsOf(events, 'proof.seen'), accountProblem),
      ...found(eventsOf(events, 'output.seen'), outputProblem),
      ...found(eventsOf(events, 'l2.again'), againProblem),
    ]
  },
}

export const gamesAreOfTheChain: Checker = {
  name: 'games-are-of-the-chain',
  says: 'What a game claims is final, and held to the blocks that clients were told; only who lies claims anything else.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    const lies = events.some(({ who }) => who === 'liar')
    const byNumber = Map.groupBy(tree.blocks.values(), ({ number }) => number)
    const finals = events.filter(({ who, what }) => who === 'node' && what === 'finalized')
    const isFinal = (block: number, by: number) =>
      finals.some(({ t, data }) => t <= by && Number(data.number) >= block)
    return eventsOf(events, 'game').flatMap((game): Found[] => {
      const { t, address, block, start, roots = [], claimIsTrue } = game
      const shown = roots.map((root, at) => {
        const interval = (block - start!) / roots.length
        const own = (byNumber.get(start! + (at + 1) * interval) ?? []).map(outputRootOf)
        return own.length > 0 && !own.includes(undefined) ? own.includes(root) : undefined
      })
      // Nobody was told of all of them.
      if (shown.length === 0 || shown.includes(undefined)) return []
      const isTrue = !shown.includes(false)
      const name = `Game ${address} up to block ${block}`
      if (isTrue !== claimIsTrue)
        return [
          { t, problem: `${name} is ${isTrue ? 'true' : 'false'}, and the rollup says it is not.` },
        ]
      if (!isTrue) return lies ? [] : [{ t, problem: `${name} claims what no block has.` }]
      // What parts of a real world tell comes as it may.
      if (tree.known.isReal || isFinal(block, t)) return []
      return [{ t, problem: `${name} was made, and its last block was not final.` }]
    })
  },
}

/** What was sealed is what it was, also where it comes from the disk. */
function againProblem(tree: L2Tree, { hash, number, digest }: SeenAgain): string | undefined {
  const first = tree.blocks.get(hash)?.digest
  return first === undefined || first === digest
    ? undefined
    : `Block ${number} with its receipts was told another time, and other than before.`
}

function receiptProblem(
  tree: L2Tree,
  { hash, receipt, asked, t }: ReceiptAnswer & { t: number },
): string | undefined {
  const name = `The receipt of ${hash}`
  if (!receipt) {
    const heads = headsWithin(tree, asked, t)
    const isThere = heads?.every((head) =>
      [...tree.backFrom(head.hash)].some((block) => has(block, hash)),
    )
    return isThere ? `${name} was told as none, and its block was sealed.` : undefined
  }
  const block = tree.blocks.get(receipt.blockHash)
  // It may be of a block that came and went, or that is being built.
  if (!block) return undefined
  const index = block.transactions.findIndex((each) => each.hash === hash)
  const own = block.receipts[index]
  const transaction = block.transactions[index]
  if (!own || !transaction) return `${name} is of block ${block.number}, which does not have it.`
  const wanted: Record<string, unknown> = {
    ...own,
    ...{ blockNumber: numberToHex(block.number), transactionIndex: numberToHex(index) },
    ...{ from: transaction.from, to: transaction.to },
  }
  const answered: Record<string, unknown> = { ...receipt }
  const wrong = Object.keys(wanted).find((key) => textOf(answered[key]) !== textOf(wanted[key]))
  return wrong && `${name} has ${wrong} ${textOf(answered[wrong])}, not ${textOf(wanted[wrong])}.`
}

const has = ({ transactions }: KnownBlock, hash: Hex) =>
  transactions.some((each) => each.hash === hash)

const textOf = (value: unknown) => (JSON.stringify(value) ?? 'nothing').toLowerCase()

function accountProblem(tree: L2Tree, answer: ProofSeen & { t: number }): string | undefined {
  const { address, slot, at, asked, t, account, storage } = answer
  const heads = headsWithin(tree, asked, t)
  if (!heads) return undefined
  const numbered = () => heads.flatMap(({ hash }) => blockAt(tree, hash, Number(at)) ?? [])
  const possible = at === 'latest' ? heads : numbered()
  const known = possible.filter(({ header, executed }) => header?.stateRoot && executed)
  if (known.length === 0 || known.length < possible.length) return undefined
  const name = `The proof of ${address} at ${at}`
  const problems = known.map(({ header, executed }) => {
    const shown = provenAccount(header!.stateRoot!, address, account)
    if (!shown) return `${name} does not lead to the state root.`
    const ledger = executed!.ledgers.at(-1)!
    const { balance, nonce } = ledger.of(address)
    if (shown.balance !== balance) return `${name} shows ${shown.balance} wei, not ${balance}.`
    if (!answer.isContract && shown.nonce !== BigInt(nonce))
      return `${name} shows nonce ${shown.nonce}, not ${nonce}.`
    const value = provenValue(shown.storageRoot, slot, storage)
    const wanted = slotOf(ledger, address, BigInt(slot))
    if (value === undefined) return `${name} does not lead from the account to its storage.`
    if (wanted === undefined || rlpNumber(value) === wanted) return undefined
    return `${name} shows ${rlpNumber(value)} in slot ${slot}, not ${wanted}.`
  })
  return problems.includes(undefined) ? undefined : problems[0]
}

/** A short string in RLP is itself, or follows a byte that says how long it is. */
function rlpNumber(value: Hex): bigint {
  if (value === '0x') return 0n
  const isItself = value.length === 4 && Number(value) < 0x80
  return isItself ? BigInt(value) : BigInt(`0x${value.slice(4) || '0'}`)
}

function outputProblem(tree: L2Tree, { number, hash, root }: OutputSeen): string | undefined {
  const block = tree.blocks.get(hash)
  const right = block && outputRootOf(block)
  if (!right) return undefined
  if (block.number !== number) return `Output ${number} is told for block ${block.number}.`
  return root === right
    ? undefined
    : `The output root of block ${number} is told as ${root}, not ${right}.`
}
