import { decodeFunctionData, slice } from 'viem'
import type { Hex } from '../drivers/driver.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { gameAbi } from './game-abi.ts'
import type { SentTransaction, WatchedCaller } from './with-caller.ts'

/** Bytes of a proof of ten blocks that pass: less than its first half. */
const HALF_AN_ANSWER = 1_000

/** A call of createWithInitData that the caller sent. */
export interface SentProposal {
  transaction: SentTransaction
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
  return sent.flatMap((transaction) => {
    const call = decode(transaction)
    if (call?.functionName !== 'createWithInitData') return []
    const [, rootClaim, extraData, initData] = call.args
    return [{ transaction, rootClaim, extraData, initData }]
  })
}

export function nullificationsOf({ sent }: WatchedCaller): SentNullification[] {
  return sent.flatMap((transaction) => {
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
  request: { l1_head: Hex; proposer: Hex; claimed_l2_block_number: number }
  aggregate: { signature: Hex; output_root: Hex }
  proposals: { output_root: Hex; l2_block_number: number }[]
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
    return [{ request: params[0] as AskedProof['request'], aggregate, proposals }]
  })
}

/** That 65 bytes on L1 are those of the enclave but for v, which L1 wants as 27 or 28 (SIG-06). */
export function expectRaised(signature: Hex, signed: Hex, at: string): void {
  expectEqual(slice(signature, 0, 64), slice(signed, 0, 64), `r and s of ${at}`)
  const v = Number(slice(signature, 64))
  expectThat(v === 27 || v === 28, '27 or 28', v, `v of ${at}`)
  expectEqual(v - 27, Number(slice(signed, 64)), `v of ${at} less 27`)
}

/** That L1 took a transaction, and it did not revert. */
export async function expectTaken(
  caller: WatchedCaller,
  { hash }: SentTransaction,
  at: string,
): Promise<void> {
  expectThat(hash !== undefined, 'a transaction hash', 'an error', `what L1 answered to ${at}`)
  const receipt = await caller.until(`${at} in a block`, async () => {
    return ((await caller.l1.result('eth_getTransactionReceipt', [hash])) ?? undefined) as
      | { status: Hex }
      | undefined
  })
  expectEqual(receipt.status, '0x1', `status of ${at}`)
}

/** Starts it; the line to the host breaks in the middle of its first proof, and is there again later. */
export async function expectAskedAgain(caller: WatchedCaller): Promise<void> {
  const mend = await caller.world.fault('link:actor-host', 'limit_data', {
    bytes: HALF_AN_ANSWER,
    direction: 'downstream',
  })
  const times = () => caller.begun.filter((method) => method === 'prover_prove').length
  caller.start()
  await caller.until('a second request of prover_prove', () => times() > 1 || undefined)
  await mend()
}

function decode({ data }: SentTransaction) {
  try {
    return decodeFunctionData({ abi: gameAbi, data })
  } catch {
    return undefined
  }
}
