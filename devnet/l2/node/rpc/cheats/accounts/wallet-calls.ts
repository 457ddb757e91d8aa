import { isHash } from 'viem'
import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Hash, Hex } from '#protocol/types/bytes'
import { toQuantity } from '../../json/hex.ts'
import { receiptJson } from '../../json/receipt-json.ts'
import { findTransaction } from '../../selector/find-transaction.ts'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'
import { ethSendTransaction } from './eth-send-transaction.ts'

const VERSION = '2.0.0'
const MAX_CALLS = 100

/**
 * `wallet_getCapabilities [address, chainIds?]` (EIP-5792): calls of a bundle go one by one, for the dev
 * accounts are no contracts. @throws JsonRpcError -32602
 */
export const walletGetCapabilities: CheatMethod = (rpc, params) => {
  const [address, chainIds] = positional(params)
  parseAddress(address, 'address')
  const ours = toQuantity(rpc.chain.chainId)
  const isWanted = !Array.isArray(chainIds) || chainIds.includes(ours)
  return isWanted ? { [ours]: { atomic: { status: 'unsupported' } } } : {}
}

/**
 * `wallet_sendCalls [{from, calls, id?, …}]` (EIP-5792): one transaction for each call, in order → `id`, from
 * which `wallet_getCallsStatus` finds them. @throws JsonRpcError -32602; 5700 for what cannot be promised
 */
export const walletSendCalls: CheatMethod = async (rpc, params, context) => {
  const request = parseRecord(positional(params)[0], 'request')
  const { calls, from = rpc.accounts.addresses()[0], atomicRequired, chainId } = request
  if (chainId !== undefined && chainId !== toQuantity(rpc.chain.chainId)) {
    throw new JsonRpcError(5710, 'Chain is not supported', `This chain is ${rpc.chain.chainId}.`)
  }
  if (atomicRequired === true) {
    throw new JsonRpcError(5700, 'Atomic execution is not supported', 'Calls go one by one here.')
  }
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > MAX_CALLS) {
    throw invalidParams(`calls: must be a list of 1 to ${MAX_CALLS}`)
  }
  const hashes: Hash[] = []
  for (const [index, call] of calls.entries()) {
    const { to, data, value } = parseRecord(call, `calls[${index}]`)
    hashes.push(await send(rpc, { from, to, data, value }, context))
  }
  // The identifier says what it stands for: nothing is kept, nothing is forgotten.
  return { id: `0x${hashes.map((hash) => hash.slice(2)).join('')}` satisfies Hex }
}

async function send(rpc: CheatRpc, call: object, context: RpcContext): Promise<Hash> {
  return (await ethSendTransaction(rpc, [call], context)) as Hash
}

/** `wallet_getCallsStatus [id]` (EIP-5792): 100 while one waits, 200 all done, 500 all reverted, 600 some. @throws JsonRpcError -32602, 5730 */
export const walletGetCallsStatus: CheatMethod = (rpc, params) => {
  const [id] = positional(params)
  const hashes = typeof id === 'string' ? (id.slice(2).match(/.{1,64}/g) ?? []) : []
  const bundle = hashes.map((digits): Hash => `0x${digits}`)
  if (bundle.length === 0 || !bundle.every((hash) => isHash(hash))) {
    throw new JsonRpcError(5730, 'Unknown bundle id', 'It is none that wallet_sendCalls gave.')
  }
  const found = bundle.map((hash) => findTransaction(rpc, hash))
  const receipts = found.flatMap((it) => (it ? [receiptJson(it.block, it.index)] : []))
  const reverted = receipts.filter(({ status }) => status === '0x0').length
  return {
    version: VERSION,
    id,
    chainId: toQuantity(rpc.chain.chainId),
    atomic: false,
    status: statusOf(bundle.length, receipts.length, reverted),
    ...(receipts.length > 0 && { receipts }),
  }
}

function statusOf(calls: number, done: number, reverted: number): number {
  if (done < calls) return 100
  if (reverted === 0) return 200
  return reverted === calls ? 500 : 600
}
