import { bls12_381 } from '@noble/curves/bls12-381.js'
import { KZG } from 'micro-eth-signer/kzg.js'

/**
 * [τ]₂ of Ethereum's KZG ceremony (consensus-specs, trusted_setup_4096.json, g2_monomial[1]):
 * together with the generators it is all that verifying one point needs.
 */
const TAU_G2 =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

let verifier: KZG | undefined

/** EIP-4844 verify_kzg_proof: whether the polynomial behind `commitment` is y at z. 0x hex. */
export function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  verifier ??= createVerifier()
  return verifier.verifyProof(commitment, z, y, proof)
}

function createVerifier(): KZG {
  const g1 = `0x${bls12_381.G1.Point.BASE.toHex(true)}`
  const g2 = `0x${bls12_381.G2.Point.BASE.toHex(true)}`
  // The library wants a Lagrange basis, which only commitments to blobs use.
  return new KZG({ g1_lagrange: [g1, g1], g2_monomial: [g2, TAU_G2] })
}
