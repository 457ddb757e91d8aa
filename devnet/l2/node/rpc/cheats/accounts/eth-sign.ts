import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'

/** Bytes; more would keep flashblocks waiting. */
const MAX_DATA = 128 * 1024

/** `eth_sign [address, data]`: an EIP-191 personal message. @throws JsonRpcError -32602 */
export const ethSign: CheatMethod = (rpc, params) => {
  const [address, data] = positional(params)
  return signMessage(rpc, address, data)
}

/** `personal_sign [data, address]`: the same, the other way round. @throws JsonRpcError -32602 */
export const personalSign: CheatMethod = (rpc, params) => {
  const [data, address] = positional(params)
  return signMessage(rpc, address, data)
}

function signMessage({ accounts }: CheatRpc, address: unknown, data: unknown) {
  const signer = accounts.signer(parseAddress(address, 'address'))
  return signer.signMessage({ message: { raw: bytesToHex(parseBytes(data, 'data', MAX_DATA)) } })
}
