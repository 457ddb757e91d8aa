import { invalidParams } from '../../../../json-rpc/json-rpc-error.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { dropAllTransactions } from '../pool/drop-transactions.ts'

/**
 * `anvil_reset []`: back to genesis; blocks, pre-confirmations and pooled transactions are gone. A long
 * chain no longer has the state of its genesis: start it with more `--history-blocks`, or anew.
 *
 * @throws JsonRpcError -32602, also for a URL to fork
 */
export const reset: CheatMethod = async (rpc, params, context) => {
  const { cheats, chain } = rpc
  const [options] = positional(params)
  const { forking } = (options ?? {}) as { forking?: { jsonRpcUrl?: unknown } | null }
  if (forking?.jsonRpcUrl) {
    throw invalidParams(
      "forking: a devnet cannot become a fork of another chain; 'rollbed state import' brings the state of another devnet here",
    )
  }
  await cheats.rollback(Number(chain.latest().header.number))
  await dropAllTransactions(rpc, params, context)
}
