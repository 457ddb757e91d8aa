import { crc32 } from 'node:zlib'
import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { BEACON_ROOTS, HISTORY_STORAGE } from '#protocol/execution/predeploys'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { rulesAt } from '#protocol/upgrades/schedule'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
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

/** A fork that changes something that EIP-7910 lists. */
interface ListedFork {
  /** Unix, seconds. */
  time: number
  hasOsakaEvm: boolean
}

/**
 * `eth_config []` → the fork that rules the newest block, and the next and the last of those to come
 * (EIP-7910); null where none is known. L2 has no blobs: there is no blob schedule, and from Azul on one
 * of zeros, as at base-reth-node.
 */
export const ethConfig: NodeMethod = (rpc) => {
  const forks = listedForks(rpc)
  const now = Number(rpc.chain.latest().header.timestamp)
  const current = forks.findLastIndex(({ time }, index) => index === 0 || time <= now)
  const show = (index: number) => (forks[index] ? forkJson(rpc, forks, index) : null)
  const hasNext = current + 1 < forks.length
  return {
    current: show(current),
    next: show(current + 1),
    last: hasNext ? show(forks.length - 1) : null,
  }
}

/** That of the genesis block first. */
function listedForks(rpc: NodeRpc): ListedFork[] {
  const { upgrades = {} } = rpc.config
  const start = Number(firstBlock(rpc)!.header.timestamp)
  const later = Object.values(upgrades).filter((time) => typeof time === 'number' && time > start)
  const times = [start, ...(later as number[]).sort((a, b) => a - b)]
  return times
    .map((time) => ({ time, ...rulesAt(upgrades, BigInt(time) * 1000n) }))
    .filter((fork, index, all) => fork.hasOsakaEvm !== all[index - 1]?.hasOsakaEvm)
}

function forkJson(rpc: NodeRpc, forks: readonly ListedFork[], index: number) {
  const { time, hasOsakaEvm } = forks[index]!
  const precompiles = [
    ...PRECOMPILES.map((name, each) => [name, at(each + 1)]),
    ['P256VERIFY', at(P256_VERIFY)],
  ]
  return {
    activationTime: time,
    blobSchedule: hasOsakaEvm ? { baseFeeUpdateFraction: 0, max: 0, target: 0 } : null,
    chainId: toQuantity(rpc.chain.chainId),
    forkId: forkId(firstBlock(rpc)!.hash, forks.slice(1, index + 1)),
    precompiles: Object.fromEntries(precompiles),
    systemContracts: {
      BEACON_ROOTS_ADDRESS: BEACON_ROOTS,
      HISTORY_STORAGE_ADDRESS: HISTORY_STORAGE,
    },
  }
}

/** EIP-2124: forks that a chain has from its genesis on do not count. */
function forkId(genesis: Hash, later: readonly ListedFork[]): Hex {
  const bytes = Buffer.alloc(8 * later.length)
  later.forEach(({ time }, index) => {
    bytes.writeBigUInt64BE(BigInt(time), index * 8)
  })
  const sum = crc32(concatBytes(hexToBytes(genesis), bytes))
  return `0x${sum.toString(16).padStart(8, '0')}`
}

function at(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}
