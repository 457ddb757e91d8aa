import { bigIntToBytes, concatBytes, setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { L1_BLOCK } from '../execution/predeploys.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import { DerivationError } from './derivation-error.ts'
import type { L1Header } from './l1-header.ts'
import type { SystemConfig } from './rollup-config.ts'
import { DepositSource, sourceHash } from './source-hash.ts'

/** OP spec, Deposits: "L1 Attributes Depositor Account". */
export const L1_ATTRIBUTES_DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const GAS = 1_000_000n
/** OP spec, Jovian, "L1 attributes": what a scalar of 0 stands for. */
const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400

/** First four bytes of keccak256 of setL1BlockValuesIsthmus() and setL1BlockValuesJovian(). */
const SELECTOR = { isthmus: '0x098999be', jovian: '0x3db6be2b' } as const
const LENGTH = { isthmus: 176, jovian: 178 } as const

export interface L1AttributesParameters {
  fork: Fork
  l1: Pick<L1Header, 'number' | 'timestamp' | 'baseFee' | 'blobBaseFee' | 'hash'>
  /** Position of the L2 block in its epoch. */
  sequenceNumber: bigint
  systemConfig: SystemConfig
}

/** What an L2 block says of its L1 origin and of the fees it charges. */
export interface L1Attributes {
  l1Origin: { number: bigint; hash: Hash }
  l1Timestamp: bigint
  baseFee: bigint
  blobBaseFee: bigint
  sequenceNumber: bigint
  /** The part of the system configuration that L1 attributes carry. */
  systemConfig: Pick<
    SystemConfig,
    | 'batcherAddress'
    | 'scalar'
    | 'operatorFeeScalar'
    | 'operatorFeeConstant'
    | 'daFootprintGasScalar'
  >
}

/**
 * The first transaction of every L2 block, in EIP-2718 form.
 * Source: OP specs, Deposits "L1 Attributes Deposited Transaction", Isthmus and Jovian "L1 attributes".
 */
export function encodeL1Attributes(parameters: L1AttributesParameters): Uint8Array {
  const { l1, sequenceNumber } = parameters
  return encodeDeposit({
    sourceHash: sourceHash(DepositSource.l1Attributes, l1.hash, sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gas: GAS,
    isSystemTransaction: false,
    data: l1AttributesData(parameters),
  })
}

function l1AttributesData({
  fork,
  l1,
  sequenceNumber,
  systemConfig,
}: L1AttributesParameters): Uint8Array {
  const scalars = feeScalars(systemConfig.scalar)
  const data = concatBytes(
    hexToBytes(SELECTOR[fork]),
    uint(scalars.baseFeeScalar, 4),
    uint(scalars.blobBaseFeeScalar, 4),
    uint(sequenceNumber, 8),
    uint(l1.timestamp, 8),
    uint(l1.number, 8),
    uint(l1.baseFee, 32),
    uint(l1.blobBaseFee, 32),
    hexToBytes(l1.hash),
    setLengthLeft(hexToBytes(systemConfig.batcherAddress), 32),
    uint(systemConfig.operatorFeeScalar, 4),
    uint(systemConfig.operatorFeeConstant, 8),
  )
  if (fork === 'isthmus') return data
  const footprintScalar = systemConfig.daFootprintGasScalar || DEFAULT_DA_FOOTPRINT_GAS_SCALAR
  return concatBytes(data, uint(footprintScalar, 2))
}

/**
 * Reads back the call data of the first transaction of an L2 block.
 * @throws DerivationError L1_ATTRIBUTES_MALFORMED
 */
export function decodeL1Attributes(data: Uint8Array): L1Attributes {
  const selector = bytesToHex(data.subarray(0, 4))
  const fork = selector === SELECTOR.jovian ? 'jovian' : 'isthmus'
  if (selector !== SELECTOR[fork] || data.length !== LENGTH[fork]) {
    throw new DerivationError(
      'L1_ATTRIBUTES_MALFORMED',
      `No L1 attributes of Isthmus or Jovian: ${data.length} bytes with selector ${selector}.`,
    )
  }
  const number = (start: number, end: number) => BigInt(bytesToHex(data.subarray(start, end)))
  const scalar = concatBytes(
    Uint8Array.of(1),
    new Uint8Array(23),
    data.subarray(8, 12),
    data.subarray(4, 8),
  )
  return {
    sequenceNumber: number(12, 20),
    l1Timestamp: number(20, 28),
    l1Origin: { number: number(28, 36), hash: bytesToHex(data.subarray(100, 132)) },
    baseFee: number(36, 68),
    blobBaseFee: number(68, 100),
    systemConfig: {
      scalar: bytesToHex(scalar),
      batcherAddress: bytesToHex(data.subarray(144, 164)),
      operatorFeeScalar: Number(number(164, 168)),
      operatorFeeConstant: number(168, 176),
      daFootprintGasScalar: fork === 'jovian' ? Number(number(176, 178)) : 0,
    },
  }
}

/** OP spec, System Config, "Post-Ecotone Scalar Encoding": version 0 has no blob scalar. */
function feeScalars(scalar: Hash): { baseFeeScalar: bigint; blobBaseFeeScalar: bigint } {
  const bytes = hexToBytes(scalar)
  const number = (start: number, end: number) => BigInt(bytesToHex(bytes.subarray(start, end)))
  if (bytes[0] === 1) return { blobBaseFeeScalar: number(24, 28), baseFeeScalar: number(28, 32) }
  const overflow = bytes.subarray(1, 28).some((byte) => byte !== 0)
  return { blobBaseFeeScalar: 0n, baseFeeScalar: overflow ? 0xffffffffn : number(28, 32) }
}

function uint(value: bigint | number, length: number): Uint8Array {
  return setLengthLeft(bigIntToBytes(BigInt(value)), length)
}
