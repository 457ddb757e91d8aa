import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Address, concatHex, type Hex, hexToBytes, keccak256, numberToHex, slice } from 'viem'
import type { ChainConfig, ProofAsked, ProposalSeen, TeeProofSeen } from './events-of.ts'
import type { KnownBlock, L2Tree } from './l2-tree.ts'

/** What a proof is held to, beside the request. */
export interface ProofTruth {
  tree: L2Tree
  /** Of the chain's configuration. */
  configHash: Hex
  /** Who may have signed it, with what each measures as. */
  signers: readonly { signer: Address; imageHash: Hex }[]
}

const ZERO = numberToHex(0, { size: 32 })

/** What a block's output root is, by its header. OP specification, Proposals, version 0. */
export function outputRootOf({ header, hash }: KnownBlock): Hex | undefined {
  if (!header?.stateRoot || !header.withdrawalsRoot) return undefined
  return keccak256(concatHex([ZERO, header.stateRoot, header.withdrawalsRoot, hash]))
}

/**
 * What is wrong with any member of a proof, by the request and by the blocks that clients were told: each journal
 * is put together anew, and its signature opened.
 * @returns ends of sentences
 */
export function proofProblems(
  request: ProofAsked,
  { aggregate_proposal: aggregate, proposals }: TeeProofSeen,
  truth: ProofTruth,
): string[] {
  const blocks = blocksOf(request, truth.tree)
  // Nobody was told of them.
  if (!blocks) return []
  const roots = blocks.map(outputRootOf)
  if (roots.includes(undefined)) return []
  const [agreed, ...proven] = roots as [Hex, ...Hex[]]
  if (proposals.length !== proven.length)
    return [`has ${proposals.length} proposals for ${proven.length} blocks.`]
  const first = blocks[0]!.number
  const one = (index: number): Range => ({
    ...{ start: first + index, from: roots[index]!, to: roots[index + 1]!, end: first + index + 1 },
    sampled: [],
  })
  const whole: Range = {
    ...{ start: first, from: agreed, to: proven.at(-1)!, end: first + proven.length },
    sampled: sampledOf(proven, request.intermediate_block_interval),
  }
  const parts = proposals.map((proposal, index) => [`part ${index}`, proposal, one(index)] as const)
  return [...parts, ['the aggregate', aggregate, whole] as const].flatMap(
    ([name, proposal, range]) =>
      proposalProblems(request, proposal, range, truth).map(
        (problem) => `has in ${name} ${problem}`,
      ),
  )
}

/** From the one that is agreed on to the one that is claimed. */
function blocksOf(request: ProofAsked, tree: L2Tree): KnownBlock[] | undefined {
  const agreed = tree.blocks.get(request.agreed_l2_head_hash)
  const ends = [...tree.blocks.values()].filter(
    ({ number }) => number === request.claimed_l2_block_number,
  )
  for (const end of ends) {
    const path: KnownBlock[] = []
    for (const block of tree.backFrom(end.hash)) {
      path.unshift(block)
      if (block.hash !== agreed?.hash) continue
      if (outputRootOf(end) === request.claimed_l2_output_root) return path
      break
    }
  }
  return undefined
}

interface Range {
  start: number
  end: number
  /** Output roots before and after it. */
  from: Hex
  to: Hex
  sampled: readonly Hex[]
}

/** After each interval; a range of one block has none. */
const sampledOf = (roots: readonly Hex[], interval: number): Hex[] =>
  roots.length > 1 ? roots.filter((_, index) => (index + 1) % interval === 0) : []

function proposalProblems(
  request: ProofAsked,
  proposal: ProposalSeen,
  range: Range,
  { configHash, signers }: ProofTruth,
): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['an output root', proposal.output_root, range.to],
    ['a root before it', proposal.prev_output_root, range.from],
    ['a block number', proposal.l2_block_number, range.end],
    ['an L1 origin', proposal.l1_origin_hash, request.l1_head],
    ['an L1 number', proposal.l1_origin_number, request.l1_head_number],
    ['a configuration', proposal.config_hash, configHash],
  ]
  const wrong = pairs
    .filter(([, is, right]) => is !== right)
    .map(([name, is, right]) => `${name} of ${is}, not ${right}.`)
  const isSigned = [...Map.groupBy(signers, ({ imageHash }) => imageHash)].some(([image, own]) => {
    const by = openedBy(journalOf(request, range, configHash, image), proposal.signature)
    return own.some(({ signer }) => signer.toLowerCase() === by)
  })
  return isSigned ? wrong : [...wrong, 'a signature of nobody who may sign for it.']
}

/** Packed, with numbers of eight bytes (JRN-01 to JRN-11). */
function journalOf(
  { proposer, l1_head }: ProofAsked,
  { start, end, from, to, sampled }: Range,
  configHash: Hex,
  imageHash: Hex,
): Hex {
  const number = (value: number) => numberToHex(value, { size: 8 })
  const before = [proposer, l1_head, from, number(start), to, number(end)]
  return concatHex([...before, ...sampled, configHash, imageHash])
}

/** Who signed it: r, s and whether y is odd. */
function openedBy(journal: Hex, signature: Hex): Hex | undefined {
  try {
    const parsed = secp256k1.Signature.fromBytes(hexToBytes(slice(signature, 0, 64)), 'compact')
    const isOdd = Number(slice(signature, 64, 65))
    const key = parsed.addRecoveryBit(isOdd).recoverPublicKey(hexToBytes(keccak256(journal)))
    return slice(keccak256(key.toBytes(false).slice(1)), 12)
  } catch {
    return undefined
  }
}

/** 212 bytes of what a chain begins with, and their hash (PRV-PROP-07). */
export function configHashOf(config: ChainConfig): Hex {
  const number = (value: number | Hex, size: number) => numberToHex(BigInt(value), { size })
  return keccak256(
    concatHex([
      ...[number(0, 8), number(config.chainId, 32), config.l1Hash, config.l2Hash],
      ...[number(config.l2Time, 8), config.batcher, config.scalar, number(config.gasLimit, 8)],
      ...[config.portal, config.systemConfig],
    ]),
  )
}
