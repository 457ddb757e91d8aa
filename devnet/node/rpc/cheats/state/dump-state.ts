import { bytesToHex } from '../../../../../enclave-sim/protocol/bytes/bytes-to-hex.ts'
import { parseBytes } from '../../../../json-rpc/params/parse-bytes.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import { collectState, decodeStateDump, encodeStateDump } from '../../../state/state-dump.ts'
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
