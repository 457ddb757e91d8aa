import { serializeTransaction } from 'viem'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '../../json/hex.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { fillRequest } from './fill-request.ts'

/**
 * `eth_fillTransaction [transaction]` → it with nonce, gas and fees as `tx`, and its unsigned bytes as
 * `raw`, as geth. @throws JsonRpcError -32602; as eth_estimateGas when it would revert
 */
export const ethFillTransaction: CheatMethod = async (rpc, params, context) => {
  const [request] = positional(params)
  const { from, transaction } = await fillRequest(rpc, request, 'transaction', context)
  const { data, type, authorizationList, accessList, ...rest } = transaction
  const numbers = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'bigint' || typeof value === 'number' ? toQuantity(value) : value,
  ])
  return {
    raw: serializeTransaction(transaction),
    tx: {
      ...Object.fromEntries(numbers.filter(([, value]) => value !== undefined)),
      ...{ from, input: data ?? '0x', type: TYPES[type ?? 'eip1559'] },
      ...(accessList && { accessList }),
      ...(authorizationList && { authorizationList }),
    },
  }
}

const TYPES: Record<string, string> = {
  legacy: '0x0',
  eip2930: '0x1',
  eip1559: '0x2',
  eip7702: '0x4',
}
