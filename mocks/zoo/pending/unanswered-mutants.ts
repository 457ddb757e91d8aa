import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'

const ofPending = mutantsOf('pending', 'rpc')
const ofLogs = mutantsOf('logs', 'rpc')
const ofCall = mutantsOf('call', 'rpc')
const ofStorage = mutantsOf('storage', 'rpc')
const ofSimulate = mutantsOf('simulate', 'rpc')

const NOTHING_YET = { error: { code: -32000, message: 'no block under construction' } }
/** Rare enough that one look of a case seldom meets it, and often enough for a busy machine. */
const EVERY = 11

/** Gives each eleventh answer of a method at pending another end. */
const atPending =
  (method: string, members: JsonObject): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      response(response, call) {
        const isMeant = call.method === method && JSON.stringify(call.params).includes('"pending"')
        if (!isMeant || !('result' in response)) return response
        met += 1
        if (met % EVERY !== 0) return response
        return { jsonrpc: '2.0', id: response.id, ...members }
      },
    }
  }

/** Mutants that have no answer at pending now and then, as where a block is sealed and the next not begun. */
export const UNANSWERED_MUTANTS: readonly Mutant[] = [
  ofPending(
    'RPC-SEL-09',
    'null-now-and-then',
    'pending is null in each eleventh answer',
    atPending('eth_getBlockByNumber', { result: null }),
  ),
  ofPending(
    'RPC-SEL-03',
    'error-now-and-then',
    'pending is an error in each eleventh answer',
    atPending('eth_getBlockByNumber', NOTHING_YET),
  ),
  ofLogs(
    'RPC-GETLOGS-02',
    'pending-error-now-and-then',
    'Logs at pending are an error in each eleventh answer',
    atPending('eth_getLogs', NOTHING_YET),
  ),
  ofCall(
    'RPC-CALL-19',
    'pending-error-now-and-then',
    'A call at pending is an error in each eleventh answer',
    atPending('eth_call', NOTHING_YET),
  ),
  ofStorage(
    'RPC-STOR-08',
    'pending-error-now-and-then',
    'A slot at pending is an error in each eleventh answer',
    atPending('eth_getStorageAt', NOTHING_YET),
  ),
  ofSimulate(
    'RPC-SIM-03',
    'pending-error-now-and-then',
    'A simulation at pending is an error in each eleventh answer',
    atPending('eth_simulateV1', NOTHING_YET),
  ),
]
