import {
  type BlobSidecar,
  formatTransaction,
  formatTransactionReceipt,
  type Hex,
  type RpcTransaction,
  type RpcTransactionReceipt,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { encodeReceipt } from '#protocol/execution/receipt'
import type { Hash } from '#protocol/types/bytes'
import { BlockUnavailable } from './raw-header.ts'

/** The EIP-2718 transactions of an L1 block, encoded again from JSON; the caller checks the root. */
export async function l1Transactions(
  rpc: RpcClient,
  blockHash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  return (await blockTransactions(rpc, blockHash, signal)).map(encodeTransaction)
}

/** The transactions of a block as its node spells them. @throws BlockUnavailable */
export async function blockTransactions(
  rpc: RpcClient,
  blockHash: Hash,
  signal?: AbortSignal,
): Promise<RpcTransaction[]> {
  const block = await rpc.request('eth_getBlockByHash', [blockHash, true], signal)
  const { transactions } = Object(block) as { transactions?: RpcTransaction[] }
  if (!transactions) throw new BlockUnavailable('transactions', blockHash)
  return transactions
}

/** A signed transaction in its EIP-2718 form. */
export function encodeTransaction(json: RpcTransaction): Uint8Array {
  const transaction = formatTransaction(json)
  const { r, s, v, yParity } = transaction
  const signature = transaction.type === 'legacy' ? { r, s, v: v! } : { r, s, yParity: yParity! }
  // RPC calls the payload `input`, the serializer `data`.
  const body = { data: transaction.input, blobs: undefined, sidecars: sidecarsOf(json) }
  const fields = { ...transaction, ...body } as unknown as TransactionSerializable
  return hexToBytes(serializeTransaction(fields, signature))
}

/**
 * None in a block (EIP-4844, "Networking"). anvil up to 1.7.1 keeps them there, says so in its JSON,
 * and has its transactions root over them (foundry issue 15132).
 */
function sidecarsOf(json: RpcTransaction): BlobSidecar<Hex>[] | false {
  const { blobs, commitments, proofs } = json as unknown as Record<string, Hex[] | undefined>
  if (!blobs || !commitments || !proofs) return false
  return blobs.map((blob, i) => ({ blob, commitment: commitments[i]!, proof: proofs[i]! }))
}

/**
 * The EIP-2718 receipts of an L1 block, encoded again from JSON; the caller checks the root.
 * @throws BlockUnavailable
 */
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
