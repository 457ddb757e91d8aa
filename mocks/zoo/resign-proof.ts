/** Signs proofs again, as enclaves with one mistake would. */
import { decode } from 'cborg'
import { concat, keccak256, numberToHex, pad, toHex } from 'viem'
import { sign } from 'viem/accounts'
import type { JsonObject, MutantContext } from './mutant.ts'

export type Hex = `0x${string}`

/** A key of the zoo's own: an enclave that signs wrongly is still an enclave with a key. */
export const KEY: Hex = keccak256(toHex('rollbed zoo'))

/** What an enclave knows when it signs; `pack` of a mutant gets one thing wrong. */
export interface Signed {
  proposer: Hex
  l1OriginHash: Hex
  prevOutputRoot: Hex
  start: bigint
  outputRoot: Hex
  end: bigint
  roots: readonly Hex[]
  configHash: Hex
  imageHash: Hex
  isAggregate: boolean
  allRoots: readonly Hex[]
  requestedImageHash: Hex
}

export const u64 = (value: bigint) => numberToHex(value, { size: 8 })
export const word = (value: bigint) => numberToHex(value, { size: 32 })

export function pack(j: Signed): Hex {
  return concat([
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ])
}

export interface Enclave {
  pack?: (journal: Signed) => Hex
  /** Changes the signature bytes. */
  signature?: (signature: Hex, journal: Signed) => Hex
  hash?: (bytes: Hex) => Hex
  /** Signs the aggregate with another key. */
  otherKeyForAggregate?: boolean
  /** Signs with a key that enclave_signerPublicKey does not name. */
  hidesKey?: boolean
}

export interface Request {
  proposer: Hex
  l1_head: Hex
  agreed_l2_output_root: Hex
  intermediate_block_interval: number
  image_hash: Hex
}

export interface Tee {
  aggregate_proposal: JsonObject
  proposals: (JsonObject & { output_root: Hex; l2_block_number: number; config_hash: Hex })[]
}

/** Signs a proof again as an enclave with one mistake would have. */
export async function resign(tee: Tee, request: Request, context: MutantContext, enclave: Enclave) {
  const imageHash = await imageHashOf(context)
  const allRoots = tee.proposals.map((proposal) => proposal.output_root)
  const first = tee.proposals[0]!
  const last = tee.proposals.at(-1)!
  const common = {
    proposer: request.proposer,
    l1OriginHash: request.l1_head,
    configHash: first.config_hash,
    imageHash,
    allRoots,
    requestedImageHash: request.image_hash,
  }
  const proposals = await Promise.all(
    tee.proposals.map(async (proposal, index) => {
      const journal: Signed = {
        ...common,
        prevOutputRoot: allRoots[index - 1] ?? request.agreed_l2_output_root,
        start: BigInt(proposal.l2_block_number) - 1n,
        outputRoot: proposal.output_root,
        end: BigInt(proposal.l2_block_number),
        roots: [],
        isAggregate: false,
      }
      return { ...proposal, signature: await signJournal(journal, enclave) }
    }),
  )
  if (proposals.length === 1) return { aggregate_proposal: proposals[0], proposals }
  const interval = request.intermediate_block_interval
  const aggregate: Signed = {
    ...common,
    prevOutputRoot: request.agreed_l2_output_root,
    start: BigInt(first.l2_block_number) - 1n,
    outputRoot: last.output_root,
    end: BigInt(last.l2_block_number),
    roots: allRoots.filter((_, index) => (index + 1) % interval === 0),
    isAggregate: true,
  }
  const signature = await signJournal(aggregate, enclave)
  return { aggregate_proposal: { ...tee.aggregate_proposal, signature }, proposals }
}

async function signJournal(journal: Signed, enclave: Enclave): Promise<Hex> {
  const bytes = (enclave.pack ?? pack)(journal)
  const hash = (enclave.hash ?? keccak256)(bytes)
  const other = enclave.otherKeyForAggregate && journal.isAggregate
  const { r, s, yParity } = await sign({ hash, privateKey: other ? keccak256(KEY) : KEY })
  const signature = concat([pad(r), pad(s), numberToHex(yParity ?? 0, { size: 1 })])
  return enclave.signature?.(signature, journal) ?? signature
}

async function imageHashOf({ ask }: MutantContext): Promise<Hex> {
  const documents = (await ask('enclave_signerAttestation', [null, null])) as number[][] | null
  if (!documents?.[0]) return word(0n)
  const options = { useMaps: true, allowIndefinite: true }
  const parts = decode(Uint8Array.from(documents[0]), options) as Uint8Array[]
  const payload = decode(parts[2]!, options) as Map<string, Map<number, Uint8Array>>
  return keccak256(payload.get('pcrs')!.get(0)!)
}
