import { numberToHex } from 'viem'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rawHeader } from '#devnet/l1/raw-header'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { decodeHeader } from '#protocol/execution/header'
import { outputRoot } from '#protocol/execution/output-root'
import type { ProofRequest } from '#protocol/proof/types'
import type { Address, Hash } from '#protocol/types/bytes'
import { type ProofResultJson, proofRequestJson } from './proof-json.ts'

export interface ProveRangeParameters {
  /** First and last block to prove, both included; block from - 1 is the agreed one. */
  from: number
  to: number
  /** L2 execution RPC. */
  rpcUrl: string
  l1RpcUrl: string
  /** Prover host. */
  proverUrl: string
  /** Blocks between two intermediate roots of the aggregate. */
  interval: number
  /** L1 address that will submit the proof. */
  proposer: Address
  clock: Clock
  /**
   * L1 block to derive from, by hash or number; default the newest. For a dispute it is the game's
   * `l1Head`.
   */
  l1Head?: Hash | number
  /** Seconds without a new block or batch after which waiting for `to` ends. Default 300. */
  safeTimeout?: number
  onProgress?(line: string): void
}

/** Milliseconds between two looks at the safe head. */
const POLL_INTERVAL = 500

/**
 * Asks a prover host to prove L2 blocks `from`..`to`, claiming what the L2 node has for them. Waits
 * until the blocks are there and their batches on L1.
 *
 * @returns the ProofResult as the host sent it
 * @throws RangeInvalid, ChainDiverged, SafeHeadTimeout, ProofUnexpected, RpcRefused, RpcUnreachable
 */
export async function proveRange(parameters: ProveRangeParameters): Promise<ProofResultJson> {
  const { from, to, onProgress = () => undefined } = parameters
  if (from < 1 || to < from) throw new RangeInvalid(from, to)
  const l2 = httpRpcClient(parameters.rpcUrl)
  const l1 = httpRpcClient(parameters.l1RpcUrl)

  await untilSafe(l2, parameters)
  const [agreed, claimed, l1Head] = await Promise.all([
    outputAt(l2, from - 1),
    outputAt(l2, to),
    blockAt(l1, parameters.l1Head ?? 'latest'),
  ])
  const request: ProofRequest = {
    l1Head: l1Head.hash,
    l1HeadNumber: BigInt(l1Head.number),
    agreedL2HeadHash: agreed.hash,
    agreedL2OutputRoot: agreed.outputRoot,
    claimedL2OutputRoot: claimed.outputRoot,
    claimedL2BlockNumber: BigInt(to),
    proposer: parameters.proposer,
    intermediateBlockInterval: BigInt(parameters.interval),
    imageHash: `0x${'00'.repeat(32)}`,
  }
  onProgress(`proving L2 blocks ${from}..${to} from L1 block ${Number(l1Head.number)}`)
  const prover = httpRpcClient(parameters.proverUrl)
  const result = await prover.request('prover_prove', [proofRequestJson(request)])
  return checked(result, to, claimed.outputRoot)
}

/** Polls until the batches of the last block are on L1, as long as the chain goes on. */
async function untilSafe(l2: RpcClient, parameters: ProveRangeParameters): Promise<void> {
  const { to, clock, safeTimeout = 300, onProgress = () => undefined } = parameters
  let deadline = 0
  let reported = ''
  for (;;) {
    const [head, safe] = await Promise.all([numberAt(l2, 'latest'), numberAt(l2, 'safe')])
    if (safe >= to) return
    const divergence = await divergenceOf(l2)
    if (divergence && Number(divergence.since) <= to) throw new ChainDiverged(to, divergence)
    const progress =
      head < to
        ? `waiting for block ${to}, the chain is at ${head}`
        : `waiting for block ${to} to be safe, now at ${safe}`
    if (progress !== reported) {
      onProgress(progress)
      deadline = clock.now() + safeTimeout * 1000
    }
    reported = progress
    if (clock.now() >= deadline) throw new SafeHeadTimeout(to, { head, safe }, safeTimeout)
    await sleep(clock, POLL_INTERVAL)
  }
}

async function numberAt(l2: RpcClient, tag: 'latest' | 'safe'): Promise<number> {
  return Number((await blockAt(l2, tag)).number)
}

/** Since when a devnet is not what its L1 says: a cheat, or a reorg that `conform` made. */
async function divergenceOf(l2: RpcClient): Promise<ReportedDivergence | undefined> {
  const metadata = await l2.request('anvil_metadata', []).catch(() => undefined)
  const { divergence } = Object(metadata)
  return divergence ?? undefined
}

async function outputAt(l2: RpcClient, number: number): Promise<{ hash: Hash; outputRoot: Hash }> {
  const { hash } = await blockAt(l2, numberToHex(number))
  const header = decodeHeader(await rawHeader(l2, hash))
  return { hash, outputRoot: outputRoot({ ...header, hash }) }
}

/** @param block a tag, a number or a hash */
async function blockAt(
  rpc: RpcClient,
  block: string | number,
): Promise<{ hash: Hash; number: string }> {
  const isHash = typeof block === 'string' && block.length === 66
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const answer = await rpc.request(method, [
    typeof block === 'number' ? numberToHex(block) : block,
    false,
  ])
  if (answer) return answer as { hash: Hash; number: string }
  throw new RollbedError('BLOCK_UNKNOWN', `The node has no block ${block}.`)
}

/** A result for another block or root than asked for is no proof of this range. */
function checked(result: unknown, to: number, claimed: Hash): ProofResultJson {
  const { Tee: proof } = Object(result) as Partial<ProofResultJson>
  const { l2_block_number: block, output_root: root } = Object(proof?.aggregate_proposal)
  if (block !== to || root !== claimed) throw new ProofUnexpected(to)
  return result as ProofResultJson
}

export class RangeInvalid extends RollbedError {
  constructor(from: number, to: number) {
    super('RANGE_INVALID', `${from}..${to} is no range of L2 blocks to prove.`, {
      hint: 'The first block is at least 1 (genesis needs no proof) and not above the last.',
    })
  }
}

/** `divergence` of `anvil_metadata`; the sentences are younger than the rest. */
interface ReportedDivergence {
  since: string
  cause: string
  what?: string
  wayOut?: string
}

export class ChainDiverged extends RollbedError {
  constructor(to: number, { since, cause, what, wayOut }: ReportedDivergence) {
    super(
      'CHAIN_DIVERGED',
      what === undefined
        ? `Block ${to} will never be safe: the chain left L1 at block ${Number(since)} (${cause}).`
        : `Block ${to} will never be safe. ${what}`,
      {
        hint:
          wayOut ??
          'Cheats and `rollbed conform` do that to a devnet: start a new one to prove on.',
      },
    )
  }
}

export class SafeHeadTimeout extends RollbedError {
  constructor(to: number, { head, safe }: { head: number; safe: number }, seconds: number) {
    super(
      'SAFE_HEAD_TIMEOUT',
      `Block ${to} is not safe, and for ${seconds} s nothing went on: the chain is at ${head}, its safe head at ${safe}.`,
      {
        hint:
          head < to
            ? 'The node builds no blocks: choose a lower --to, or let it go on.'
            : 'Batches do not reach L1: check the batcher and that L1 makes blocks.',
      },
    )
  }
}

export class ProofUnexpected extends RollbedError {
  constructor(to: number) {
    super('PROOF_UNEXPECTED', `The prover's answer is no proof of block ${to} and its root.`, {
      hint: 'Check that --prover names a prover host of this very chain.',
    })
  }
}
