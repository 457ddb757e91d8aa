import {
  concat,
  encodeFunctionData,
  encodePacked,
  numberToHex,
  pad,
  slice,
  zeroAddress,
} from 'viem'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { ProvableRange } from '../drivers/driver.ts'
import { readProvableRange } from '../drivers/provable-range.ts'
import { poll } from '../poll.ts'
import type { L1Call } from '../reads/simulate-on-l1.ts'
import {
  intervalsFrom,
  l1Reader,
  readVerifierContracts,
  type VerifierContracts,
} from '../reads/verifier-contracts.ts'
import { keccak256 } from '../spec/hash.ts'
import { packJournal, recoverSigner } from '../spec/journal.ts'
import { journalOf } from '../spec/journal-of.ts'
import { expectProof, type ProposalJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import { resultOf } from '../wire/json-rpc-client.ts'
import { enclaveIdentities, readIdentities } from './enclave-identities.ts'
import { type AskedProof, provableRange, rangeProof, requestFor } from './proofs.ts'

/** What TEEVerifier is asked about one proposal. */
export interface VerifiedProposal {
  proposer: Hex
  /** 65 bytes, v being 27 or 28. */
  signature: Hex
  imageHash: Hex
  /** keccak256 of the journal. */
  digest: Hex
}

export interface VerifiedProof {
  contracts: VerifierContracts
  /** One for each block. */
  proposals: VerifiedProposal[]
  /** Who signed them. */
  signer: Hex
}

/** Proposals that an enclave signed which TEEProverRegistry knows. */
export const verifiedProof: Scene<VerifiedProof> = {
  name: 'a proof for TEEVerifier',
  kind: 'observation',
  async build(t) {
    const { agreedNumber, agreedRoot, roots } = await t.scene(provableRange)
    const { request, reply } = await t.scene(rangeProof)
    const identities = readIdentities(await t.scene(enclaveIdentities))
    const contracts = await readVerifierContracts(t)
    const { proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
    const signed = proposals.map((proposal, index) => {
      const previous = roots[index - 1] ?? agreedRoot
      const journal = journalOf(request, proposal, {
        start: agreedNumber + index,
        previous,
        roots: [],
      })
      for (const { signer, imageHash } of identities) {
        const bytes = packJournal({ ...journal, teeImageHash: imageHash })
        if (recoverSigner(bytes, proposal.signature) === signer)
          return { signer, imageHash, digest: keccak256(bytes), signature: proposal.signature }
      }
      return cannotJudge('A per-block signature fits no journal, so no verifier can take it.')
    })
    const { signer } = signed[0]!
    const isKnown = await l1Reader(t).readContract({
      address: contracts.registry,
      abi: teeProverRegistryAbi,
      functionName: 'isValidSigner',
      args: [signer],
    })
    if (!isKnown) notApplicable(`TEEProverRegistry knows no valid signer ${signer} of the prover.`)
    return {
      contracts,
      signer,
      proposals: signed.map(({ imageHash, digest, signature }) => ({
        proposer: request.proposer,
        signature: forL1(signature),
        imageHash,
        digest,
      })),
    }
  },
}

/** v raised to 27 or 28, as contracts take it (SIG-06). */
function forL1(signature: Hex): Hex {
  const v = Number.parseInt(signature.slice(-2), 16)
  return concat([slice(signature, 0, 64), numberToHex(v < 27 ? v + 27 : v, { size: 1 })])
}

/** The question whether TEEVerifier takes a proposal. */
export function verifyCall(
  { verifier, owner }: VerifierContracts,
  asked: VerifiedProposal,
): L1Call {
  const { proposer, signature, imageHash, digest } = asked
  const args = [concat([proposer, signature]), imageHash, digest] as const
  const data = encodeFunctionData({ abi: teeVerifierAbi, functionName: 'verify', args })
  return { from: owner, to: verifier, data }
}

/** Lists an account as proposer, which TEEVerifier asks for too. */
export function listProposer({ registry, owner }: VerifierContracts, proposer: Hex): L1Call {
  const args = [proposer, true] as const
  const data = encodeFunctionData({
    abi: teeProverRegistryAbi,
    functionName: 'setProposer',
    args,
  })
  return { from: owner, to: registry, data }
}

/** Takes a signer off the registry. */
export function deregister({ registry, owner }: VerifierContracts, signer: Hex): L1Call {
  const args = [signer] as const
  const data = encodeFunctionData({
    abi: teeProverRegistryAbi,
    functionName: 'deregisterSigner',
    args,
  })
  return { from: owner, to: registry, data }
}

/** A game that L1 would take next: after the anchor, and after what was claimed since. */
export interface NextGame {
  contracts: VerifierContracts
  range: ProvableRange
  intermediateBlockInterval: number
  extraData: Hex
}

const PATIENCE = 60_000

export const nextGame: Scene<NextGame> = {
  name: 'the next game',
  kind: 'fact',
  async build(t) {
    const contracts = await readVerifierContracts(t)
    const { anchors, factory, gameType } = contracts
    const { readContract } = l1Reader(t)
    const anchor = await readContract({
      address: anchors,
      abi: anchorStateRegistryAbi,
      functionName: 'getStartingAnchorRoot',
    })
    let start = Number(anchor.l2SequenceNumber)
    for (let parent = anchors; ; ) {
      const { blockInterval, intermediateBlockInterval } = await intervalsFrom(t, contracts, start)
      const range = await safeRange(t, start, blockInterval)
      const extraData = extraDataOf(intermediateBlockInterval, parent, range)
      const [game] = await readContract({
        address: factory,
        abi: disputeGameFactoryAbi,
        functionName: 'games',
        args: [gameType, range.roots.at(-1)!, extraData],
      })
      if (game === zeroAddress) return { contracts, range, intermediateBlockInterval, extraData }
      parent = game
      start += blockInterval
    }
  },
}

/** The blocks after `start`, once their batches are on L1. */
async function safeRange(t: CaseContext, start: number, blocks: number): Promise<ProvableRange> {
  const { rpc, l1, clock, signal } = t
  const isSafe = await poll({ clock, signal, every: 200, within: PATIENCE }, async () => {
    const safe = (await rpc.result('eth_getBlockByNumber', ['safe', false])) as { number: Hex }
    return Number(safe.number) >= start + blocks || undefined
  })
  if (!isSafe) cannotJudge(`L2 has no ${blocks} safe blocks after ${start}, the length of a game.`)
  return readProvableRange({
    l2: (method, params) => rpc.result(method, params),
    l1: (method, params) => l1.result(method, params),
    start,
    blocks,
  })
}

/** L2 block, parent game, intermediate roots: the game's own order. */
function extraDataOf(
  intermediateBlockInterval: number,
  parent: Hex,
  { agreedNumber, roots }: ProvableRange,
): Hex {
  const sampled = roots.filter((_, index) => (index + 1) % intermediateBlockInterval === 0)
  const end = BigInt(agreedNumber + roots.length)
  return encodePacked(['uint256', 'address', 'bytes32[]'], [end, parent, sampled])
}

/** The proof of the next game. */
export const nextGameProof: Scene<AskedProof> = {
  name: 'proof: the next game',
  kind: 'observation',
  async build(t) {
    const { range, intermediateBlockInterval } = await t.scene(nextGame)
    await t.scene(rangeProof).catch(() => undefined)
    const request = {
      ...requestFor(range),
      intermediate_block_interval: intermediateBlockInterval,
    }
    return { request, reply: await t.prover.call('prover_prove', [request]) }
  },
}

/** What creates the game, from whoever sends it. */
export function createCall(game: NextGame, aggregate: ProposalJson, from: Hex): L1Call {
  const origin = numberToHex(aggregate.l1_origin_number, { size: 32 })
  const proof = [aggregate.l1_origin_hash, origin, forL1(aggregate.signature)]
  return creation(game, concat([TEE_PROOF, ...proof]), from)
}

/** The same without a proof: what looks at the claim itself still does. */
export function unprovenCall(game: NextGame, from: Hex): L1Call {
  return creation(game, concat([TEE_PROOF, pad('0x', { size: PROOF_BYTES })]), from)
}

function creation({ contracts, range, extraData }: NextGame, initData: Hex, from: Hex): L1Call {
  const data = encodeFunctionData({
    abi: disputeGameFactoryAbi,
    functionName: 'createWithInitData',
    args: [contracts.gameType, range.roots.at(-1)!, extraData, initData],
  })
  return { from, to: contracts.factory, data, value: contracts.bond }
}

/** `ProofType.TEE` of AggregateVerifier. */
const TEE_PROOF: Hex = '0x00'
/** Hash and number of the L1 origin, and a signature. */
const PROOF_BYTES = 32 + 32 + 65
