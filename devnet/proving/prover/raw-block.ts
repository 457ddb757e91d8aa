import { isHex } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { BlockUnavailable } from '#devnet/l1/raw-header'
import { type DecodedRlp, decodeRlp } from '#protocol/bytes/decode-rlp'
import { encodeRlp } from '#protocol/bytes/encode-rlp'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hash } from '#protocol/types/bytes'

/** Of lists: block, transactions, a legacy transaction. */
const MAX_DEPTH = 3

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
  const block = decodedIn(raw)
  const [header, transactions] = Array.isArray(block) ? block : []
  if (!header || !Array.isArray(transactions)) throw new BlockUnavailable('transactions', hash)
  return {
    header: encodeRlp(header),
    // A legacy transaction stands in the block as a list, every other as a byte string.
    transactions: transactions.map((item) => (item instanceof Uint8Array ? item : encodeRlp(item))),
  }
}

/** undefined for what is not the hex of RLP. */
function decodedIn(raw: unknown): DecodedRlp | undefined {
  try {
    return isHex(raw) ? decodeRlp(hexToBytes(raw), MAX_DEPTH) : undefined
  } catch {
    return undefined
  }
}
