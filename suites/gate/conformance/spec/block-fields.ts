import type { FieldForm } from '../matchers/field-form.ts'

/** The 26 members of a block and their forms (RPC-BLK-03; spec, "Block object"). */
export const BLOCK_FIELDS: Readonly<Record<string, FieldForm>> = {
  number: 'quantity',
  hash: 'hash',
  parentHash: 'hash',
  nonce: 'nonce',
  sha3Uncles: 'hash',
  logsBloom: 'bloom',
  transactionsRoot: 'hash',
  stateRoot: 'hash',
  receiptsRoot: 'hash',
  miner: 'address',
  difficulty: 'quantity',
  mixHash: 'hash',
  extraData: 'bytes',
  size: 'quantity',
  gasLimit: 'quantity',
  gasUsed: 'quantity',
  timestamp: 'quantity',
  transactions: 'list',
  uncles: 'list',
  withdrawals: 'list',
  withdrawalsRoot: 'hash',
  baseFeePerGas: 'quantity',
  blobGasUsed: 'quantity',
  excessBlobGas: 'quantity',
  parentBeaconBlockRoot: 'hash',
  requestsHash: 'hash',
}

/** Members of a block that may be null while it is pending (RPC-PEND-02, -03). */
export const NULL_WHEN_PENDING = ['number', 'hash']

/** The ten members of a log (RPC-LOG-01; spec, "Log object"). */
export const LOG_FIELDS: Readonly<Record<string, FieldForm | 'boolean'>> = {
  address: 'address',
  topics: 'list',
  data: 'bytes',
  blockNumber: 'quantity',
  blockTimestamp: 'quantity',
  transactionHash: 'hash',
  transactionIndex: 'quantity',
  blockHash: 'hash',
  logIndex: 'quantity',
  removed: 'boolean',
}

/** The members of a log in a profile: on today's chain there is the time of its block in milliseconds besides. */
export function logFields(profile: string): Readonly<Record<string, FieldForm | 'boolean'>> {
  return profile === 'today' ? { ...LOG_FIELDS, blockTimestampMs: 'quantity' } : LOG_FIELDS
}
