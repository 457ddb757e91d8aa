import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { NodeMethod } from '../../node-rpc.ts'

/** Bytes; more would keep flashblocks waiting. */
const MAX_DATA = 1024 * 1024

/** `web3_sha3 [data]`: Keccak-256 of the bytes. @throws JsonRpcError -32602 */
export const web3Sha3: NodeMethod = (_, params) =>
  keccak256Hex(parseBytes(positional(params)[0], 'data', MAX_DATA))
