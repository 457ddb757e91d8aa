import type { Hex } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { enclaveGarblings } from '../checkers/fault-times.ts'
import { answersAreTrue, gamesAreOfTheChain } from './answers.ts'
import { blockProblems } from './block-rules.ts'
import { DEPOSIT, depositProblems, originOf } from './derive-deposits.ts'
import { dropsAreKnown } from './drops-are-known.ts'
import {
  eventsOf,
  type ProofAsked,
  type TeeProofSeen,
  type TransactionSigned,
} from './events-of.ts'
import { factsAreTrue } from './facts-are-true.ts'
import { flashblocksCome } from './flashblocks-come.ts'
import { gasProblems } from './gas-problems.ts'
import { headsAreOneChain } from './heads-are-one-chain.ts'
import { batchesComeOnce, batchesComeSoon, safeComesSoon } from './l2-reaches-l1.ts'
import { type KnownBlock, type L2Tree, treeOf } from './l2-tree.ts'
import { pagesAreTrue } from './pages-are-true.ts'
import { possibleLogs } from './possible-logs.ts'
import { possibleValues } from './possible-values.ts'
import { MESSAGE_PASSER } from './predeploys.ts'
import { possibleSigners } from './registered-signers.ts'
import { safeIsOnL1 } from './safe-is-on-l1.ts'
import { signersAreRight } from './signers-are-right.ts'
import { slotProblems } from './slot-problems.ts'
import { streamsAreWhole } from './streams-are-whole.ts'
import { tipsComeFirst } from './tips-come-first.ts'
import { turnsCome } from './turns-come.ts'
import { configHashOf, proofProblems } from './whole-proof.ts'
import { withdrawalsArePaidOnce } from './withdrawals-are-paid-once.ts'

export const blocksAreExecuted: Checker = {
  name: 'blocks-are-executed',
  says: 'A block holds what its signers made and L1 sent, each with its fee, its nonce and its balance.',
  safety: (events) => blocksWith(events, ({ executed }) => [...(executed?.problems ?? [])]),
}

export const blocksAreDue: Checker = {
  name: 'blocks-are-due',
  says: 'A block is of the time that its number says, in milliseconds since Denim, and tells BaseTime of it.',
  safety: (events) => blocksWith(events, (block, { known }) => slotProblems(block, known)),
}

export const gasFollows: Checker = {
  name: 'gas-follows',
  says: 'Gas limit and base fee of a block follow from the block before it; Denim divides the gas by ten, once.',
  safety: (events) =>
    blocksWith(events, (block, { known, blocks }) => {
      const parent = blocks.get(block.parent)
      return parent ? gasProblems(block, parent, known) : []
    }),
}

/** What is wrong with each block by itself. */
function blocksWith(
  events: readonly LoggedEvent[],
  problemsOf: (block: KnownBlock, tree: L2Tree) => string[],
): Found[] {
  const tree = treeOf(events)
  return [...(tree?.blocks.values() ?? [])].flatMap((block) =>
    problemsOf(block, tree!).map((problem) => ({ t: block.t, problem })),
  )
}

export const blocksAreWhole: Checker = {
  name: 'blocks-are-whole',
  says: 'A header is what L1 and its transactions make of it, and its hash commits to it.',
  safety(events) {
    const tree = treeOf(events)
    const [known] = eventsOf(events, 'chain.known')
    if (!tree || !known) return []
    const l1 = new Map(eventsOf(events, 'l1.block').map((block) => [block.hash, block]))
    return [...tree.blocks.values()].flatMap((block): Found[] => {
      const origin = originOf(block)
      // The first block was not derived.
      if (block.number === 0) return []
      const around = {
        ...{ origin: origin && l1.get(origin.hash), signed: tree.signed, known },
        messages: block.executed?.ledgers.at(-1)?.slotsOf(MESSAGE_PASSER),
      }
      return blockProblems(block, around).map((problem) => ({
        t: block.t,
        problem: `Block ${block.number} ${problem}`,
      }))
    })
  },
}

export const depositsComeOnce: Checker = {
  name: 'deposits-come-once',
  says: 'What was deposited on L1 is on L2 once, in the first block of its origin, and nothing else is.',
  safety(events) {
    const tree = treeOf(events)
    const l1 = new Map(eventsOf(events, 'l1.block').map((block) => [block.hash, block]))
    return [...(tree?.blocks.values() ?? [])].flatMap((block): Found[] => {
      const origin = originOf(block)
      const parent = tree!.blocks.get(block.parent)
      // The first block was not derived.
      if (block.number === 0) return []
      const before = parent && parent.number > 0 ? parent : undefined
      return depositProblems(block, before, origin && l1.get(origin.hash)).map((problem) => ({
        t: block.t,
        problem,
      }))
    })
  },
}

