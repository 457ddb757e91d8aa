import { crc32 } from 'node:zlib'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { BEACON_ROOTS, HISTORY_STORAGE } from '#protocol/execution/predeploys'
import type { Address } from '#protocol/types/bytes'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { firstBlock } from '../../selector/find-block.ts'

/** Under their names of EIP-7910, from address 1 on; P256VERIFY stands apart (OP spec, Fjord). */
const PRECOMPILES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
]
const P256_VERIFY = 0x100

/**
 * `eth_config []` → the fork that rules the chain, since its genesis and for good (EIP-7910). L2 has no
 * blobs, so there is no blob schedule.
 */
export const ethConfig: NodeMethod = (rpc) => {
  const { chain } = rpc
  const { hash, header } = firstBlock(rpc)!
  const precompiles = [
    ...PRECOMPILES.map((name, index) => [name, at(index + 1)]),
    ['P256VERIFY', at(P256_VERIFY)],
  ]
  const current = {
    activationTime: Number(header.timestamp),
    blobSchedule: null,
    chainId: toQuantity(chain.chainId),
    // EIP-2124: forks that a chain has from its genesis on do not count.
    forkId: `0x${crc32(hexToBytes(hash)).toString(16).padStart(8, '0')}`,
    precompiles: Object.fromEntries(precompiles),
    systemContracts: {
      BEACON_ROOTS_ADDRESS: BEACON_ROOTS,
      HISTORY_STORAGE_ADDRESS: HISTORY_STORAGE,
    },
  }
  return { current, next: null, last: null }
}

function at(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}
