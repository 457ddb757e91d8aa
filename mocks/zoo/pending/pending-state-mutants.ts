import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { rewriteResult } from '../rewrites.ts'

const call = mutantsOf('call', 'rpc')
const storage = mutantsOf('storage', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')
const selectors = mutantsOf('selectors', 'rpc')

const ZERO_WORD = `0x${'00'.repeat(32)}`

/** What the first call of a simulation returned; the result itself elsewhere. */
function valueIn(result: unknown): unknown {
  const [block] = Array.isArray(result) ? (result as { calls?: JsonObject[] }[]) : []
  return block ? block.calls?.[0]?.returnData : result
}

/** Answers with what latest says where `isMeant` of both. */
const asAtLatest = (
  method: string,
  isMeant: (values: { pending: unknown; latest: unknown }) => boolean,
): Mutant['apply'] =>
  rewriteResult(method, async (result, { params }, { ask }) => {
    const place = params.indexOf('pending')
    if (place < 0) return result
    const latest = await ask(method, params.with(place, 'latest'))
    return isMeant({ pending: valueIn(result), latest: valueIn(latest) }) ? latest : result
  })

const METHODS = [
  [call, 'RPC-CALL-19', 'eth_call', '0x'],
  [storage, 'RPC-STOR-08', 'eth_getStorageAt', ZERO_WORD],
  [simulate, 'RPC-SIM-03', 'eth_simulateV1', '0x'],
] as const

/** One answer in so many is wrong. */
const RARE = 5

const isPending = (params: readonly unknown[]) => params.at(-1) === 'pending'

/** Reads the sealed state now and then, where the pending one was asked for. */
const staleAtPending =
  (method: string): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      call(call) {
        if (call.method !== method || !isPending(call.params)) return call
        met += 1
        return met % RARE === 0
          ? { ...call, params: [...call.params.slice(0, -1), 'latest'] }
          : call
      },
    }
  }

/** What is asked of an account at pending, changed by what the sealed state says. */
const ofAccount = (method: string, change: (now: bigint, sealed: bigint) => bigint) =>
  rewriteResult(method, async (result, { params: [account, tag] }, { ask }) => {
    if (tag !== 'pending') return result
    const sealed = await ask(method, [account, 'latest'])
    return hex(change(BigInt(String(result)), BigInt(String(sealed))))
  })

/** Mutants that read the sealed state for the pending one, for some contracts and accounts, or now and then. */
export const PENDING_STATE_MUTANTS: readonly Mutant[] = [
  ...METHODS.flatMap(([mutant, rule, method, none]) => [
    mutant(
      rule,
      'pending-created-missing',
      'Finds no contract at pending that latest has not',
      asAtLatest(method, ({ latest }) => latest === none),
    ),
    mutant(
      rule,
      'pending-cleared-stale',
      'Reads at latest what is zero at pending',
      asAtLatest(method, ({ pending }) => pending === ZERO_WORD),
    ),
  ]),
  call(
    'RPC-CALL-19',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_call'),
  ),
  storage(
    'RPC-STOR-08',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_getStorageAt'),
  ),
  simulate(
    'RPC-SIM-03',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_simulateV1'),
  ),
  selectors(
    'RPC-SEL-09',
    'one-more-nonce',
    'Counts one pre-confirmed transaction of a sender at most',
    ofAccount('eth_getTransactionCount', (now, sealed) => (now > sealed ? sealed + 1n : now)),
  ),
  selectors(
    'RPC-SEL-09',
    'new-account-empty',
    'A new account has nothing until its block is sealed',
    ofAccount('eth_getBalance', (now, sealed) => (sealed === 0n ? 0n : now)),
  ),
]
