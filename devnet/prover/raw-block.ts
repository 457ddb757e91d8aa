import { decode } from '@ethereumjs/rlp'
import { isHex } from 'viem'
import { encodeRlp } from '../../enclave-sim/protocol/bytes/encode-rlp.ts'
import { hexToBytes } from '../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
import type { Hash } from '../../enclave-sim/protocol/types/bytes.ts'
import type { RpcClient } from '../json-rpc/http-rpc-client.ts'
import { BlockUnavailable } from './raw-header.ts'

export interface RawBlock {
  /** RLP. */
  header: Uint8Array
  /** In EIP-2718 form. */
  transactions: Uint8Array[]
}

/** An L2 block from its RLP: [header, transactions, ommers, withdrawals]. @throws BlockUnavailable */
export async function rawBlock(
  rpc: RpcClient,
  hash: Hash,
  signal?: AbortSignal,
): Promise<RawBlock> {
  const raw = await rpc.request('debug_getRawBlock', [hash], signal)
  const block = isHex(raw) ? decode(hexToBytes(raw)) : undefined
  const [header, transactions] = Array.isArray(block) ? block : []
  if (!header || !Array.isArray(transactions)) throw new BlockUnavailable('transactions', hash)
  return {
    header: encodeRlp(header),
    // A legacy transaction stands in the block as a list, every other as a byte string.
    transactions: transactions.map((item) => (item instanceof Uint8Array ? item : encodeRlp(item))),
  }
}
