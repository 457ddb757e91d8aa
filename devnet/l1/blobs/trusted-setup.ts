import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { SetupData } from 'micro-eth-signer/kzg.js'
import { KZG_CACHE, keepFile, VIEM_FOLDER } from './kept-points.ts'

const { G1, G2 } = bls12_381

/** The library's form for points that need no more checks: affine, in hex. */
type PreparedSetup = SetupData & { encoding: 'fast_v1' }

/**
 * Ethereum's KZG trusted setup, as far as commitments and proofs of blobs need it. To unpack and
 * check its 4096 points takes seconds, so that is done once per installation and kept under
 * node_modules/.cache/rollbed.
 */
export function trustedSetup(): PreparedSetup {
  const file = readFileSync(join(VIEM_FOLDER, 'trusted-setups/mainnet.json'))
  const name = createHash('sha256').update(file).digest('hex').slice(0, 32)
  const cache = join(KZG_CACHE, `${name}.json`)
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8'))

  const prepared = prepare(JSON.parse(file.toString()))
  keepFile(cache, JSON.stringify(prepared))
  return prepared
}

function prepare({ g1_lagrange, g2_monomial }: SetupData): PreparedSetup {
  return {
    encoding: 'fast_v1',
    g1_lagrange: g1_lagrange.map((point) => {
      const { x, y } = G1.Point.fromHex(point.slice(2)).toAffine()
      return `0x${x.toString(16)} 0x${y.toString(16)}`
    }),
    // The library wants two; blobs are verified elsewhere.
    g2_monomial: g2_monomial.slice(0, 2).map((point) => {
      const { x, y } = G2.Point.fromHex(point.slice(2)).toAffine()
      return [x, y].map(({ c0, c1 }) => `${c0.toString(16)},${c1.toString(16)}`).join(' ')
    }),
  }
}
