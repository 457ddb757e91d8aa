import { type Hex, size, slice } from 'viem'
import { gameType } from '#fixtures/chain/constants'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { RightDispute, RightProposal, RightRange } from './right-claims.ts'
import type { AskedProof, SentNullification, SentProposal } from './sent-calls.ts'

/** One thing that a caller asked or sent otherwise than is right, by its name. */
export interface Difference {
  at: string
  expected: unknown
  actual: unknown
}

const INIT_DATA = 130
const PROOF_BYTES = 66
const SIGNATURE = 65
const BLOCK_AND_PARENT = 52

/** What a proposal has otherwise than the one claim that can be made; what is at the root of it comes first. */
export function differencesOfProposal(
  { transaction, gameType: type, rootClaim, extraData, initData }: SentProposal,
  right: RightProposal,
  proofs: readonly AskedProof[],
  /** Number of an L1 block, by its hash. */
  l1Numbers: ReadonlyMap<Hex, number>,
): Difference[] {
  const signature = tail(initData, SIGNATURE)
  const proof = proofBehind(signature, proofs)
  const roots = rootsIn(extraData)
  const origin = part(initData, 1, 33)
  const number = l1Numbers.get(origin)
  return list(
    differs('game type', gameType, type),
    differs('value of the transaction, against initBonds()', right.bond, transaction.value),
    differs('bytes of initData', INIT_DATA, size(initData)),
    differs('proof type, the first byte of initData', '0x00', part(initData, 0, 1)),
    differs('block in extraData', BigInt(right.end), numberIn(part(extraData, 0, 32))),
    differs('parent in extraData', right.parent, part(extraData, 32, BLOCK_AND_PARENT)),
    differs('number of roots in extraData', right.roots.length, roots.length),
    ...roots.map((root, index) =>
      differs(`roots[${index}] in extraData`, right.roots[index] ?? '(none)', root),
    ),
    differs(`rootClaim, the output root of block ${right.end}`, right.roots.at(-1), rootClaim),
    ...(proof
      ? [
          differs(
            'L1 origin in initData, against l1_head of the request',
            proof.request.l1_head,
            origin,
          ),
          ...besidesDifferences(proof),
          ...requestDifferences(proof.request, right, transaction.from),
          differs(
            'l1_head_number of the request',
            l1Numbers.get(proof.request.l1_head),
            proof.request.l1_head_number,
          ),
        ]
      : []),
    ...(number === undefined
      ? []
      : [differs('L1 number in initData', BigInt(number), numberIn(part(initData, 33, 65)))]),
    ...signatureDifferences(signature, proof, 'initData'),
  )
}

/** What a dispute has otherwise than the right one of the first wrong root. */
export function differencesOfNullification(
  { transaction, game, proofBytes, index, root }: SentNullification,
  right: RightDispute,
  proofs: readonly AskedProof[],
  l1Numbers: ReadonlyMap<Hex, number>,
): Difference[] {
  const signature = part(proofBytes, 1, PROOF_BYTES)
  const proof = proofBehind(signature, proofs)
  return list(
    differs('the game that nullify() is called on', right.game, game),
    differs('value of the transaction', 0n, transaction.value),
    differs('index, of the first wrong root', BigInt(right.index), index),
    differs(`root, the output root of block ${right.end}`, right.roots[0], root),
    differs('bytes of proofBytes', PROOF_BYTES, size(proofBytes)),
    differs('proof type, the first byte of proofBytes', '0x00', part(proofBytes, 0, 1)),
    ...(proof
      ? [
          ...besidesDifferences(proof),
          ...disputeRequestDifferences(proof.request, right, l1Numbers, transaction.from),
        ]
      : []),
    ...signatureDifferences(signature, proof, 'proofBytes'),
  )
}

/**
 * What a request of a challenger has otherwise than the right one. Hosts may do without its `l1_head_number`; a
 * ProofRequest has it (PRV-REQ-04), and the spec marks no member of it as optional.
 */
