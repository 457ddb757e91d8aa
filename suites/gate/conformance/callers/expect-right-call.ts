import { CaseFailure, cannotJudge } from '../case-failure.ts'
import { expectEqual } from '../matchers/expect-equal.ts'
import type { Hex } from '../wire/hex.ts'
import {
  type Difference,
  differencesOfNullification,
  differencesOfProposal,
  disputeRequestDifferences,
  requestDifferences,
} from './differences.ts'
import {
  type RightDispute,
  type RightProposal,
  rightDispute,
  rightProposal,
} from './right-claims.ts'
import {
  type AskedProof,
  nullificationsOf,
  proofsOf,
  proposalsOf,
  refusalOf,
  refusedProofOf,
  type SentNullification,
  type SentProposal,
  triedNullificationsOf,
  triedProposalsOf,
} from './sent-calls.ts'
import type { SentTransaction } from './sent-transaction.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** As often may L1 or the host refuse the same caller before what it does wrong is told. */
const REFUSALS = 3
const TAKEN_ALL_THE_SAME = 'L1 takes it all the same.'

/** The proposal that a caller sends where no game is yet. @throws CaseFailure naming what it has otherwise */
export async function expectRightProposal(caller: WatchedCaller): Promise<SentProposal> {
  const right: RightProposal = await rightProposal(caller)
  return await expectRight(caller, 'createWithInitData', {
    ...heldTo(right),
    sent: () => proposalsOf(caller),
    tried: () => triedProposalsOf(caller),
    timesRefused: () => timesRefused(caller),
  })
}

/**
 * The proposal that a caller sends behind the anchor game, which it brought itself.
 * @param first the call that it was brought by
 * @throws CaseSetAside where none comes @throws CaseFailure naming what it has otherwise
 */
export async function expectNextProposal(
  caller: WatchedCaller,
  first: SentProposal,
): Promise<SentProposal> {
  const right: RightProposal = await rightProposal(caller)
  const isNext = ({ extraData }: SentProposal) => extraData !== first.extraData
  // Before the anchor moved its blocks were not safe yet, or later than L1's own time.
  const { length: asked } = caller.asked
  const { length: tried } = caller.tried
  const expected: Expected<SentProposal> = {
    ...heldTo(right),
    sent: () => proposalsOf(caller).filter(isNext),
    tried: () => triedProposalsOf({ tried: caller.tried.slice(tried) }).filter(isNext),
    timesRefused: () => timesRefused({ asked: caller.asked.slice(asked) }),
  }
  await untilBehindAnchor(caller, () => firstSign(expected))
  return await expectRight(caller, 'createWithInitData', expected)
}

/**
 * The proposal that a caller sends behind its own game, which is no anchor: it may wait until it is.
 * @param first the call that it was brought by @param game what came of it
 * @throws CaseFailure naming what it has otherwise
 */
export async function expectNoWrongChild(
  caller: WatchedCaller,
  first: SentProposal,
  game: Hex,
): Promise<void> {
  const { end } = await rightProposal(caller)
  const right = await rightProposal(caller, { parent: game, start: BigInt(end) })
  const isChild = ({ extraData }: SentProposal) => extraData !== first.extraData
  const made = proposalsOf(caller).filter(isChild)
  const lastTried = triedProposalsOf(caller).filter(isChild).slice(-1)
  const numbers = await l1NumbersOf(caller)
  for (const child of [...made, ...lastTried]) {
    const different = differencesOfProposal(child, right, proofsOf(caller), numbers)
    const { refusal } = child.transaction
    if (different.length > 0)
      throw failureOf(different, refusal ? `L1 refuses it: ${refusal}.` : TAKEN_ALL_THE_SAME)
  }
}

const heldTo = (right: RightProposal): Pick<Expected<SentProposal>, 'differences' | 'asked'> => ({
  differences: (call, proofs, numbers) => differencesOfProposal(call, right, proofs, numbers),
  asked: (request) => requestDifferences(request, right),
})

/** Waits for a claim behind an anchor game. @throws CaseSetAside where none comes: that a proposer goes on is a `should` */
export async function untilBehindAnchor<T>(
  caller: WatchedCaller,
  look: () => T | undefined,
): Promise<T> {
  return await caller
    .until('a claim behind the anchor game', look)
    .catch(() => cannotJudge('It brings no claim behind an anchor game.'))
}

/**
 * The call of nullify that a caller sends for the first wrong root of a game.
 * @param options `ofOthers` what becomes of calls on other games; by default this is the one to call
 * @throws CaseFailure naming what it has otherwise
 */
export async function expectRightNullification(
  caller: WatchedCaller,
  game: Hex,
  index: number,
  { ofOthers = 'judged' }: { ofOthers?: 'judged' | 'left out' } = {},
): Promise<SentNullification> {
  const right: RightDispute = await rightDispute(caller, game, index)
  const isMeant = (call: SentNullification) => ofOthers === 'judged' || call.game === game
  return await expectRight(caller, 'nullify', {
    sent: () => nullificationsOf(caller).filter(isMeant),
    tried: () => triedNullificationsOf(caller).filter(isMeant),
    differences: (call, proofs, numbers) =>
      differencesOfNullification(call, right, proofs, numbers),
    asked: (request, numbers) => disputeRequestDifferences(request, right, numbers),
    timesRefused: () => timesRefused(caller),
  })
}

/**
 * That all it asked the host for so far, in vain or not, is the proof of the first wrong root of this game.
 * @param first place of the first request that is judged
 */
