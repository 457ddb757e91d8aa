import { z } from 'zod'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { ProfileValues } from '#devnet/l2/node/rpc/profile-differences'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { ProofRequest, Proposal, TeeProof } from '#protocol/proof/types'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

/**
 * The JSON of prover_prove and enclave_*: hashes, addresses and signatures are hex strings, u64 are
 * plain JSON numbers, raw byte vectors are arrays of numbers (OPEN-57…59).
 */

const byte = z.number().int().min(0).max(255)

/** Bytes as an array of numbers; hex strings are our extension (OPEN-57…59). */
const byteVector = z.union([
  z.array(byte).transform((bytes) => Uint8Array.from(bytes)),
  z
    .string()
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/)
    .transform((hex) => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'))),
])

/** `length` bytes as hex in any case, with or without 0x, or as an array of numbers. */
function fixedBytes(length: number) {
  return byteVector.refine((bytes) => bytes.length === length).transform(bytesToHex)
}

const hash = fixedBytes(32)
const u64 = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).transform(BigInt)
const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`

const proofRequest = z.object({
  l1_head: hash,
  agreed_l2_head_hash: hash,
  agreed_l2_output_root: hash,
  claimed_l2_output_root: hash,
  claimed_l2_block_number: u64,
  proposer: fixedBytes(20).optional(),
  intermediate_block_interval: u64.optional(),
  /** Left out: the number of `l1_head` (PRV-REQ-04). */
  l1_head_number: u64.nullish(),
  image_hash: hash.default(ZERO_HASH),
  /** Where journals name a schedule; left out: the claimed block. */
  schedule_l2_block_number: u64.nullish(),
})

function toProofRequest(json: z.infer<typeof proofRequest>): ProofRequest {
  return {
    l1Head: json.l1_head,
    l1HeadNumber: json.l1_head_number ?? undefined,
    agreedL2HeadHash: json.agreed_l2_head_hash,
    agreedL2OutputRoot: json.agreed_l2_output_root,
    claimedL2OutputRoot: json.claimed_l2_output_root,
    claimedL2BlockNumber: json.claimed_l2_block_number,
    proposer: json.proposer ?? ZERO_ADDRESS,
    intermediateBlockInterval: json.intermediate_block_interval ?? 0n,
    imageHash: json.image_hash,
    scheduleL2BlockNumber: json.schedule_l2_block_number ?? undefined,
  }
}

const attestationParams = z
  .object({
    user_data: byteVector.nullish(),
    userData: byteVector.nullish(),
    nonces: z.array(byteVector).nullish(),
  })
  .transform((json) => ({
    userData: json.user_data ?? json.userData ?? undefined,
    nonces: json.nonces ?? undefined,
  }))

export interface AttestationParams {
  userData: Uint8Array | undefined
  nonces: Uint8Array[] | undefined
}

/**
 * `[request]` or `{"request": request}`. Without `proposer` nobody could submit the proof (PRV-REQ-08), and
 * without `intermediate_block_interval` nobody said which roots the aggregate holds (PRV-REQ-09): refused,
 * but by deployed hosts (profile base), which take both for zero.
 * @throws JsonRpcError -32602
 */
export function parseProofRequest(params: RpcParams, profile: ProfileValues): ProofRequest {
  const named = isPositional(params) ? { request: params[0] } : params
  const required = [
    ...(profile.proofWithoutProposer === 'refused' ? (['proposer'] as const) : []),
    ...(profile.proofWithoutInterval === 'refused'
      ? (['intermediate_block_interval'] as const)
      : []),
  ]
  const schema = proofRequest.superRefine((json, { addIssue }) => {
    for (const name of required)
      if (json[name] === undefined) addIssue({ code: 'custom', path: [name], message: 'Required' })
  })
  return parse(z.object({ request: schema.transform(toProofRequest) }), named ?? {}).request
}

/** `[user_data, nonces]`, by name, or nothing at all. @throws JsonRpcError -32602 */
export function parseAttestationParams(params: RpcParams): AttestationParams {
  const named = isPositional(params) ? { user_data: params[0], nonces: params[1] } : params
  return parse(attestationParams, named ?? {})
}

export type ProofRequestJson = ReturnType<typeof proofRequestJson>

/** The request as a caller sends it. */
export function proofRequestJson(request: ProofRequest) {
  return {
    l1_head: request.l1Head,
    agreed_l2_head_hash: request.agreedL2HeadHash,
    agreed_l2_output_root: request.agreedL2OutputRoot,
    claimed_l2_output_root: request.claimedL2OutputRoot,
    claimed_l2_block_number: Number(request.claimedL2BlockNumber),
    proposer: request.proposer,
    intermediate_block_interval: Number(request.intermediateBlockInterval),
    ...(request.l1HeadNumber !== undefined && { l1_head_number: Number(request.l1HeadNumber) }),
    image_hash: request.imageHash,
    ...(request.scheduleL2BlockNumber !== undefined && {
      schedule_l2_block_number: Number(request.scheduleL2BlockNumber),
    }),
  }
}

export interface ProposalJson {
  output_root: Hash
  signature: Hex
  l1_origin_hash: Hash
  l1_origin_number: number
  l2_block_number: number
  prev_output_root: Hash
  config_hash: Hash
  /** Where journals name a schedule. */
  schedule_id?: Hash
}

/** ProofResult, tagged by its variant (PRV-RES-01). */
export interface ProofResultJson {
  Tee: { aggregate_proposal: ProposalJson; proposals: ProposalJson[] }
}

export function proofResultJson(proof: TeeProof): ProofResultJson {
  return {
    Tee: {
      aggregate_proposal: proposalJson(proof.aggregateProposal),
      proposals: proof.proposals.map(proposalJson),
    },
  }
}

function proposalJson(proposal: Proposal): ProposalJson {
  return {
    output_root: proposal.outputRoot,
    signature: proposal.signature,
    l1_origin_hash: proposal.l1OriginHash,
    l1_origin_number: Number(proposal.l1OriginNumber),
    l2_block_number: Number(proposal.l2BlockNumber),
    prev_output_root: proposal.prevOutputRoot,
    config_hash: proposal.configHash,
    ...(proposal.scheduleId && { schedule_id: proposal.scheduleId }),
  }
}

function isPositional(params: RpcParams): params is readonly unknown[] {
  return Array.isArray(params)
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.join('.')
  throw new JsonRpcError(-32602, 'Invalid params', `${where || 'params'}: ${issue?.message}`)
}