export const valuesAreTrue: Checker = {
  name: 'values-are-true',
  says: 'What an account is said to have, it had at some moment between asking and answering.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    return eventsOf(events, 'value.seen').flatMap((answer): Found[] => {
      const possible = possibleValues(tree, answer)
      const value = BigInt(answer.value)
      if (!possible || possible.includes(value)) return []
      const { t, kind, address, at, input = '' } = answer
      const right = [...new Set(possible)].join(' or ')
      return [
        {
          t,
          problem: `The ${kind} ${input} of ${address} at ${at} was told as ${value}, not ${right}.`,
        },
      ]
    })
  },
}

export const logsAreTrue: Checker = {
  name: 'logs-are-true',
  says: 'A filter is answered with the logs that were there at some moment between asking and answering.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree) return []
    return eventsOf(events, 'range.seen').flatMap((range): Found[] => {
      const possible = possibleLogs(tree, range)
      const answered = range.logs.map((log) => JSON.stringify(log))
      const right = possible?.map((logs) => logs.map((log) => JSON.stringify(log)))
      if (!right || right.some((logs) => logs.join() === answered.join())) return []
      const { t, from, to, address = 'everybody' } = range
      const all = right.at(-1)!
      const at = all.findIndex((log, index) => log !== answered[index])
      const problem = `Logs of ${address} from ${from} to ${to}: ${answered.length} were answered, and there are ${all.length}; at ${at} is ${answered[at]}, not ${all[at]}.`
      return [{ t, problem }]
    })
  },
}

export const transactionsComeOnce: Checker = {
  name: 'transactions-come-once',
  says: 'A transaction is in a chain at most once.',
  safety(events) {
    const tree = treeOf(events)
    return tree ? twice(tree) : []
  },
}

export const acceptedComes: Checker = {
  name: 'accepted-comes',
  says: 'What was accepted is in the chain at the end, or was told as dropped, or was replaced by what pays more.',
  safety: () => [],
  liveness(events) {
    const tree = treeOf(events)
    // The newest may have been told of and not read any more.
    const newest = tree?.heads.findLast(({ hash }) => tree.blocks.has(hash))
    const head = newest && tree?.blocks.get(newest.hash)
    const over = events.find(({ what }) => what === 'weather.over')?.t
    if (!tree || !head || over === undefined) return []
    const chain = [...tree.backFrom(head.hash)].flatMap(({ transactions }) => transactions)
    const included = new Set(chain.map(({ hash }) => hash))
    const placeOf = (from: Hex, nonce: number) => `${from.toLowerCase()} ${nonce}`
    const used = new Map(chain.map((each) => [placeOf(each.from, Number(each.nonce)), each.hash]))
    const dropped = droppedHashes(events)
    const takenAt = new Map(
      events
        .filter(({ what }) => what === 'transaction.taken')
        .map(({ t, data }) => [data.hash as Hex, t]),
    )
    // With a deposit that L1 takes back goes a nonce of its sender's.
    const deposits = new Set(
      [...tree.blocks.values()].flatMap(({ transactions }) =>
        transactions.filter(({ type }) => type === DEPOSIT).map(({ from }) => from.toLowerCase()),
      ),
    )
    // With a node goes what it had not sealed, and what it sealed and L1 did not have yet.
    const lastDeath =
      events.findLast(({ who, what }) => who === 'node' && what === 'ended')?.t ?? -1
    return events
      .filter(({ t, what }) => what === 'transaction.taken' && t > lastDeath && t < over)
      .flatMap(({ t, data }): Found[] => {
        const hash = data.hash as Hex
        const signed = tree.signed.get(hash)
        // It may stand in the block after the one that was being built then, which nobody looked at any more.
        const freed = freedAt(tree, hash, t)
        const after = tree.heads.find(({ asked }) => asked >= Math.max(t, freed ?? t))
        if (!after || head.number < after.number + 2) return []
        if (included.has(hash) || dropped.has(hash) || !signed) return []
        if (!isItsTurn(tree, head, signed)) return []
        const other = used.get(placeOf(signed.from, signed.nonce))
        if (other && paysMore(tree.signed.get(other), signed)) return []
        // Who asked while it was on its way back into the pool has its nonce, and was there first.
        const isFirst = other && freed !== undefined && (takenAt.get(other) ?? freed) < freed + BACK
        if (isFirst || (freed !== undefined && deposits.has(signed.from.toLowerCase()))) return []
        const instead = other ? `, and its nonce was used by ${other}, which pays no more` : ''
        return [{ t, problem: `Transaction ${hash} was accepted and is nowhere${instead}.` }]
      })
  },
}

/** Milliseconds in which what stood in blocks that are gone is back in the pool. */
const BACK = 1_000

/**
 * Whether two blocks could have had it: one that waits for another of its sender waits for ever where nobody sends
 * that one, as where L1 took back a deposit that had a nonce of his. Whatever is lost before it is told of by itself.
 */
