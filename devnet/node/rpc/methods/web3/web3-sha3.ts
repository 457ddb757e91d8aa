import { keccak256Hex } from '../../../../../enclave-sim/protocol/crypto/keccak.ts'
import { parseBytes } from '../../../../json-rpc/params/parse-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `web3_sha3 [data]`: Keccak-256 of the bytes. @throws JsonRpcError -32602 */
export const web3Sha3: NodeMethod = (_, params) =>
  keccak256Hex(parseBytes(positional(params)[0], 'data'))
