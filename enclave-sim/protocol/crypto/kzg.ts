import { bls12_381 } from '@noble/curves/bls12-381.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'

/**
 * [τ]₂ of Ethereum's KZG ceremony (consensus-specs, trusted_setup_4096.json, g2_monomial[1]):
 * together with the generators it is all that verifying one point needs.
 */
const TAU_G2 =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

let pointVerifier: KZG | undefined
let blobVerifier: KZG | undefined

/** EIP-4844 verify_kzg_proof: whether the polynomial behind `commitment` is y at z. 0x hex. */
export function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  pointVerifier ??= createVerifier(2)
  return pointVerifier.verifyProof(commitment, z, y, proof)
}

/** A blob of 131,072 bytes, with a commitment and a proof of 48. */
interface ProvenBlob {
  blob: Uint8Array
  commitment: Uint8Array
  proof: Uint8Array
}

/**
 * EIP-4844 verify_blob_kzg_proof_batch: whether each commitment is that of its blob. Some 20 ms for
 * one, 10 each for many; it needs no trusted setup of 4096 points, which committing anew would.
 * @returns false for anything malformed
 */
export function verifyBlobProofs(blobs: readonly ProvenBlob[]): boolean {
  blobVerifier ??= createVerifier(4096)
  const hexOf = (part: keyof ProvenBlob) => blobs.map((each) => bytesToHex(each[part]))
  return blobVerifier.verifyBlobProofBatch(hexOf('blob'), hexOf('commitment'), hexOf('proof'))
}

/** @param size of the polynomials; the library tells it by the length of a basis */
function createVerifier(size: number): KZG {
  const g1 = bls12_381.G1.Point.BASE.toAffine()
  const g2 = bls12_381.G2.Point.BASE
  const tau = bls12_381.G2.Point.fromHex(TAU_G2.slice(2))
  // A stand-in for the Lagrange basis, which only commitments to blobs use.
  const basis = new Array<string>(size).fill(`0x${g1.x.toString(16)} 0x${g1.y.toString(16)}`)
  return new KZG({
    encoding: 'fast_v1',
    g1_lagrange: basis,
    g2_monomial: [affine(g2), affine(tau)],
  })
}

/** A point as the library's encoding of prepared setups has it. */
function affine(point: typeof bls12_381.G2.Point.BASE): string {
  const { x, y } = point.toAffine()
  return [x, y].map(({ c0, c1 }) => `${c0.toString(16)},${c1.toString(16)}`).join(' ')
}
