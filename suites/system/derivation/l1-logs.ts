import { hexToBytes } from '@ethereumjs/util'
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  numberToHex,
  pad,
  toEventSelector,
} from 'viem'
import type { Log } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'

export interface PortalDeposit {
  from: Address
  /** undefined: creation. */
  to: Address | undefined
  mint: bigint
  value: bigint
  gas: bigint
  data: Hex
}

/** OP specs, Deposits: TransactionDeposited(from, to, version, opaqueData) of version 0. */
export function depositLog(portal: Address, deposit: PortalDeposit): Log {
  const { from, to, mint, value, gas, data } = deposit
  const opaque = encodePacked(
    ['uint256', 'uint256', 'uint64', 'bool', 'bytes'],
    [mint, value, gas, to === undefined, data],
  )
  return {
    address: portal,
    topics: [
      toEventSelector('TransactionDeposited(address,address,uint256,bytes)'),
      pad(from),
      pad(to ?? '0x00'),
      pad('0x00'),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [opaque])),
  }
}

/** OP specs, System Config: ConfigUpdate(version, updateType, data) of version 0. */
export function configUpdateLog(contract: Address, type: number, words: readonly bigint[]): Log {
  const content = concatHex(words.map((word) => numberToHex(word, { size: 32 })))
  return {
    address: contract,
    topics: [
      toEventSelector('ConfigUpdate(uint256,uint8,bytes)'),
      pad('0x00'),
      numberToHex(type, { size: 32 }),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [content])),
  }
}
