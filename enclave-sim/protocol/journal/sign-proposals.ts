import { RollbedError } from '../errors/rollbed-error.ts'
import { ClaimUnreachable, InvalidClaim } from '../proof/claim.ts'
import type { ProgramResult, Proposal, TeeProof } from '../proof/types.ts'
import type { Hash } from '../types/bytes.ts'
import { encodeJournal } from './encode-journal.ts'
import type { Journal } from './journal.ts'
import { layoutOf } from './layouts.ts'
import { sampleRoots } from './sampling.ts'
import type { Signer } from './signer.ts'

/** One claim: the blocks after `from`, up to `to`. */
interface Range {
  from: { number: bigint; outputRoot: Hash }
  to: { number: bigint; outputRoot: Hash }
  intermediateRoots: Hash[]
}

/**
 * Signs one journal per block and then the aggregate (PIPE-19, PIPE-20). Everything is checked
 * before the first signature; the comparison with the claim is the program's duty and is repeated
 * here, so that no path leads to a signature without it (SAFE-02, SAFE-03).
 * @throws NoBlocks, InvalidClaim, ClaimUnreachable, BrokenRange, IntervalZero
 */
export function signProposals(result: ProgramResult, signer: Signer, teeImageHash: Hash): TeeProof {
  const { blocks } = result
  const last = blocks.at(-1)
  if (!last) throw new NoBlocks()
  if (last.outputRoot !== result.claimedOutputRoot)
    throw new InvalidClaim(last.outputRoot, result.claimedOutputRoot)
  if (last.number !== result.claimedBlockNumber)
    throw new ClaimUnreachable(last.number, result.claimedBlockNumber)

  const agreed = { number: result.agreedBlockNumber, outputRoot: result.agreedOutputRoot }
  const chain = [agreed, ...blocks]
  for (const [index, block] of chain.entries())
    if (block.number !== agreed.number + BigInt(index)) throw new BrokenRange(block.number)
  const intermediateRoots = sampleRoots(blocks, result.intermediateBlockInterval)

  const sign = (range: Range) => signProposal(result, range, signer, teeImageHash)
  const proposals = blocks.map((to, index) =>
    sign({ from: chain[index]!, to, intermediateRoots: [] }),
  )
  return {
    proposals,
    // One block: the aggregate is the per-block proposal, signature included (PRV-PROP-08).
    aggregateProposal:
      blocks.length === 1 ? proposals[0]! : sign({ from: agreed, to: last, intermediateRoots }),
  }
}

function signProposal(
  result: ProgramResult,
  { from, to, intermediateRoots }: Range,
  signer: Signer,
  teeImageHash: Hash,
): Proposal {
  const { scheduleId } = result
  const fields: Journal = {
    proposer: result.proposer,
    l1OriginHash: result.l1Head,
    prevOutputRoot: from.outputRoot,
    startingL2Block: from.number,
    outputRoot: to.outputRoot,
    endingL2Block: to.number,
    intermediateRoots,
    configHash: result.configHash,
    teeImageHash,
    ...(scheduleId && { scheduleId }),
  }
  const journal = encodeJournal(fields, layoutOf(fields))
  return {
    outputRoot: to.outputRoot,
    signature: signer.sign(journal),
    l1OriginHash: result.l1Head,
    l1OriginNumber: result.l1HeadNumber,
    l2BlockNumber: to.number,
    prevOutputRoot: from.outputRoot,
    configHash: result.configHash,
    ...(scheduleId && { scheduleId }),
  }
}

export class NoBlocks extends RollbedError {
  constructor() {
    // Message as deployed enclaves word it (base/base nitro-enclave/src/server.rs).
    super('NO_BLOCKS', 'no proposals provided for aggregation')
  }
}

export class BrokenRange extends RollbedError {
  constructor(number: bigint) {
    super('BROKEN_RANGE', `block ${number} does not follow the block before it`)
  }
}
