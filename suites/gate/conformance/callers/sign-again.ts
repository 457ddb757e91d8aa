import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  bytesToBigInt,
  concat,
  encodePacked,
  hexToBytes,
  numberToBytes,
  toHex,
  zeroHash,
} from 'viem'
import { addressOfKey, keccak256, keccak256Bytes } from '../spec/hash.ts'
import { type Journal, packJournal, sampleRoots } from '../spec/journal.ts'
import { journalOf } from '../spec/journal-of.ts'
import type { ProofRequestJson, ProposalJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'

/** A key of the gate's own: it signs as an enclave would, and the world's registry holds it valid. */
const KEY = keccak256Bytes(new TextEncoder().encode('rollbed gate: an enclave that signs again'))
const PUBLIC_KEY = secp256k1.getPublicKey(KEY, false)
/** Of an enclave before it, whose signer nobody registered: hosts go on to the next. */
const UNREGISTERED = keccak256Bytes(new TextEncoder().encode('rollbed gate: not registered'))
const MOST_TRIES = 128
const { Fn, BASE } = secp256k1.Point
/** The first nonces whose r begins with a zero byte: one in 256 does. */
const SHORT_NONCES = [
  153, 246, 886, 1158, 1417, 1436, 1661, 1690, 1700, 2176, 2302, 2408, 2494, 3008, 3944, 3999,
].map(BigInt)

/** Its address, in lower case. */
export const STAND_IN: Hex = addressOfKey(PUBLIC_KEY)

/** As enclave_signerPublicKey answers: of two enclaves the second signs. */
export const STAND_IN_PUBLIC_KEYS: readonly (readonly number[])[] = [
  [...secp256k1.getPublicKey(UNREGISTERED, false)],
  [...PUBLIC_KEY],
]

/** Last byte of a signature as an enclave gives it. */
export type Parity = 0 | 1

/** Who signs in the stead of the enclave: a key that L1 holds valid for this image alone. */
export interface StandIn {
  imageHash: Hex
  parity: Parity
}

/** L1 has another image: it takes the signature for one of somebody whom nobody registered. */
export const NO_LONGER_VALID: StandIn = { imageHash: zeroHash, parity: 0 }

interface Tee {
  aggregate_proposal: ProposalJson
  proposals: ProposalJson[]
}

/**
 * A proof signed by the stand-in instead of the enclave that made it: every signature ends in the parity asked
 * for, that of the aggregate begins with a zero byte, and all else is as it was. Which parity an enclave's signature
 * ends in is chance, one in 256 begins with a zero, and a caller has to handle them all.
 */
export function signAgain(
  tee: Tee,
  request: ProofRequestJson,
  { imageHash, parity }: StandIn,
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
  if (journal.intermediateRoots.length > 0) return signShort(hash, parity)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const extraEntropy = numberToBytes(tries, { size: 32 })
    const options = { prehash: false, format: 'recovered', extraEntropy } as const
    const [recovery, ...rs] = secp256k1.sign(hash, KEY, options)
    if (recovery === parity) return concat([toHex(Uint8Array.from(rs)), toHex(parity, { size: 1 })])
  }
  throw new Error(`no signature of ${MOST_TRIES} ends in ${parity}`)
}

/** ECDSA by a nonce of the list (SEC 1, 4.1.3), with the lower of the two s. */
function signShort(hash: Uint8Array, parity: Parity): Hex {
  for (const nonce of SHORT_NONCES) {
    const { x: r, y } = BASE.multiply(nonce).toAffine()
    const signed = Fn.add(bytesToBigInt(hash), Fn.mul(r, bytesToBigInt(KEY)))
    const s = Fn.div(signed, nonce)
    const isHigh = s > Fn.ORDER / 2n
    if (Number(y & 1n) === (isHigh ? 1 - parity : parity))
      return encodePacked(['uint256', 'uint256', 'uint8'], [r, isHigh ? Fn.neg(s) : s, parity])
  }
  throw new Error(`no nonce of ${SHORT_NONCES.length} gives a signature that ends in ${parity}`)
}
