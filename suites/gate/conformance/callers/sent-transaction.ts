import { isHex, parseTransaction, recoverTransactionAddress } from 'viem'
import type { RpcCall } from '#mocks/index'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { nameRevert } from './name-revert.ts'

/** A transaction that the caller sent to L1, taken or not, or only tried: estimated, or called. */
export interface SentTransaction {
  from: Hex | undefined
  nonce: number
  to: Hex | undefined
  data: Hex
  /** Wei. */
  value: bigint
  /** The most that it may use; undefined where the caller leaves that to L1. */
  gas: bigint | undefined
  /** Absent when L1 refused it. */
  hash: Hex | undefined
  /** Why L1 refused it at once, by name. */
  refusal?: string
}

/** The transaction in a call to L1; undefined where the call sends and tries none. */
export async function transactionOf(
  { method, params }: RpcCall,
  response: JsonObject,
): Promise<{ transaction: SentTransaction; isSent: boolean } | undefined> {
  const [first] = params
  const refusal = nameRevert(response)
  const outcome = {
    hash: isHex(response.result) ? response.result : undefined,
    ...(refusal && { refusal }),
  }
  if (method === 'eth_sendRawTransaction' && isHex(first))
    return { transaction: { ...(await fromRaw(first)), ...outcome }, isSent: true }
  if (!TRIES.includes(method) || typeof first !== 'object' || first === null) return undefined
  return {
    transaction: { ...fromObject(first), ...outcome },
    isSent: method === 'eth_sendTransaction',
  }
}

const TRIES = ['eth_estimateGas', 'eth_call', 'eth_fillTransaction', 'eth_sendTransaction']

async function fromRaw(raw: Hex): Promise<Omit<SentTransaction, 'hash'>> {
  const { to, data, nonce = 0, value = 0n, gas } = parseTransaction(raw)
  const serializedTransaction = raw as `0x02${string}`
  const from = await recoverTransactionAddress({ serializedTransaction }).catch(() => undefined)
  return { from: lower(from), nonce, to: lower(to ?? undefined), data: data ?? '0x', value, gas }
}

function fromObject(call: object): Omit<SentTransaction, 'hash'> {
  const { from, to, data, input, value, nonce, gas } = call as Record<string, unknown>
  const bytes = input ?? data
  return {
    from: isHex(from) ? lower(from) : undefined,
    nonce: isHex(nonce) ? Number(nonce) : 0,
    to: isHex(to) ? lower(to) : undefined,
    data: isHex(bytes) ? bytes : '0x',
    value: isHex(value) ? BigInt(value) : 0n,
    gas: isHex(gas) ? BigInt(gas) : undefined,
  }
}

function lower(address: Hex | undefined): Hex | undefined {
  return address?.toLowerCase() as Hex | undefined
}
