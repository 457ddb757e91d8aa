import type { TypedDataDefinition } from 'viem'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `eth_signTypedData_v4 [address, typedData]`: EIP-712; the data as an object, or as JSON in a string.
 * @throws JsonRpcError -32602
 */
export const ethSignTypedDataV4: CheatMethod = async ({ accounts }, params) => {
  const [address, data] = positional(params)
  const signer = accounts.signer(parseAddress(address, 'address'))
  const { domain, types, primaryType, message } = parseTypedData(data)
  try {
    return await signer.signTypedData({
      domain,
      types,
      primaryType,
      message,
    } as TypedDataDefinition)
  } catch (error) {
    throw invalidParams(
      `typedData: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
  }
}

function parseTypedData(data: unknown) {
  if (typeof data !== 'string') return parseRecord(data, 'typedData')
  try {
    return parseRecord(JSON.parse(data), 'typedData')
  } catch {
    throw invalidParams('typedData: is no JSON object')
  }
}