function isItsTurn(tree: L2Tree, head: KnownBlock, { from, nonce }: TransactionSigned): boolean {
  const [, , before] = tree.backFrom(head.hash)
  const ledger = before?.executed?.ledgers.at(-1)
  return !ledger || ledger.of(from).nonce >= nonce
}

function droppedHashes(events: readonly LoggedEvent[]): ReadonlySet<unknown> {
  return new Set(events.filter(({ what }) => what === 'discarded').map(({ data }) => data.hash))
}

/** When the last block in which it stood, or may have stood, was taken back: then its nonce was free again. */
function freedAt(tree: L2Tree, hash: Hex, taken: number): number | undefined {
  return tree.removed.findLast(({ hash: removed, t }) => {
    const block = tree.blocks.get(removed)
    if (!block) return t > taken
    return block.transactions.some((each) => each.hash === hash)
  })?.t
}

/** What a pool takes instead of another of the same nonce pays a higher fee, and a higher tip. */
function paysMore(other: TransactionSigned | undefined, than: TransactionSigned): boolean {
  if (!other) return false
  const [fee, tip] = [BigInt(other.maxFeePerGas), BigInt(other.maxPriorityFeePerGas)]
  return fee > BigInt(than.maxFeePerGas) && tip > BigInt(than.maxPriorityFeePerGas)
}

/** In each chain that there ever was. */
function twice(tree: L2Tree): Found[] {
  return tree.tips().flatMap((tip) => {
    const seen = new Set<Hex>()
    return [...tree.backFrom(tip.hash)].reverse().flatMap(({ t, number, transactions }) => {
      const again = transactions.filter(({ hash }) => seen.has(hash))
      for (const { hash } of transactions) seen.add(hash)
      return again.map(({ hash }) => ({
        t,
        problem: `Block ${number} has transaction ${hash} again.`,
      }))
    })
  })
}

export const proofsAreOfTheChain: Checker = {
  name: 'proofs-are-of-the-chain',
  says: 'Each member of a proof is what the blocks that clients were told make of the request, and an enclave signed it whose key L1 had registered.',
  safety(events) {
    const tree = treeOf(events)
    if (!tree?.known.config) return []
    const asked = new Map(
      events
        .filter(({ what }) => what === 'proof.asked')
        .map(({ t, data }) => [data.id, { t, request: data.request as ProofAsked | undefined }]),
    )
    const signersOf = possibleSigners(events)
    const configHash = configHashOf(tree.known.config)
    const garblings = enclaveGarblings(events)
    return events.flatMap(({ t, what, data }): Found[] => {
      const { request, t: since = t } = asked.get(data.id) ?? {}
      if (what !== 'proof.made' || !request || !data.proof) return []
      if (garblings.some(({ from, to }) => from <= t && since <= to)) return []
      const truth = { tree, configHash, signers: signersOf(since, t) }
      return proofProblems(request, data.proof as TeeProofSeen, truth).map((problem) => ({
        t,
        problem: `Proof ${data.id} ${problem}`,
      }))
    })
  },
}

export const invalidIsRefused: Checker = {
  name: 'invalid-is-refused',
  says: 'What no chain may hold is not taken.',
  safety(events) {
    const due = new Map(
      events.filter(({ what }) => what === 'refusal.due').map(({ data }) => [data.hash, data.why]),
    )
    return events
      .filter(({ what, data }) => what === 'transaction.taken' && due.has(data.hash))
      .map(({ t, data }) => ({
        t,
        problem: `Transaction ${data.hash} ${due.get(data.hash)}, and was taken.`,
      }))
  },
}

export const validIsTaken: Checker = {
  name: 'valid-is-taken',
  says: 'What pays a tenth more, fee and tip, takes the place of what waits.',
  safety: (events) =>
    events
      .filter(({ what }) => what === 'transaction.refused')
      .map(({ t, data }) => ({ t, problem: `Transaction ${data.hash} was refused: ${data.why}` })),
}

/** What a ledger of their own says of a log. */
export const MODEL_CHECKERS: readonly Checker[] = [
  blocksAreDue,
  gasFollows,
  blocksAreExecuted,
  blocksAreWhole,
  depositsComeOnce,
  withdrawalsArePaidOnce,
  valuesAreTrue,
  logsAreTrue,
  answersAreTrue,
  factsAreTrue,
  gamesAreOfTheChain,
  signersAreRight,
  pagesAreTrue,
  streamsAreWhole,
  tipsComeFirst,
  turnsCome,
  flashblocksCome,
  transactionsComeOnce,
  safeIsOnL1,
  headsAreOneChain,
  batchesComeSoon,
  batchesComeOnce,
  safeComesSoon,
  acceptedComes,
  dropsAreKnown,
  invalidIsRefused,
  validIsTaken,
  proofsAreOfTheChain,
]
