import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concat, hexToBytes, numberToBytes, toHex } from 'viem'
import { addressOfKey, keccak256, keccak256Bytes } from '../spec/hash.ts'
import { type Journal, packJournal, sampleRoots } from '../spec/journal.ts'
import { journalOf } from '../spec/journal-of.ts'
import type { ProofRequestJson, ProposalJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'

/** A key of the gate's own: it signs as an enclave would, and the world's registry holds it valid. */
const KEY = keccak256Bytes(new TextEncoder().encode('rollbed gate: an enclave that signs again'))
const PUBLIC_KEY = secp256k1.getPublicKey(KEY, false)
const MOST_TRIES = 128

/** Its address, in lower case. */
export const STAND_IN: Hex = addressOfKey(PUBLIC_KEY)

/** As enclave_signerPublicKey answers. */
export const STAND_IN_PUBLIC_KEYS: readonly (readonly number[])[] = [[...PUBLIC_KEY]]

/** Last byte of a signature as an enclave gives it. */
export type Parity = 0 | 1

interface Tee {
  aggregate_proposal: ProposalJson
  proposals: ProposalJson[]
}

/**
 * A proof signed by the stand-in instead of the enclave that made it: every signature ends in the parity asked
 * for, and all else is as it was. Which one an enclave's signature ends in is chance, and a caller has to
 * handle both.
 */
export function signAgain(
  tee: Tee,
  request: ProofRequestJson,
  { imageHash, parity }: { imageHash: Hex; parity: Parity },
): Tee {
  const roots = tee.proposals.map(({ output_root }) => output_root)
  const signed = (proposal: ProposalJson, journal: Omit<Journal, 'teeImageHash'>) => {
    return { ...proposal, signature: sign({ ...journal, teeImageHash: imageHash }, parity) }
  }
  const proposals = tee.proposals.map((proposal, index) => {
    const previous = roots[index - 1] ?? request.agreed_l2_output_root
    const range = { start: proposal.l2_block_number - 1, previous, roots: [] }
    return signed(proposal, journalOf(request, proposal, range))
  })
  const [first] = proposals
  // Of one block the aggregate is the proposal (PRV-PROP-08).
  if (!first || proposals.length === 1)
    return { aggregate_proposal: first ?? tee.aggregate_proposal, proposals }
  const aggregate = tee.aggregate_proposal
  const range = {
    start: first.l2_block_number - 1,
    previous: request.agreed_l2_output_root,
    roots: sampleRoots(roots, request.intermediate_block_interval),
  }
  return { aggregate_proposal: signed(aggregate, journalOf(request, aggregate, range)), proposals }
}

/** Other entropy gives another nonce, and so a signature of the same journal that ends otherwise. */
function sign(journal: Journal, parity: Parity): Hex {
  const hash = hexToBytes(keccak256(packJournal(journal)))
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const extraEntropy = numberToBytes(tries, { size: 32 })
    const options = { prehash: false, format: 'recovered', extraEntropy } as const
    const [recovery, ...rs] = secp256k1.sign(hash, KEY, options)
    if (recovery === parity) return concat([toHex(Uint8Array.from(rs)), toHex(parity, { size: 1 })])
  }
  throw new Error(`no signature of ${MOST_TRIES} ends in ${parity}`)
}
