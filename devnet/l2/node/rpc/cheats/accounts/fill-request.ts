import type { TransactionSerializable } from 'viem'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Address } from '#protocol/types/bytes'
import { type CallObject, parseCallObject } from '../../calls/call-object.ts'
import { ethEstimateGas } from '../../methods/eth/eth-estimate-gas.ts'
import { SUGGESTED_TIP } from '../../methods/eth/eth-max-priority-fee-per-gas.ts'
import type { CheatRpc } from '../cheat-rpc.ts'

/** A complete transaction that lacks only its signature. */
export interface FilledRequest {
  from: Address
  transaction: TransactionSerializable
}

/**
 * Fills what `eth_sendTransaction` was not told: sender (the first dev account), nonce (behind the
 * pool), gas (an estimate) and fees.
 *
 * @throws JsonRpcError -32602; as eth_estimateGas when it would revert
 */
export async function fillRequest(
  rpc: CheatRpc,
  value: unknown,
  name: string,
  context: RpcContext,
): Promise<FilledRequest> {
  const from = rpc.accounts.addresses()[0]
  const request: Record<string, unknown> = {
    ...(from && { from }),
    ...defined(parseRecord(value, name)),
  }
  const call = parseCallObject(request, name)
  const chainId = Number(rpc.chain.chainId)
  if (
    'chainId' in request &&
    parseQuantity(request.chainId, `${name}.chainId`) !== BigInt(chainId)
  ) {
    throw invalidParams(`${name}.chainId: this chain is ${chainId}`)
  }
  const common = {
    chainId,
    nonce: asNumber(call.nonce ?? nextNonce(rpc, call.from)),
    ...(call.to !== null && { to: call.to }),
    value: call.value,
    data: bytesToHex(call.data),
    gas: call.gas ?? BigInt((await ethEstimateGas(rpc, [request, 'pending'], context)) as string),
  }
  return {
    from: call.from,
    transaction: { ...common, ...typed(rpc, call, request.type) } as TransactionSerializable,
  }
}

/** Fees and lists, and the type that follows from them unless it is given. */
function typed(rpc: CheatRpc, call: CallObject, type: unknown) {
  const { gasPrice, accessList, authorizationList } = call
  const fees = feesOf(rpc, call)
  const legacyFee = { gasPrice: gasPrice ?? fees.maxFeePerGas }
  if (authorizationList) {
    const list = authorizationList.map(({ chainId, address, nonce, yParity, r, s }) => ({
      address,
      chainId: asNumber(chainId),
      nonce: asNumber(nonce),
      yParity: Number(yParity),
      r: `0x${r.toString(16)}`,
      s: `0x${s.toString(16)}`,
    }))
    return { type: 'eip7702', ...fees, accessList, authorizationList: list }
  }
  if (type === '0x0' || (gasPrice !== undefined && !accessList)) {
    return { type: 'legacy', ...legacyFee }
  }
  if (type === '0x1' || gasPrice !== undefined) return { type: 'eip2930', ...legacyFee, accessList }
  return { type: 'eip1559', ...fees, accessList }
}

function feesOf({ chain }: CheatRpc, call: CallObject) {
  const { baseFeePerGas } = (chain.pending() ?? chain.latest()).header
  const tip =
    call.gasPrice ?? call.maxPriorityFeePerGas ?? minimum(SUGGESTED_TIP, call.maxFeePerGas)
  return {
    maxPriorityFeePerGas: tip,
    // Twice the base fee lasts for a dozen full blocks.
    maxFeePerGas: call.gasPrice ?? call.maxFeePerGas ?? 2n * baseFeePerGas + tip,
  }
}

function nextNonce({ chain, cheats }: CheatRpc, from: Address): bigint {
  const newest = chain.pending() ?? chain.latest()
  const account = chain.account(cheats.chain.stateRootOf(newest), from)
  return chain.nextPoolNonce(from) ?? account?.nonce ?? 0n
}

/** viem has the type of a number for these, and encodes either: beyond 2^53 a number would be another. */
const asNumber = (value: bigint) => value as unknown as number

function minimum(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a
}

function defined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(record).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return Object.fromEntries(entries)
}
