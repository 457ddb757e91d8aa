import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { hexDigits } from '#devnet/base/json-rpc/params/hex-digits'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Hash } from '#protocol/types/bytes'
import type { NodeMethod } from '../../node-rpc.ts'

/** "c": under it geth's database keeps code by its hash. */
const CODE_PREFIX = '63'

/**
 * `debug_dbGet [key]`: a trie node or code by its keccak-256; code also under geth's key for it. What
 * a proof program reads state with.
 *
 * @throws JsonRpcError -32602; -32000 when there is no such value
 */
export const debugDbGet: NodeMethod = (rpc, params) => {
  const value = rpc.chain.store.get(parseKey(positional(params)[0]))
  if (!value) throw new JsonRpcError(-32000, 'not found')
  return bytesToHex(value)
}

function parseKey(value: unknown): Hash {
  const digits = hexDigits(value, 'key')
  if (digits.length === 64) return `0x${digits}`
  if (digits.length === 66 && digits.startsWith(CODE_PREFIX)) return `0x${digits.slice(2)}`
  throw invalidParams('key: must be a 32-byte hash, or 0x63 and the hash of code')
}
