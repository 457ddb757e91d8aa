import { parseBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { collectState, decodeStateDump, encodeStateDump } from '#devnet/l2/node/state/state-dump'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `anvil_dumpState []` → the whole state at `latest` as bytes, gzipped: balances, nonces, code and storage. Blocks
 * and pre-confirmed transactions are not in it.
 */
export const dumpState: CheatMethod = ({ cheats, chain }) => {
  const stateRoot = cheats.chain.stateRootOf(chain.latest())
  return bytesToHex(encodeStateDump(collectState(chain.store, chain.chainId, stateRoot)))
}

/**
 * `anvil_loadState [bytes]` → true: such a state takes the place of that at `latest`. What is pre-confirmed is
 * sealed before.
 *
 * @throws JsonRpcError -32602 for bytes that are no whole state of a chain with this id
 */
export const loadState: CheatMethod = async ({ cheats }, params) => {
  await cheats.loadState(decodeStateDump(parseBytes(positional(params)[0], 'state')))
  return true
}
