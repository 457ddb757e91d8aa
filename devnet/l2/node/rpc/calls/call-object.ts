import { equalsBytes } from '@ethereumjs/util'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import type { Address } from '#protocol/types/bytes'
import type { AccessListEntry, Authorization } from '#protocol/types/transaction'
import { parseAccessList } from './parse-access-list.ts'
import { parseAuthorizationList } from './parse-authorization-list.ts'

/** The call object of eth_call, eth_estimateGas and eth_simulateV1, parsed. */
export interface CallObject {
  from: Address
  /** null: creation. */
  to: Address | null
  value: bigint
  data: Uint8Array
  gas: bigint | undefined
  gasPrice: bigint | undefined
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
  nonce: bigint | undefined
  accessList: AccessListEntry[] | undefined
  authorizationList: Authorization[] | undefined
}

type ToBytes = (value: unknown, name: string) => Uint8Array

const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/**
 * Members it does not know are ignored, as all nodes do; `nonce` counts in simulations only
 * (RPC-CALL-04…15, OPEN-24…27).
 * @param toBytes reads the calldata
 * @throws JsonRpcError -32602
 */
export function parseCallObject(
  value: unknown,
  name: string,
  toBytes: ToBytes = parseBytes,
): CallObject {
  const call = parseRecord(value, name)
  const given = (key: string) => call[key] !== undefined && call[key] !== null
  // Most are not there: a simulation of a thousand calls would put together five thousand names for them.
  const quantity = (key: string, bits?: number) =>
    given(key) ? parseQuantity(call[key], `${name}.${key}`, bits) : undefined
  if (given('gasPrice') && (given('maxFeePerGas') || given('maxPriorityFeePerGas'))) {
    throw invalidParams('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  if (given('blobVersionedHashes') || given('blobs')) {
    throw invalidParams(`${name}.blobVersionedHashes: this chain takes no blob transactions`)
  }
  return {
    from: given('from') ? parseAddress(call.from, `${name}.from`) : ZERO_ADDRESS,
    to: given('to') ? parseAddress(call.to, `${name}.to`) : null,
    value: quantity('value') ?? 0n,
    data: parseData(call, name, toBytes),
    gas: quantity('gas', 64),
    gasPrice: quantity('gasPrice'),
    maxFeePerGas: quantity('maxFeePerGas'),
    maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
    nonce: quantity('nonce', 64),
    accessList: given('accessList')
      ? parseAccessList(call.accessList, `${name}.accessList`)
      : undefined,
    authorizationList: given('authorizationList')
      ? parseAuthorizationList(call.authorizationList, `${name}.authorizationList`)
      : undefined,
  }
}

/** `data` and `input` are one thing; both may be there if they agree (OPEN-24…27). */
function parseData(
  call: Readonly<Record<string, unknown>>,
  name: string,
  toBytes: ToBytes,
): Uint8Array {
  const bytes = (key: 'data' | 'input') =>
    call[key] === undefined || call[key] === null ? undefined : toBytes(call[key], `${name}.${key}`)
  const data = bytes('data')
  const input = bytes('input')
  if (data && input && !equalsBytes(data, input)) {
    throw invalidParams(`${name}: data and input are both there and differ`)
  }
  return input ?? data ?? new Uint8Array(0)
}
