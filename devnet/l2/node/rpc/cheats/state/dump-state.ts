import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { requireHex } from '#devnet/base/json-rpc/params/hex-digits'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { Slices } from '#devnet/base/process/slices'
import { Turns } from '#devnet/base/process/turns'
import { readStateDump } from '#devnet/l2/node/state/read-state-dump'
import { writeStateDump } from '#devnet/l2/node/state/state-dump'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `anvil_dumpState []` → the whole state at `latest` as bytes, gzipped: balances, nonces, code and storage. Blocks
 * and pre-confirmed transactions are not in it.
 */
export const dumpState: CheatMethod = async ({ cheats, chain, machine }) => {
  const stateRoot = cheats.chain.stateRootOf(chain.latest())
  const { store, chainId } = chain
  return bytesToHex(await writeStateDump(store, { chainId, stateRoot }, new Slices(machine)))
}

/** States that may wait for their turn: each takes much memory while it is read. */
const MAX_WAITING = 4
/** Of the process: it is its memory. */
const turns = new Turns()
let waiting = 0

/**
 * `anvil_loadState [bytes]` → true: such a state takes the place of that at `latest`. What is pre-confirmed is
 * sealed before.
 *
 * @throws JsonRpcError -32602 for bytes that are no whole state of a chain with this id, or one too large; -32005
 */
export const loadState: CheatMethod = async ({ cheats, machine }, params) => {
  const [state] = positional(params)
  // All of it is looked at where it is read.
  requireHex(typeof state === 'string' ? state.slice(0, HEAD) : state, 'state')
  if (waiting >= MAX_WAITING) throw tooMany()
  waiting += 1
  try {
    const load = () =>
      readStateDump(state as string, (dump) => cheats.loadState(dump, new Slices(machine)), machine)
    await turns.take(load)
  } finally {
    waiting -= 1
  }
  return true
}

/** Characters. */
const HEAD = 64

function tooMany(): JsonRpcError {
  const data = `${MAX_WAITING} are being loaded already.`
  return new JsonRpcError(-32005, 'too many states at once', data)
}
