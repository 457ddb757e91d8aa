import { parseAddress, parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `anvil_dropTransaction [hash]` → the hash, or null when the pool does not hold it: what is
 * pre-confirmed already stays.
 *
 * @throws JsonRpcError -32602
 */
export const dropTransaction: CheatMethod = ({ cheats: { pool } }, params) => {
  const hash = parseHash(positional(params)[0], 'hash')
  if (!pool.get(hash)) return null
  pool.discard(hash, dropped())
  return hash
}

/** `anvil_dropAllTransactions []`: empties the pool. */
export const dropAllTransactions: CheatMethod = ({ cheats: { pool } }) =>
  pool.discardSince(0, dropped())

/** `anvil_removePoolTransactions [address]`: those of one sender. @throws JsonRpcError -32602 */
export const removePoolTransactions: CheatMethod = ({ cheats: { pool } }, params) => {
  const sender = parseAddress(positional(params)[0], 'address')
  for (const { hash, from } of pool.transactions()) {
    if (from === sender) pool.discard(hash, dropped())
  }
}

function dropped(): RollbedError {
  return new RollbedError('TRANSACTION_DROPPED', 'Somebody asked to drop it from the pool.')
}
