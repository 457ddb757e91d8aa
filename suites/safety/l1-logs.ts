import { hexToBytes } from '@ethereumjs/util'
import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  padHex,
  toEventSelector,
  zeroHash,
} from 'viem'
import type { Address, Log } from '../../enclave-sim/execution/types.ts'

export const portal: Address = `0x${'d0'.repeat(20)}`
export const systemConfigContract: Address = `0x${'5c'.repeat(20)}`

/** OP specs, Deposits: TransactionDeposited(from, to, version, opaqueData) of version 0. */
export function depositLog(deposit: {
  from: Address
  to: Address
  mint: bigint
  gas: bigint
}): Log {
  const { from, to, mint, gas } = deposit
  const opaque = concatHex([
    numberToHex(mint, { size: 32 }),
    numberToHex(mint, { size: 32 }),
    numberToHex(gas, { size: 8 }),
    '0x00',
  ])
  return {
    address: portal,
    topics: [
      toEventSelector('TransactionDeposited(address,address,uint256,bytes)'),
      padHex(from),
      padHex(to),
      zeroHash,
    ],
    data: abiBytes(opaque),
  }
}

/** OP specs, System Config: ConfigUpdate(version, type 5, operator fee scalar and constant). */
export function operatorFeeLog(scalar: number, constant: bigint): Log {
  const word = (BigInt(scalar) << 64n) | constant
  return {
    address: systemConfigContract,
    topics: [
      toEventSelector('ConfigUpdate(uint256,uint8,bytes)'),
      zeroHash,
      numberToHex(5, { size: 32 }),
    ],
    data: abiBytes(numberToHex(word, { size: 32 })),
  }
}

function abiBytes(bytes: Hex): Uint8Array {
  return hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [bytes]))
}
