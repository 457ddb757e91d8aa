import type { JsonObject, Mutant, MutantContext } from './mutant.ts'
import { mutantsOf } from './mutant.ts'
import {
  answerInstead,
  rewriteFirst,
  rewriteParams,
  rewriteResponse,
  rewriteResult,
  without,
} from './rewrites.ts'

/**
 * Mutants at the edges: the first block and the newest, the height that comes next, what is set to nothing, and
 * letters in capitals. Everything between is right.
 */

const [block, logs, call, simulate, storage] = [
  ...[mutantsOf('block', 'rpc'), mutantsOf('logs', 'rpc'), mutantsOf('call', 'rpc')],
  ...[mutantsOf('simulate', 'rpc'), mutantsOf('storage', 'rpc')],
] as const

/** Milliseconds that an index lags behind the newest block. */
const LAG = 900

const isNumber = (value: unknown) => /^0x[0-9a-f]+$/i.test(String(value))
const hasCapitals = (value: unknown) => /^0x.*[A-F]/.test(String(value))
const filterOf = (params: readonly unknown[]) => Object(params[0]) as JsonObject
const headOf = async ({ ask }: MutantContext) => BigInt(String(await ask('eth_blockNumber')))

const earliestIsLatest = (method: string, at: number) =>
  rewriteParams(method, (params) =>
    params.map((each, index) => (index === at && each === 'earliest' ? 'latest' : each)),
  )

/** Tells whether a height became the newest just now, as those saw it who asked for latest. */
function newestWatch({ clock }: MutantContext) {
  let newest: { number: unknown; hash: unknown; since: number } | undefined
  return {
    look(latest: JsonObject) {
      const { number, hash } = latest
      if (newest?.hash !== hash) newest = { number, hash, since: clock.now() }
    },
    isNew: (number: unknown, hash: unknown) =>
      newest !== undefined &&
      clock.now() - newest.since < LAG &&
      (newest.number === number || newest.hash === hash),
  }
}

/** Answers of one method are empty while what they are about has just become the newest block. */
const lagging =
  (method: string, empty: unknown): Mutant['apply'] =>
  (context) => {
    const watch = newestWatch(context)
    return {
      response(response, { method: asked, params }) {
        const { result } = response
        if (asked === 'eth_getBlockByNumber' && params[0] === 'latest' && result)
          watch.look(result as JsonObject)
        if (asked !== method || !('result' in response)) return response
        const { blockHash, toBlock = params[0] } = filterOf(params)
        return watch.isNew(toBlock, blockHash) ? { ...response, result: empty } : response
      },
    }
  }

/** The height after the newest one is the block that is being built. */
const nextIsPending = rewriteResult('eth_getBlockByNumber', async (result, { params }, context) =>
  result === null &&
  isNumber(params[0]) &&
  BigInt(String(params[0])) === (await headOf(context)) + 1n
    ? context.ask('eth_getBlockByNumber', ['pending', params[1]])
    : result,
)

const pastIsPending = rewriteResult('eth_getLogs', async (result, { params }, context) => {
  const filter = filterOf(params)
  return isNumber(filter.toBlock) && BigInt(String(filter.toBlock)) > (await headOf(context))
    ? context.ask('eth_getLogs', [{ ...filter, toBlock: 'pending' }])
    : result
})

const isUnsealed = ({ blockHash }: JsonObject) => /^0x0*$/.test(String(blockHash ?? '0x'))

/** From latest to pending the newest sealed block is not searched. */
const latestLeftOut = rewriteResult('eth_getLogs', (result, { params }) => {
  const { fromBlock, toBlock } = filterOf(params)
  const isMeant = fromBlock === 'latest' && toBlock === 'pending'
  return isMeant ? (result as JsonObject[]).filter(isUnsealed) : result
})

const PRECOMPILE = /^0x0{38}[01][0-9a-f]$/i

/** Changes the state overrides of each entry. */
const overrides = (
  change: (accounts: Readonly<Record<string, JsonObject>>) => Readonly<Record<string, JsonObject>>,
  isMeant: (payload: JsonObject) => boolean = () => true,
): Mutant['apply'] =>
  rewriteFirst('eth_simulateV1', (payload) => {
    const entries = payload.blockStateCalls
    if (!Array.isArray(entries) || !isMeant(payload)) return payload
    const blockStateCalls = (entries as JsonObject[]).map((entry) =>
      entry?.stateOverrides
        ? {
            ...entry,
            stateOverrides: change(entry.stateOverrides as Readonly<Record<string, JsonObject>>),
          }
        : entry,
    )
    return { ...payload, blockStateCalls }
  })

const eachAccount =
  (change: (account: JsonObject) => JsonObject) =>
  (accounts: Readonly<Record<string, JsonObject>>) =>
    Object.fromEntries(Object.entries(accounts).map(([name, each]) => [name, change(each)]))

const isNothing = (value: unknown) => /^0x0*$/.test(String(value))
const withoutNothing = (account: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(account).flatMap(([name, value]) => {
      if (name === 'stateDiff') return [[name, withoutNothing(value as JsonObject)]]
      return isNothing(value) ? [] : [[name, value]]
    }),
  )

