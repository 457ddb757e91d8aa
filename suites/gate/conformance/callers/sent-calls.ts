import { decodeFunctionData, numberToHex } from 'viem'
import { CaseFailure } from '../case-failure.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import { makeGasDear, mineWithoutRoom } from './change-l1.ts'
import { gameAbi } from './game-abi.ts'
import { nameRevert } from './name-revert.ts'
import { proofRequestIn } from './proof-request-in.ts'
import type { SentTransaction } from './sent-transaction.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** Bytes of a proof of ten blocks that pass: less than its first half. */
const HALF_AN_ANSWER = 1_000
/** How long a host that restarts is away, in milliseconds. */
const DOWN_FOR = 2_000
/** Milliseconds that a slow proof takes: clients that were told of no limit wait ten seconds. */
const PROVING = 13_000

/** Milliseconds in which a caller sees that L1 took what it sent. */
export const SEEN_WITHIN = 5_000
/** Milliseconds without an L1 block: where people use one, a block takes as long. */
const BETWEEN_BLOCKS = 12_000
/** L1 blocks that a transaction waits for room in one. */
const FULL_BLOCKS = 12
/** L1 blocks, one a second, in which a caller sees what became of a transaction: libraries look each four seconds. */
const NOTICED_IN = 6

/** A call of createWithInitData that the caller sent. */
export interface SentProposal {
  transaction: SentTransaction
  gameType: number
  rootClaim: Hex
  /** End block (32 bytes), parent (20), one output root (32) for each interval. */
  extraData: Hex
  /** 00 (1 byte), L1 origin (32), its number (32), signature (65). */
  initData: Hex
}

/** A call of nullify that the caller sent. */
export interface SentNullification {
  transaction: SentTransaction
  game: Hex
  /** 00 (1 byte), signature (65). */
  proofBytes: Hex
  index: bigint
  root: Hex
}

export function proposalsOf({ sent }: WatchedCaller): SentProposal[] {
  return proposalsIn(sent)
}

/** Those that it only tried, and L1 refused. */
export function triedProposalsOf({ tried }: Pick<WatchedCaller, 'tried'>): SentProposal[] {
  return proposalsIn(tried)
}

function proposalsIn(transactions: readonly SentTransaction[]): SentProposal[] {
  return transactions.flatMap((transaction) => {
    const call = decode(transaction)
    if (call?.functionName !== 'createWithInitData') return []
    const [gameType, rootClaim, extraData, initData] = call.args
    return [{ transaction, gameType, rootClaim, extraData, initData }]
  })
}

export function nullificationsOf({ sent }: WatchedCaller): SentNullification[] {
  return nullificationsIn(sent)
}

/** Those that it only tried, and L1 refused. */
export function triedNullificationsOf({ tried }: WatchedCaller): SentNullification[] {
  return nullificationsIn(tried)
}

function nullificationsIn(transactions: readonly SentTransaction[]): SentNullification[] {
  return transactions.flatMap((transaction) => {
    const call = decode(transaction)
    if (call?.functionName !== 'nullify' || !transaction.to) return []
    const [proofBytes, index, root] = call.args
    return [{ transaction, game: transaction.to, proofBytes, index, root }]
  })
}

/** How many registrations the caller sent. */
export function registrationsOf({ sent }: WatchedCaller): number {
  return sent.filter((each) => decode(each)?.functionName === 'registerSigner').length
}

/** Members of a request of prover_prove, and of its result, that callers have to handle. */
export interface AskedProof {
  request: ProofRequestJson
  /** What was asked besides, as further params. */
  besides: readonly unknown[]
  aggregate: { signature: Hex; output_root: Hex }
  proposals: { output_root: Hex; l2_block_number: number; signature: Hex }[]
}

/** The proofs that the host gave, in the order of the answers. */
export function proofsOf({ asked }: WatchedCaller): AskedProof[] {
  return asked.flatMap(({ method, params, response }) => {
    const { Tee } = (response.result ?? {}) as { Tee?: unknown }
    if (method !== 'prover_prove' || !Tee) return []
    const { aggregate_proposal: aggregate, proposals } = Tee as {
      aggregate_proposal: AskedProof['aggregate']
      proposals: AskedProof['proposals']
    }
    const [, ...others] = params
    // What is left out at the end may be null (OPEN-58).
    const besides = others.filter((each) => each !== null)
    return [{ request: proofRequestIn(params), besides, aggregate, proposals }]
  })
}

/** What the host refused to prove last, and in which words. */
export function refusedProofOf({
  asked,
}: WatchedCaller): { request: ProofRequestJson; says: string } | undefined {
  const last = asked.findLast(({ method }) => method === 'prover_prove')
  const { error } = last?.response ?? {}
  if (!last || typeof error !== 'object' || error === null) return undefined
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  const more = typeof data === 'string' ? `: ${data}` : ''
  return {
    request: proofRequestIn(last.params),
    says: `${String(code)} ${String(message)}${more}`,
  }
}