export function disputeRequestDifferences(
  request: ProofRequestJson,
  right: RightDispute,
  l1Numbers: ReadonlyMap<Hex, number>,
  sender?: Hex,
): Difference[] {
  return list(
    differs('l1_head of the request, against l1Head() of the game', right.l1Head, request.l1_head),
    ...requestDifferences(request, right, sender),
    differs(
      'l1_head_number of the request',
      l1Numbers.get(request.l1_head),
      request.l1_head_number,
    ),
  )
}

/** prover_prove takes one request, whoever asks, and nothing besides (PRV-REQ-01). */
function besidesDifferences({ besides }: AskedProof): Difference[] {
  return besides.map((each, index) => ({
    at: `params[${index + 1}] of prover_prove`,
    expected: 'nothing: it takes one request',
    actual: JSON.stringify(each),
  }))
}

/** What a request of any caller has otherwise than what its range asks for. */
export function requestDifferences(
  request: ProofRequestJson,
  right: RightRange,
  sender?: Hex,
): Difference[] {
  return list(
    ...(sender
      ? [differs('proposer of the request, against the sender', sender, request.proposer)]
      : []),
    differs('agreed_l2_output_root of the request', right.startRoot, request.agreed_l2_output_root),
    differs('agreed_l2_head_hash of the request', right.startHash, request.agreed_l2_head_hash),
    differs(
      'claimed_l2_block_number of the request',
      right.end,
      Number(request.claimed_l2_block_number),
    ),
    differs(
      'claimed_l2_output_root of the request',
      right.roots.at(-1),
      request.claimed_l2_output_root,
    ),
    differs(
      'intermediate_block_interval of the request',
      right.interval,
      Number(request.intermediate_block_interval),
    ),
    differs('image_hash of the request', right.imageHash, request.image_hash),
  )
}

/** Which signature was taken, and whether its last byte was raised (SIG-06). */
function signatureDifferences(
  signature: Hex,
  proof: AskedProof | undefined,
  where: string,
): (Difference | undefined)[] {
  if (!proof)
    return [{ at: `the signature in ${where}`, expected: 'of a proof', actual: signature }]
  const at = `the signature in ${where}, against aggregate_proposal.signature`
  const other = proof.proposals.findIndex((each) => sameRs(each.signature, signature))
  if (!sameRs(proof.aggregate.signature, signature)) {
    const actual = other >= 0 ? `that of proposals[${other}]` : signature
    return [{ at, expected: proof.aggregate.signature, actual }]
  }
  const v = numberIn(part(signature, 64, SIGNATURE))
  const given = Number(part(proof.aggregate.signature, 64, SIGNATURE))
  return [
    differs(`v of the signature in ${where}, where the host gave ${given}`, BigInt(27 + given), v),
  ]
}

/** The proof whose signature was taken, else the last one. */
function proofBehind(signature: Hex, proofs: readonly AskedProof[]): AskedProof | undefined {
  return (
    proofs.findLast(({ aggregate, proposals }) =>
      [aggregate, ...proposals].some((each) => sameRs(each.signature, signature)),
    ) ?? proofs.at(-1)
  )
}

function sameRs(one: Hex, other: Hex): boolean {
  return part(one, 0, 64) === part(other, 0, 64)
}

function differs(at: string, expected: unknown, actual: unknown): Difference | undefined {
  return expected === actual ? undefined : { at, expected, actual }
}

function list(...found: (Difference | undefined)[]): Difference[] {
  return found.filter((each) => each !== undefined)
}

/** Bytes from `start` to `end`, as many of them as there are. */
function part(bytes: Hex, start: number, end: number): Hex {
  return `0x${bytes.slice(2 + 2 * start, 2 + 2 * end)}`
}

function tail(bytes: Hex, count: number): Hex {
  return size(bytes) <= count ? bytes : slice(bytes, size(bytes) - count)
}

/** Output roots that a claim names, behind its end block and its parent. */
export const rootsIn = (extraData: Hex): Hex[] => words(extraData, BLOCK_AND_PARENT)

function words(bytes: Hex, from: number): Hex[] {
  const count = Math.max(0, Math.ceil((size(bytes) - from) / 32))
  return Array.from({ length: count }, (_, index) =>
    part(bytes, from + 32 * index, from + 32 * index + 32),
  )
}

function numberIn(bytes: Hex): bigint {
  return bytes === '0x' ? 0n : BigInt(bytes)
}
