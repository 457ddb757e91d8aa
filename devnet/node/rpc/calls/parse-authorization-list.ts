import type { Authorization } from '../../../../enclave-sim/protocol/types/transaction.ts'
import { invalidParams } from '../../../json-rpc/json-rpc-error.ts'
import { parseAddress } from '../../../json-rpc/params/parse-fixed-bytes.ts'
import { parseQuantity } from '../../../json-rpc/params/parse-quantity.ts'
import { parseList, parseRecord } from '../../../json-rpc/params/parse-record.ts'

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