/** That L1 took a transaction, and it did not revert. */
export async function expectTaken(
  caller: WatchedCaller,
  transaction: SentTransaction,
  at: string,
): Promise<void> {
  const { hash, refusal, gas } = transaction
  expectThat(hash !== undefined, 'a transaction hash', refusal, `what L1 answered to ${at}`)
  const receipt = await caller.until(`${at} in a block`, async () => {
    return ((await caller.l1.result('eth_getTransactionReceipt', [hash])) ?? undefined) as
      | { status: Hex; blockNumber: Hex }
      | undefined
  })
  if (receipt.status === '0x1') return
  const reason = await refusalOf(caller, transaction, receipt.blockNumber)
  // What it reverts with is asked with as much gas as it takes.
  if (reason === undefined && gas !== undefined)
    throw new CaseFailure({
      at: `gas of ${at}`,
      expected: 'as much as the call takes: eth_estimateGas tells',
      actual: gas,
      hint: 'It ran out of gas: with more, L1 takes the same call.',
    })
  expectEqual(receipt.status, '0x1', `status of ${at}`, reason && `It reverted with ${reason}.`)
}

/**
 * That it made one transaction of these calls, and no other in the L1 blocks that follow. The same one may be
 * sent as often as one likes.
 */
export async function expectSentOnce(
  caller: WatchedCaller,
  calls: () => readonly { transaction: SentTransaction }[],
  at: string,
): Promise<void> {
  await caller.untilQuiet(NOTICED_IN)
  const nonces = new Set(calls().map(({ transaction }) => transaction.nonce))
  expectEqual(nonces.size, 1, `transactions of ${at}`)
}

/** Starts it; L1 refuses its transactions until it was asked to take one. */
export async function sendThroughRefusal(caller: WatchedCaller): Promise<void> {
  const mend = caller.refuseTransactions()
  caller.start()
  await caller.until(
    'a transaction for L1',
    () => timesAsked(caller, 'eth_sendRawTransaction') || undefined,
  )
  mend()
}

/** Starts it; its transaction is in no block for as long as a real L1 takes to make one. */
export async function sendBetweenBlocks(caller: WatchedCaller): Promise<void> {
  await sendIntoStillL1(caller, () => caller.untilOver(BETWEEN_BLOCKS))
  await mineForWhoEnded(caller)
}

/** Starts it; L1's next blocks have no room for its transaction. */
export async function sendPastFullBlocks(caller: WatchedCaller): Promise<void> {
  await sendIntoStillL1(caller, ({ gas }) => mineWithoutRoom(caller, gas!, FULL_BLOCKS))
  await mineForWhoEnded(caller)
}

/**
 * Starts it; it crashes with its transaction in no block, is started again, and sees what it can until there is
 * one.
 */
export async function crashBetweenBlocks(caller: WatchedCaller): Promise<void> {
  await sendIntoStillL1(caller, async () => {
    await caller.crash()
    await lookAgain(caller)
    await caller.untilOver(SEEN_WITHIN)
  })
}

/** Starts it; the answer to its transaction is lost while it is in no block, and it sees what it can until there is one. */
export async function loseAnswerBetweenBlocks(caller: WatchedCaller): Promise<void> {
  caller.loseAnswer('at once')
  await sendIntoStillL1(caller, () => caller.untilOver(BETWEEN_BLOCKS))
}

/** Starts it; L1 makes no block by itself from its first transaction until all of this is over. */
async function sendIntoStillL1(
  caller: WatchedCaller,
  meanwhile: (transaction: SentTransaction) => Promise<void>,
): Promise<void> {
  const goOn = caller.standStillWithNext()
  caller.start()
  await meanwhile(await caller.until('a transaction for L1', () => caller.sent[0]))
  await goOn()
}

/** One that has ended is not to be started again while its transaction waits. */
async function mineForWhoEnded({ l1 }: WatchedCaller): Promise<void> {
  await l1.result('evm_mine', [])
}

/** Why L1 would refuse a transaction in a block, by name; undefined where it would take it. */
export async function refusalOf(
  caller: WatchedCaller,
  { from, to, data, value }: SentTransaction,
  block = 'pending',
): Promise<string | undefined> {
  const call = { from, to, data, value: numberToHex(value) }
  const { body } = await caller.l1.call('eth_call', [call, block])
  return nameRevert(body as JsonObject)
}

/** Starts it; the line to the host breaks in the middle of its first proof, and is there again later. */
export async function askThroughCutLine(caller: WatchedCaller): Promise<void> {
  const mend = await caller.world.fault('link:actor-host', 'limit_data', {
    bytes: HALF_AN_ANSWER,
    direction: 'downstream',
  })
  caller.start()
  await askedAgain(caller, 'prover_prove')
  await mend()
}

