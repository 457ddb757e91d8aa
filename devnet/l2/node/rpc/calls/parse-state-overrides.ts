import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { quote } from '#devnet/base/json-rpc/params/hex-digits'
import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseOptionalQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import type { Address, Hash } from '#protocol/types/bytes'

/** What a caller wants an account to be, before anything runs. */
export interface StateOverride {
  address: Address
  balance: bigint | undefined
  nonce: bigint | undefined
  code: Uint8Array | undefined
  /** All storage the account shall have. */
  state: [slot: Hash, value: Hash][] | undefined
  /** Slots to change. */
  stateDiff: [slot: Hash, value: Hash][] | undefined
  movePrecompileTo: Address | undefined
}

const KEYS = new Set([
  'balance',
  'nonce',
  'code',
  'state',
  'stateDiff',
  'storage',
  'movePrecompileToAddress',
])

/**
 * Overrides by address; `storage` is another name of `stateDiff` (OPEN-28…36).
 *
 * @param bothCode the error code for `state` beside `stateDiff`: eth_call and eth_simulateV1 differ.
 * @throws JsonRpcError -32602
 */
export function parseStateOverrides(
  value: unknown,
  name: string,
  bothCode: -32602 | -32000,
): StateOverride[] {
  if (value === undefined || value === null) return []
  const overrides = Object.entries(parseRecord(value, name)).map(([key, override]) =>
    parseStateOverride(parseAddress(key, name), override, `${name}[${quote(key)}]`, bothCode),
  )
  const addresses = new Set(overrides.map(({ address }) => address))
  if (addresses.size < overrides.length) throw invalidParams(`${name}: names an address twice`)
  return overrides
}

function parseStateOverride(
  address: Address,
  value: unknown,
  name: string,
  bothCode: number,
): StateOverride {
  const override = parseRecord(value, name)
  const unknown = Object.keys(override).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw invalidParams(`${name}: has an unknown key ${quote(unknown)}`)
  const { code, movePrecompileToAddress: moveTo } = override
  const state = parseSlots(override.state, `${name}.state`)
  const stateDiff = parseSlots(override.stateDiff ?? override.storage, `${name}.stateDiff`)
  if (state && stateDiff) {
    throw new JsonRpcError(bothCode, `account ${address} has both 'state' and 'stateDiff'`)
  }
  return {
    address,
    balance: parseOptionalQuantity(override.balance, `${name}.balance`),
    nonce: parseOptionalQuantity(override.nonce, `${name}.nonce`, 64),
    code: code === undefined || code === null ? undefined : parseBytes(code, `${name}.code`),
    state,
    stateDiff,
    movePrecompileTo:
      moveTo === undefined || moveTo === null
        ? undefined
        : parseAddress(moveTo, `${name}.movePrecompileToAddress`),
  }
}

function parseSlots(value: unknown, name: string): [Hash, Hash][] | undefined {
  if (value === undefined || value === null) return undefined
  return Object.entries(parseRecord(value, name)).map(([slot, word]) => [
    parseStorageWord(slot, name),
    parseStorageWord(word, `${name}[${quote(slot)}]`),
  ])
}
