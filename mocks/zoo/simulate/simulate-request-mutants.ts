import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import {
  isFinalized,
  isHeight,
  isPending,
  isSafe,
  PENDING_OR_HEIGHT,
} from '../parts/block-selectors.ts'
import { hasCapitalDigits } from '../parts/has-capital-digits.ts'
import { isObject } from '../parts/is-object.ts'
import { rewriteFirst, rewriteParams, without } from '../rewrites.ts'

const simulate = mutantsOf('simulate', 'rpc')

/** Changes payloads that name such a block, or are such themselves. */
const payload = (
  isMeant: (selector: unknown, asked: JsonObject) => boolean,
  change: (asked: JsonObject) => JsonObject,
) =>
  rewriteParams('eth_simulateV1', ([asked, ...rest]) =>
    isObject(asked) && isMeant(rest[0], asked) ? [change(asked), ...rest] : [asked, ...rest],
  )

const validates = (_: unknown, { validation }: JsonObject) => validation === true
const untraced = (asked: JsonObject) => without(asked, 'traceTransfers')
const unvalidated = (asked: JsonObject) => without(asked, 'validation')
const inEntries =
  (change: (entry: JsonObject) => JsonObject) =>
  (asked: JsonObject): JsonObject => {
    const entries = asked.blockStateCalls
    if (!Array.isArray(entries)) return asked
    const changed = entries.map((each) => (isObject(each) ? change(each) : each))
    return { ...asked, blockStateCalls: changed }
  }
const ofNoBlock = inEntries((entry) => without(entry, 'blockOverrides'))
const ofNoState = inEntries((entry) => without(entry, 'stateOverrides'))

/** What four bytes keep of a time. */
const inFourBytes = inEntries((entry) => {
  const overrides = entry.blockOverrides
  if (!isObject(overrides) || typeof overrides.timestamp !== 'string') return entry
  const timestamp = `0x${(BigInt(overrides.timestamp) % 2n ** 32n).toString(16)}`
  return { ...entry, blockOverrides: { ...overrides, timestamp } }
})

const TRANSFERS_LOST = [
  ['by-validation', 'with validation', validates],
  ['at-pending', 'upon the pending block', isPending],
  ['at-height', 'upon a height', isHeight],
] as const
const OVERRIDES_LOST = [
  ['by-validation', 'with validation', validates],
  ['at-pending', 'upon the pending block', isPending],
  ['at-safe', 'upon the safe block', isSafe],
] as const

const entriesOf = (params: readonly unknown[], change: (entry: JsonObject) => JsonObject) => {
  const [payload, ...rest] = params
  const { blockStateCalls } = (payload ?? {}) as JsonObject
  if (!Array.isArray(blockStateCalls)) return params
  return [{ ...(payload as JsonObject), blockStateCalls: blockStateCalls.map(change) }, ...rest]
}

/** Storage under one name is taken for the other: alone, or beside what is there. */
const storageNamed = (from: string, to: string): Mutant['apply'] =>
  rewriteParams('eth_simulateV1', (params) =>
    entriesOf(params, (entry) => {
      const accounts = Object.entries((entry?.stateOverrides ?? {}) as Record<string, JsonObject>)
      const stateOverrides = accounts.map(([address, account]) => [
        address,
        Object.fromEntries(
          Object.entries(account ?? {}).map(([name, value]) => [name === from ? to : name, value]),
        ),
      ])
      return { ...entry, stateOverrides: Object.fromEntries(stateOverrides) }
    }),
  )

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
const isValidated = ({ validation }: JsonObject) => validation === true

/** With validation no call but the first has a nonce that would be looked at. */
const laterNonces: Mutant['apply'] = rewriteFirst('eth_simulateV1', (payload) => {
  const entries = payload.blockStateCalls
  if (!Array.isArray(entries) || !isValidated(payload)) return payload
  let met = 0
  const blockStateCalls = (entries as JsonObject[]).map((entry) => ({
    ...entry,
    calls: ((entry?.calls ?? []) as JsonObject[]).map((each) =>
      met++ === 0 ? each : without(each, 'nonce'),
    ),
  }))
  return { ...payload, blockStateCalls }
})

