import { hexToBytes } from '@ethereumjs/util'
import {
  formatTransaction,
  formatTransactionReceipt,
  type RpcTransaction,
  type RpcTransactionReceipt,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { encodeReceipt } from '../../enclave-sim/execution/receipt.ts'
import type { Hash } from '../../enclave-sim/execution/types.ts'
import type { RpcClient } from '../json-rpc/http-rpc-client.ts'
import { BlockUnavailable } from './raw-header.ts'

/** The EIP-2718 transactions of an L1 block, encoded again from JSON; the caller checks the root. */
export async function l1Transactions(
  rpc: RpcClient,
  blockHash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  const block = await rpc.request('eth_getBlockByHash', [blockHash, true], signal)
  const { transactions } = Object(block) as { transactions?: RpcTransaction[] }
  if (!transactions) throw new BlockUnavailable('transactions', blockHash)
  return transactions.map((json) => {
    const transaction = formatTransaction(json)
    const { r, s, v, yParity } = transaction
    const signature = transaction.type === 'legacy' ? { r, s, v: v! } : { r, s, yParity: yParity! }
    // RPC calls the payload `input`, the serializer `data`.
    const fields = { ...transaction, data: transaction.input } as unknown as TransactionSerializable
    return hexToBytes(serializeTransaction(fields, signature))
  })
}

/** The EIP-2718 receipts of an L1 block, encoded again from JSON; the caller checks the root. */
export async function l1Receipts(
  rpc: RpcClient,
  blockHash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  const receipts = await rpc.request('eth_getBlockReceipts', [blockHash], signal)
  if (!Array.isArray(receipts)) throw new BlockUnavailable('receipts', blockHash)
  return receipts.map((json: RpcTransactionReceipt) => {
    const { status, cumulativeGasUsed, logsBloom, logs } = formatTransactionReceipt(json)
    return encodeReceipt({
      type: Number(json.type ?? 0),
      status: status === 'success' ? 1 : 0,
      cumulativeGasUsed,
      logsBloom,
      logs: logs.map(({ address, topics, data }) => ({ address, topics, data: hexToBytes(data) })),
    })
  })
}
