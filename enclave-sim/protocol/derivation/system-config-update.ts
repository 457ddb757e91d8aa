import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Log } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { abiBytes } from './abi-bytes.ts'
import type { L1Receipt } from './l1-source.ts'
import type { SystemConfig } from './rollup-config.ts'

export const CONFIG_UPDATE: Hash = keccak256Hex(
  new TextEncoder().encode('ConfigUpdate(uint256,uint8,bytes)'),
)

/**
 * The system configuration after the ConfigUpdate logs of one L1 block.
 * Source: OP specs, System Config, "System Config Updates": what cannot be parsed is skipped.
 */
export function applyConfigUpdates(
  systemConfig: SystemConfig,
  contract: Address,
  receipts: readonly L1Receipt[],
): SystemConfig {
  const logs = receipts
    .flatMap((receipt) => receipt.logs)
    .filter((log) => log.address === contract && log.topics[0] === CONFIG_UPDATE)
  return Object.assign({ ...systemConfig }, ...logs.map(update))
}

function update({ topics, data }: Log): Partial<SystemConfig> {
  const [, version, type] = topics
  const content = abiBytes(data)
  if (topics.length !== 3 || BigInt(version!) !== 0n || !content) return {}
  const read = READERS[Number(type)]
  return read && content.length === read.length ? read.parse(content) : {}
}

interface Reader {
  /** Bytes that the update must have. */
  length: number
  parse(content: Uint8Array): Partial<SystemConfig>
}

/** By update type. Type 3, the unsafe block signer, is no part of consensus. */
const READERS: Readonly<Record<number, Reader>> = {
  0: { length: 32, parse: batcher },
  1: { length: 64, parse: feeScalars },
  2: { length: 32, parse: (word) => gasLimit(bytesToBigInt(word)) },
  // OP spec, Holocene: denominator << 32 | elasticity, in the low 64 bits.
  4: {
    length: 32,
    parse: (word) => ({
      eip1559Denominator: Number(bytesToBigInt(word.subarray(24, 28))),
      eip1559Elasticity: Number(bytesToBigInt(word.subarray(28, 32))),
    }),
  },
  // OP spec, Isthmus: scalar << 64 | constant.
  5: {
    length: 32,
    parse: (word) => ({
      operatorFeeScalar: Number(bytesToBigInt(word.subarray(20, 24))),
      operatorFeeConstant: bytesToBigInt(word.subarray(24, 32)),
    }),
  },
  6: { length: 32, parse: (word) => minBaseFee(bytesToBigInt(word)) },
  7: { length: 32, parse: (word) => daFootprintGasScalar(bytesToBigInt(word)) },
}

function batcher(word: Uint8Array): Partial<SystemConfig> {
  return isZero(word.subarray(0, 12)) ? { batcherAddress: bytesToHex(word.subarray(12)) } : {}
}

/** Overhead (ignored since Ecotone) and scalar. A scalar of an unknown version is not applied. */
function feeScalars(content: Uint8Array): Partial<SystemConfig> {
  const scalar = content.subarray(32)
  const padding = scalar[0] === 0 ? scalar.subarray(1, 28) : scalar.subarray(1, 24)
  const valid = (scalar[0] === 0 || scalar[0] === 1) && isZero(padding)
  return valid ? { scalar: bytesToHex(scalar) } : {}
}

function gasLimit(value: bigint): Partial<SystemConfig> {
  return value < 1n << 64n ? { gasLimit: value } : {}
}

function minBaseFee(value: bigint): Partial<SystemConfig> {
  return value < 1n << 64n ? { minBaseFee: value } : {}
}

function daFootprintGasScalar(value: bigint): Partial<SystemConfig> {
  return value < 1n << 16n ? { daFootprintGasScalar: Number(value) } : {}
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}