const RICH = '0xde0b6b3a7640000'
const validates = ({ validation }: JsonObject) => validation === true

/** With validation no call but the first has a nonce that would be looked at. */
const laterNonces: Mutant['apply'] = rewriteFirst('eth_simulateV1', (payload) => {
  const entries = payload.blockStateCalls
  if (!Array.isArray(entries) || !validates(payload)) return payload
  let met = 0
  const blockStateCalls = (entries as JsonObject[]).map((entry) => ({
    ...entry,
    calls: ((entry?.calls ?? []) as JsonObject[]).map((each) =>
      met++ === 0 ? each : without(each, 'nonce'),
    ),
  }))
  return { ...payload, blockStateCalls }
})

/** Gives a code to what it should refuse. */
const readsWallets = (
  rule: string,
  name: string,
  says: string,
  isMeant: (wallet: unknown) => boolean,
) =>
  mutantsOf('builder-codes', 'api')(rule, name, says, () => ({
    async http(request, forward) {
      const answer = await forward(request)
      const wallet = walletIn(request.body)
      if (!isMeant(wallet)) return answer
      const body = JSON.stringify({ builderCode: 'bc_12345678', walletAddress: String(wallet) })
      return { ...answer, status: 201, body }
    },
  }))

function walletIn(body: string): unknown {
  try {
    return (Object(JSON.parse(body)) as JsonObject).walletAddress
  } catch {
    return undefined
  }
}

export const EDGE_MUTANTS: readonly Mutant[] = [
  mutantsOf('envelope', 'rpc')(
    'RPC-ENV-09',
    'sign-lost',
    'Answers a negative id without its sign',
    rewriteResponse((response) =>
      typeof response.id === 'number' ? { ...response, id: Math.abs(response.id) } : response,
    ),
  ),
  readsWallets('BC-06', 'odd-digits', 'Takes an address that lacks a digit', (wallet) =>
    /^0x[0-9a-f]{39}$/i.test(String(wallet)),
  ),
  readsWallets('BC-06', 'trims', 'Takes an address with spaces around it', (wallet) =>
    /^\s+0x[0-9a-f]{40}|^0x[0-9a-f]{40}\s/i.test(String(wallet)),
  ),
  readsWallets('BC-05', 'list-as-text', 'Reads a list of one address as the address', (wallet) =>
    Array.isArray(wallet),
  ),
  call(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Calls the newest block for the first one',
    earliestIsLatest('eth_call', 1),
  ),
  storage(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Reads the newest value for the first one',
    earliestIsLatest('eth_getStorageAt', 2),
  ),
  simulate(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Simulates on the newest block for the first one',
    earliestIsLatest('eth_simulateV1', 1),
  ),
  call(
    'RPC-CALL-07',
    'no-precompiles',
    'Takes precompiles for accounts without code',
    answerInstead('eth_call', ([first]) =>
      PRECOMPILE.test(String((Object(first) as JsonObject).to)) ? { result: '0x' } : undefined,
    ),
  ),
  block(
    'RPC-PEND-12',
    'number-lags',
    'The newest block is not there under its height at first',
    lagging('eth_getBlockByNumber', null),
  ),
  block(
    'RPC-BLK-04',
    'next-is-pending',
    'The height after the newest one is the pending block',
    nextIsPending,
  ),
  block(
    'RPC-SEL-01',
    'capitals-are-null',
    'Finds no block whose height is in capitals',
    answerInstead('eth_getBlockByNumber', ([height]) =>
      hasCapitals(height) ? { result: null } : undefined,
    ),
  ),
  logs(
    'RPC-GETLOGS-04',
    'index-lags',
    'Logs of the newest block are not found at first',
    lagging('eth_getLogs', []),
  ),
  logs(
    'RPC-FLT-16',
    'hash-in-capitals',
    'Finds nothing in a block whose hash is in capitals',
    answerInstead('eth_getLogs', (params) =>
      hasCapitals(filterOf(params).blockHash) ? { result: [] } : undefined,
    ),
  ),
  logs(
    'RPC-FLT-02',
    'latest-left-out',
    'From latest to pending the newest sealed block is not searched',
    latestLeftOut,
  ),
  logs(
    'RPC-PEND-11',
    'past-is-pending',
    'A range of numbers past the newest block has pre-confirmed logs',
    pastIsPending,
  ),
  simulate(
    'RPC-SIM-15',
    'checksummed-ignored',
    'Ignores overrides of accounts whose address has capitals',
    overrides((accounts) =>
      Object.fromEntries(Object.entries(accounts).filter(([name]) => !hasCapitals(name))),
    ),
  ),
  simulate(
    'RPC-SIM-15',
    'nothing-ignored',
    'Takes an override to zero, or to no code, for none',
    overrides(eachAccount(withoutNothing)),
  ),
  simulate(
    'RPC-SIM-11',
    'gas-is-free',
    'Validates that a sender has what it sends, and not what its gas costs',
    overrides(
      eachAccount((account) =>
        account.balance && !isNothing(account.balance) ? { ...account, balance: RICH } : account,
      ),
      validates,
    ),
  ),
  simulate(
    'RPC-SIM-10',
    'first-nonce-only',
    'Validates the nonce of the first call alone',
    laterNonces,
  ),
]