/** Elements after the first lose what they override of their block. */
const laterOverridesLost: Mutant['apply'] = rewriteFirst('eth_simulateV1', (payload) => {
  const entries = payload.blockStateCalls
  if (!Array.isArray(entries)) return payload
  const [first, ...later] = entries as JsonObject[]
  const blockStateCalls = [first, ...later.map((each) => without(each, 'blockOverrides'))]
  return { ...payload, blockStateCalls: entries.length > 0 ? blockStateCalls : [] }
})

/** Mutants that leave out or misread a part of what is to be simulated. */
export const SIMULATE_REQUEST_MUTANTS: readonly Mutant[] = [
  ...TRANSFERS_LOST.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-08',
      `transfers-lost-${name}`,
      `Traces no transfers ${where}`,
      payload(isMeant, untraced),
    ),
  ),
  ...PENDING_OR_HEIGHT.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-10',
      `not-validated-${name}`,
      `Validates nothing ${where}`,
      payload(isMeant, unvalidated),
    ),
  ),
  ...OVERRIDES_LOST.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-20',
      `block-overrides-lost-${name}`,
      `Ignores blockOverrides ${where}`,
      payload(isMeant, ofNoBlock),
    ),
  ),
  simulate(
    'RPC-SIM-14',
    'state-overrides-lost-at-finalized',
    'Ignores stateOverrides upon the finalized block',
    payload(isFinalized, ofNoState),
  ),
  simulate(
    'RPC-SIM-21',
    'timestamp-in-four-bytes',
    'A timestamp override keeps its lower 32 bits',
    payload(() => true, inFourBytes),
  ),
  simulate(
    'RPC-SIM-13',
    'price-ignored',
    'Ignores the gas price of a simulated call, and not its other fees',
    rewriteFirst('eth_simulateV1', (asked) => {
      const entries = asked.blockStateCalls
      if (!Array.isArray(entries)) return asked
      const blockStateCalls = (entries as JsonObject[]).map((entry) =>
        Array.isArray(entry?.calls)
          ? {
              ...entry,
              calls: (entry.calls as JsonObject[]).map((each) => without(each, 'gasPrice')),
            }
          : entry,
      )
      return { ...asked, blockStateCalls }
    }),
  ),
  simulate(
    'RPC-SIM-02',
    'always-the-tip',
    'Simulates on the newest block, whatever the height',
    rewriteParams('eth_simulateV1', (params) =>
      params.map((each) => (/^0x/.test(String(each)) ? 'latest' : each)),
    ),
  ),
  simulate(
    'RPC-SIM-04',
    'eight-entries',
    'Simulates eight entries, and no more',
    rewriteParams('eth_simulateV1', ([payload, ...rest]) => {
      const { blockStateCalls } = (payload ?? {}) as JsonObject
      if (!Array.isArray(blockStateCalls)) return [payload, ...rest]
      return [{ ...(payload as JsonObject), blockStateCalls: blockStateCalls.slice(0, 8) }, ...rest]
    }),
  ),
  simulate(
    'RPC-SIM-15',
    'diff-is-whole',
    'Takes storage that is given in part for all there is',
    storageNamed('stateDiff', 'state'),
  ),
  seenIn(
    ['ethereum/go-ethereum#30185'],
    simulate(
      'RPC-SIM-15',
      'whole-is-diff',
      'Keeps what storage held beside what is given as a whole',
      storageNamed('state', 'stateDiff'),
    ),
  ),
  simulate(
    'RPC-SIM-15',
    'checksummed-ignored',
    'Ignores overrides of accounts whose address has capitals',
    overrides((accounts) =>
      Object.fromEntries(Object.entries(accounts).filter(([name]) => !hasCapitalDigits(name))),
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
      isValidated,
    ),
  ),
  simulate(
    'RPC-SIM-10',
    'first-nonce-only',
    'Validates the nonce of the first call alone',
    laterNonces,
  ),
  simulate(
    'RPC-SIM-21',
    'later-overrides-lost',
    'Reads blockOverrides of the first element alone',
    laterOverridesLost,
  ),
]
