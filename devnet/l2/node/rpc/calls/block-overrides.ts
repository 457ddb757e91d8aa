import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { quote } from '#devnet/base/json-rpc/params/hex-digits'
import { parseAddress, parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import type { Address, Hash } from '#protocol/types/bytes'

/** Values of a block's header and environment that a caller sets. */
export interface BlockOverrides {
  number?: bigint
  timestamp?: bigint
  gasLimit?: bigint
  feeRecipient?: Address
  prevRandao?: Hash
  baseFeePerGas?: bigint
  blobBaseFee?: bigint
  parentBeaconBlockRoot?: Hash
}

const u64 = (value: unknown, name: string) => parseQuantity(value, name, 64)
const u256 = (value: unknown, name: string) => parseQuantity(value, name)

/** Every name in use for a value (OPEN-28…36): execution-apis, geth's and alloy's aliases. */
const NAMES = {
  number: ['number', u64],
  blockNumber: ['number', u64],
  time: ['timestamp', u64],
  timestamp: ['timestamp', u64],
  gasLimit: ['gasLimit', u64],
  feeRecipient: ['feeRecipient', parseAddress],
  coinbase: ['feeRecipient', parseAddress],
  prevRandao: ['prevRandao', parseStorageWord],
  random: ['prevRandao', parseStorageWord],
  baseFeePerGas: ['baseFeePerGas', u256],
  baseFee: ['baseFeePerGas', u256],
  blobBaseFee: ['blobBaseFee', u256],
  beaconRoot: ['parentBeaconBlockRoot', parseHash],
} as const satisfies Record<
  string,
  [keyof BlockOverrides, (value: unknown, name: string) => bigint | string]
>

/** @throws JsonRpcError -32602 */
export function parseBlockOverrides(value: unknown, name: string): BlockOverrides {
  if (value === undefined || value === null) return {}
  const overrides: Record<string, unknown> = {}
  for (const [key, given] of Object.entries(parseRecord(value, name))) {
    if (given === undefined || given === null) continue
    if (key === 'difficulty') continue
    if (key === 'withdrawals') {
      parseList(given, `${name}.withdrawals`, 0)
      continue
    }
    if (!isName(key)) throw invalidParams(`${name}: has an unknown key ${quote(key)}`)
    const [target, parse] = NAMES[key]
    if (target in overrides) throw invalidParams(`${name}: gives ${target} twice`)
    overrides[target] = parse(given, `${name}.${key}`)
  }
  return overrides
}

function isName(key: string): key is keyof typeof NAMES {
  return Object.hasOwn(NAMES, key)
}
