import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { firstBlock } from '../../selector/find-block.ts'
import type { CheatMethod } from '../cheat-rpc.ts'
import { dropAllTransactions } from '../pool/drop-transactions.ts'

/**
 * `anvil_reset []`: back to the first block, on a fork the one upon the forked block; blocks,
 * pre-confirmations and pooled transactions are gone. A long chain no longer has the state of its genesis:
 * start it with more `--history-blocks`, or anew.
 *
 * @throws JsonRpcError -32602, also for a URL to fork
 */
export const reset: CheatMethod = async (rpc, params, context) => {
  const { cheats, chain } = rpc
  const [options] = positional(params)
  const { forking } = (options ?? {}) as { forking?: { jsonRpcUrl?: unknown } | null }
  if (forking?.jsonRpcUrl) {
    throw invalidParams(
      "forking: a running devnet cannot become a fork of another chain; 'rollbed up --fork-url' starts one",
    )
  }
  const first = firstBlock(rpc)?.header.number ?? 0n
  await cheats.rollback(Number(chain.latest().header.number - first))
  await dropAllTransactions(rpc, params, context)
}
