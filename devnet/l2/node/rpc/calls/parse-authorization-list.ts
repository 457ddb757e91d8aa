import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import type { Authorization } from '#protocol/types/transaction'

const MAX_AUTHORIZATIONS = 2_000

/** An EIP-7702 authorization list. @throws JsonRpcError -32602 */
export function parseAuthorizationList(value: unknown, name: string): Authorization[] {
  const list = parseList(value, name, MAX_AUTHORIZATIONS)
  if (list.length === 0) throw invalidParams(`${name}: is empty`)
  return list.map((item, index) => {
    const at = `${name}[${index}]`
    const entry = parseRecord(item, at)
    return {
      chainId: parseQuantity(entry.chainId, `${at}.chainId`),
      address: parseAddress(entry.address, `${at}.address`),
      nonce: parseQuantity(entry.nonce, `${at}.nonce`, 64),
      yParity: parseQuantity(entry.yParity ?? entry.v, `${at}.yParity`, 8),
      r: parseQuantity(entry.r, `${at}.r`),
      s: parseQuantity(entry.s, `${at}.s`),
    }
  })
}