export async function expectRightRequests(
  caller: WatchedCaller,
  game: Hex,
  index: number,
  first = 0,
): Promise<void> {
  const right = await rightDispute(caller, game, index)
  const numbers = await l1NumbersOf(caller)
  for (const [at, request] of caller.requests.entries()) {
    const different = at < first ? [] : disputeRequestDifferences(request, right, numbers)
    if (different.length > 0)
      throw failureOf(different, `It is request ${at + 1} of ${caller.requests.length}.`, {
        at: 'a request',
        expected: 'the right one',
        actual: request,
      })
  }
}

/** That each request so far, answered or not, has the number of its L1 head; of a head that L1 dropped nobody knows it. */
export async function expectHeadNumbers(caller: WatchedCaller): Promise<void> {
  const numbers = await l1NumbersOf(caller)
  for (const [at, { l1_head, l1_head_number }] of caller.requests.entries())
    expectEqual(
      l1_head_number,
      numbers.get(l1_head) ?? l1_head_number,
      `l1_head_number of request ${at + 1}, against the block ${l1_head}`,
    )
}

interface Expected<Call extends { transaction: SentTransaction }> {
  sent: () => Call[]
  tried: () => Call[]
  differences: (
    call: Call,
    proofs: readonly AskedProof[],
    l1Numbers: ReadonlyMap<Hex, number>,
  ) => Difference[]
  /** Of what was asked of the host. */
  asked: (request: AskedProof['request'], l1Numbers: ReadonlyMap<Hex, number>) => Difference[]
  /** How often the host refused it a proof, since it gave one. */
  timesRefused: () => number
}

/** What it sent, or was refused often enough. */
function firstSign<Call extends { transaction: SentTransaction }>({
  sent,
  tried,
  timesRefused,
}: Expected<Call>): Call | 'refused by the host' | undefined {
  const attempts = tried()
  // One that looks first whether L1 would take it may be refused once, and right in the end.
  const made = sent()[0] ?? (attempts.length >= REFUSALS ? attempts.at(-1) : undefined)
  return made ?? (timesRefused() >= REFUSALS ? 'refused by the host' : undefined)
}

async function expectRight<Call extends { transaction: SentTransaction }>(
  caller: WatchedCaller,
  name: string,
  expected: Expected<Call>,
): Promise<Call> {
  const { tried, differences, asked } = expected
  const look = () => firstSign(expected)
  const found = await caller.until(`a call of ${name}`, look).catch(async (error: unknown) => {
    // It gave up before it tried as often: what it did so far tells more than that nothing came.
    const last = tried().at(-1)
    if (!last && expected.timesRefused() === 0) throw error
    return last ?? ('refused by the host' as const)
  })
  if (found === 'refused by the host') {
    const { request, says } = refusedProofOf(caller)!
    const numbers = await l1NumbersOf(caller)
    throw failureOf(asked(request, numbers), `The host refused it: ${says}.`, {
      at: 'what the host answered to prover_prove',
      expected: 'a proof',
      actual: says,
    })
  }
  const refusal =
    found.transaction.refusal ??
    (caller.isKeptFromL1() ? await refusalOf(caller, found.transaction) : undefined)
  const different = [
    ...differences(found, proofsOf(caller), await l1NumbersOf(caller)),
    ...otherMethods(caller),
  ]
  if (different.length === 0 && refusal === undefined) return found
  throw failureOf(different, refusal ? `L1 refuses it: ${refusal}.` : TAKEN_ALL_THE_SAME, {
    at: `what L1 answered to ${name}`,
    expected: 'that it takes it',
    actual: refusal,
  })
}

/** Whoever asks for a proof, and for whatever it is, asks by the same method (PRV-REQ-02). */
function otherMethods({ begun }: WatchedCaller): Difference[] {
  const others = begun.filter((each) => each.startsWith('prover_') && each !== 'prover_prove')
  return others.map((actual) => ({ at: 'method for a proof', expected: 'prover_prove', actual }))
}

/** Since the last proof that it got: with that it may go on. */
function timesRefused({ asked }: Pick<WatchedCaller, 'asked'>): number {
  const proofs = asked.filter(({ method }) => method === 'prover_prove')
  return proofs.length - 1 - proofs.findLastIndex(({ response }) => !('error' in response))
}

/** @param otherwise where nothing differs */
function failureOf(differences: readonly Difference[], hint: string, otherwise?: Difference) {
  const [first, ...others] = differences
  const more = others.map(({ at, expected, actual }) => {
    return ` Also ${at}: ${String(actual)}, not ${String(expected)}.`
  })
  return new CaseFailure({ ...(first ?? otherwise)!, hint: [hint, ...more].join('') })
}

async function l1NumbersOf(caller: WatchedCaller): Promise<Map<Hex, number>> {
  const hashes = new Set(caller.requests.flatMap(l1HeadIn))
  const found = await Promise.all(
    [...hashes].map(async (hash) => {
      const block = await caller.l1.result('eth_getBlockByHash', [hash, false])
      return [hash, block as { number: Hex } | null] as const
    }),
  )
  return new Map(
    found.flatMap(([hash, block]) => {
      return block ? [[hash, Number(block.number)] as const] : []
    }),
  )
}

function l1HeadIn(request: Partial<AskedProof['request']> | undefined): Hex[] {
  const { l1_head } = request ?? {}
  return typeof l1_head === 'string' ? [l1_head] : []
}