/** Starts it; the host is too busy for a proof at first. */
export async function askBusyHost(caller: WatchedCaller): Promise<void> {
  await outlastBusyHost(caller, 'prover_prove', () => caller.start())
}

/** Starts it; L1 is too busy for a question at first. */
export async function askBusyL1(caller: WatchedCaller): Promise<void> {
  await outlastBusyHost(caller, 'eth_call', () => caller.start())
}

/** Starts it; the host answers at first that the proof took too long, and then that it has no valid signer. */
export async function askRefusingHost(caller: WatchedCaller): Promise<void> {
  caller.spoil('prover_prove', 'refused')
  caller.start()
  await askedAgain(caller, 'prover_prove')
  const mend = caller.spoil('prover_prove', 'without signer')
  await askedAgain(caller, 'prover_prove')
  // That one may have come before the other refusal.
  await askedAgain(caller, 'prover_prove')
  mend()
}

/** L1 has an error for whoever asks for a block by its hash, until somebody did, or asks the host without. */
export async function askRefusingL1(caller: WatchedCaller): Promise<void> {
  const times = () => timesAsked(caller, 'eth_getBlockByHash') + timesAsked(caller, 'prover_prove')
  const before = times()
  const mend = caller.spoil('eth_getBlockByHash', 'refused')
  await caller.until('a proof asked for', () => times() > before || undefined)
  mend()
}

/**
 * The host, or L1, is too busy for a method until it is asked again.
 * @param begin makes the caller ask, where it has not begun
 */
export async function outlastBusyHost(
  caller: WatchedCaller,
  method: string,
  begin?: () => void,
): Promise<void> {
  const mend = caller.spoil(method, 'busy')
  begin?.()
  await askedAgain(caller, method)
  mend()
}

/** Starts it; the host dies with its first proof, and comes back empty. */
export async function askRestartedHost(caller: WatchedCaller): Promise<void> {
  const comeBack = caller.spoil('prover_prove', 'gone')
  caller.start()
  await caller.until(
    'a request of prover_prove',
    () => timesAsked(caller, 'prover_prove') || undefined,
  )
  const restarted = caller.world.fault('process:host', 'slow_start', { delay: DOWN_FOR })
  comeBack()
  await restarted
}

/** Starts it; the host takes longer for a proof than a client waits that was told of no limit. */
export async function askSlowHost(caller: WatchedCaller): Promise<void> {
  await whileProving(caller, () => caller.untilOver(PROVING))
}

/** Starts it, and does something while the host makes its first proof; after that the host gives it. */
export async function whileProving<T>(
  caller: WatchedCaller,
  meanwhile: () => Promise<T>,
): Promise<T> {
  const proving = caller.hold('prover_prove')
  caller.start()
  await caller.until('a request of prover_prove', () => proving.reached() || undefined)
  const done = await meanwhile()
  proving.release()
  return done
}

/** Starts it; gas on L1 becomes dear while its first proof is made. @throws CaseSetAside */
export async function sendInDearGas(caller: WatchedCaller): Promise<void> {
  await whileProving(caller, () => makeGasDear(caller))
}

/**
 * Something happens while the proof is made, and what the caller then asks of L1's contracts is answered by errors
 * until it is quiet: it cannot see what happened before that.
 */
export async function unseenWhileProving(
  caller: WatchedCaller,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const goOn = await whileProving(caller, async () => {
    await meanwhile()
    return caller.spoil('eth_call', 'refused')
  })
  await caller.untilQuiet()
  goOn()
  await caller.untilQuiet()
}

/** How often the host was asked, answered or not. */
export function timesAsked({ begun }: WatchedCaller, method: string): number {
  return begun.filter((each) => each === method).length
}

/** It has read a contract on L1 once more; started again for that where it has ended. */
export async function lookAgain(caller: WatchedCaller): Promise<void> {
  await askedAgain(caller, 'eth_call')
}

export async function askedAgain(caller: WatchedCaller, method: string): Promise<void> {
  const times = timesAsked(caller, method)
  await caller.until(
    `a second request of ${method}`,
    () => timesAsked(caller, method) > Math.max(times, 1) || undefined,
  )
}

/** Of a transaction on L1; undefined while it is in none. */
export async function blockOf(
  { l1 }: WatchedCaller,
  hash: Hex | undefined,
): Promise<number | undefined> {
  const receipt = await l1.result('eth_getTransactionReceipt', [hash])
  return receipt ? Number((receipt as { blockNumber: Hex }).blockNumber) : undefined
}

function decode({ data }: SentTransaction) {
  try {
    return decodeFunctionData({ abi: gameAbi, data })
  } catch {
    return undefined
  }
}
