import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress, parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { TransactionMalformed } from '#protocol/transaction/transaction-malformed'
import type { PayloadAttributes } from '#protocol/types/block'
import type { Fork } from '#protocol/types/execution-config'
import type { Transaction } from '#protocol/types/transaction'

/** What OP's engine API calls payload attributes, version 3, with the members of Holocene and Jovian. */
export interface EngineAttributes extends Omit<PayloadAttributes, 'transactions'> {
  transactions: Transaction[]
}

const MAX_TRANSACTIONS = 100_000

/** @throws JsonRpcError -32602 */
export function parsePayloadAttributes(value: unknown, fork: Fork): EngineAttributes {
  const name = 'attributes'
  const attributes = parseRecord(value, name)
  const at = (key: string) => `${name}.${key}`
  parseList(attributes.withdrawals ?? [], at('withdrawals'), 0)
  const transactions = parseList(
    attributes.transactions ?? [],
    at('transactions'),
    MAX_TRANSACTIONS,
  )
  return {
    timestamp: parseQuantity(attributes.timestamp, at('timestamp'), 64),
    prevRandao: parseHash(attributes.prevRandao, at('prevRandao')),
    feeRecipient: parseAddress(attributes.suggestedFeeRecipient, at('suggestedFeeRecipient')),
    parentBeaconBlockRoot: parseHash(attributes.parentBeaconBlockRoot, at('parentBeaconBlockRoot')),
    gasLimit: parseQuantity(attributes.gasLimit, at('gasLimit'), 64),
    eip1559: parseEip1559(attributes.eip1559Params, at('eip1559Params')),
    minBaseFee: fork === 'jovian' ? parseQuantity(attributes.minBaseFee, at('minBaseFee'), 64) : 0n,
    transactions: transactions.map((raw, index) =>
      parseTransaction(raw, at(`transactions[${index}]`)),
    ),
  }
}

/** Denominator and elasticity, 4 bytes each; zeros stand for Canyon's (OP spec, Holocene). */
function parseEip1559(value: unknown, name: string): EngineAttributes['eip1559'] {
  const bytes = value === undefined || value === null ? new Uint8Array(8) : parseBytes(value, name)
  if (bytes.length !== 8) throw invalidParams(`${name}: must have 8 bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { denominator: view.getUint32(0), elasticity: view.getUint32(4) }
}

function parseTransaction(value: unknown, name: string): Transaction {
  try {
    return decodeTransaction(parseBytes(value, name))
  } catch (error) {
    if (error instanceof TransactionMalformed) throw invalidParams(`${name}: ${error.message}`)
    throw error
  }
}
