import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { decodeSubmission } from '#devnet/l2/node/chain/decode-submission'
import type { SignedTransaction } from '#protocol/types/transaction'
import { isDeposit } from '#protocol/types/transaction'
import { parseSubmission } from '../../parse-submission.ts'
import { signRequest } from '../accounts/sign-request.ts'
import type { CheatMethod, CheatRpc } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

const MAX_DEPTH = 10_000
const MAX_TRANSACTIONS = 10_000

/**
 * `anvil_reorg [depth, [[transaction, position], …]]`, or one object `{depth, txBlockPairs}`: replaces
 * the newest blocks by as many others. A transaction, raw or as for `eth_sendTransaction`, goes into
 * the new block at its position, the oldest being 0; those of the old blocks are gone.
 *
 * @throws JsonRpcError -32602
 */
export const reorg: CheatMethod = async (rpc, params, context) => {
  const [first, second] = positional(params)
  const named = typeof first === 'object' && first !== null ? parseRecord(first, 'options') : {}
  const isNamed = 'depth' in named
  const depth = Number(parseCheatQuantity(isNamed ? named.depth : first, 'depth', 52))
  if (depth > MAX_DEPTH) throw invalidParams(`depth: must be at most ${MAX_DEPTH}`)
  const pairs = parseList((isNamed ? named.txBlockPairs : second) ?? [], 'pairs', MAX_TRANSACTIONS)
  const transactions = new Map<number, SignedTransaction[]>()
  for (const [index, pair] of pairs.entries()) {
    const name = `pairs[${index}]`
    const [request, positionParam] = parseList(pair, name, 2)
    const position = Number(parseCheatQuantity(positionParam, `${name}[1]`, 52))
    if (position >= depth) throw invalidParams(`${name}[1]: must be below the depth, ${depth}`)
    const transaction = await parseTransaction(rpc, request, `${name}[0]`, context)
    transactions.set(position, [...(transactions.get(position) ?? []), transaction])
  }
  await rpc.cheats.reorg(depth, transactions)
}

async function parseTransaction(
  rpc: CheatRpc,
  request: unknown,
  name: string,
  context: RpcContext,
): Promise<SignedTransaction> {
  if (typeof request === 'object') return signRequest(rpc, request, name, context)
  const transaction = decodeSubmission(parseSubmission(request, name))
  if (!isDeposit(transaction)) return transaction
  throw invalidParams(`${name}: deposits come from L1 only`)
}
