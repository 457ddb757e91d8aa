import { CONTRACTS } from '../payloads/accounts.ts'
import type { JsonRpcClient, RpcReply } from '../wire/json-rpc-client.ts'
import { toWord } from './eth-call.ts'

/** Returns its first slot. */
const READER = { code: '0x5f545f5260205ff3', state: { [toWord(0)]: toWord(7) } }
const PLACED = { [CONTRACTS[0]!]: READER }
const READ = { to: CONTRACTS[0] }

/** What a node reads that takes code and state in its overrides, as other nodes name them: that is not stated. */
export const READ_FROM_OVERRIDE = toWord(7)

export const callReader = (rpc: JsonRpcClient, selector = 'latest'): Promise<RpcReply> =>
  rpc.call('eth_call', [READ, selector, PLACED])

export const simulateReader = (rpc: JsonRpcClient, selector = 'latest'): Promise<RpcReply> =>
  rpc.call('eth_simulateV1', [
    { blockStateCalls: [{ stateOverrides: PLACED, calls: [READ] }] },
    selector,
  ])
