import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { rewriteParams, without } from './rewrites.ts'

const block = mutantsOf('block', 'rpc')
const call = mutantsOf('call', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')

const isObject = (value: unknown): value is JsonObject => Object(value) === value

/** Changes what is asked of one method at a tag. */
const atTag = (method: string, tag: string, change: (first: JsonObject) => JsonObject) =>
  rewriteParams(method, ([first, selector, ...rest]) =>
    selector === tag && isObject(first)
      ? [change(first), selector, ...rest]
      : [first, selector, ...rest],
  )

/** Gives the list of transactions in the other form. */
const otherForm = (tag: string) =>
  rewriteParams('eth_getBlockByNumber', ([selector, isWhole]) =>
    selector === tag ? [selector, !isWhole] : [selector, isWhole],
  )

/** Changes each entry of a payload. */
const entries = (change: (entry: JsonObject) => JsonObject) => (payload: JsonObject) => {
  const { blockStateCalls } = payload
  if (!Array.isArray(blockStateCalls)) return payload
  const changed = blockStateCalls.map((each) => (isObject(each) ? change(each) : each))
  return { ...payload, blockStateCalls: changed }
}

/** What four bytes keep of a time. */
const inFourBytes = entries((entry) => {
  const overrides = entry.blockOverrides
  if (!isObject(overrides) || typeof overrides.timestamp !== 'string') return entry
  const timestamp = `0x${(BigInt(overrides.timestamp) % 2n ** 32n).toString(16)}`
  return { ...entry, blockOverrides: { ...overrides, timestamp } }
})

/** Mutants that are right at the newest block, and forget a part of what was asked at an older tag. */
export const OLD_TAG_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-BLK-23',
    'safe-other-form',
    'The flag is turned round where the block is asked for as safe',
    otherForm('safe'),
  ),
  block(
    'RPC-BLK-22',
    'finalized-other-form',
    'The flag is turned round where the block is asked for as finalized',
    otherForm('finalized'),
  ),
  call(
    'RPC-CALL-13',
    'safe-without-value',
    'value is left out at safe',
    atTag('eth_call', 'safe', (asked) => without(asked, 'value')),
  ),
  call(
    'RPC-CALL-13',
    'finalized-without-value',
    'value is left out at finalized',
    atTag('eth_call', 'finalized', (asked) => without(asked, 'value')),
  ),
  simulate(
    'RPC-SIM-20',
    'safe-without-block-overrides',
    'Overrides of the block are left out at safe',
    atTag(
      'eth_simulateV1',
      'safe',
      entries((entry) => without(entry, 'blockOverrides')),
    ),
  ),
  simulate(
    'RPC-SIM-14',
    'finalized-without-state-overrides',
    'Overrides of the state are left out at finalized',
    atTag(
      'eth_simulateV1',
      'finalized',
      entries((entry) => without(entry, 'stateOverrides')),
    ),
  ),
  simulate(
    'RPC-SIM-21',
    'timestamp-in-four-bytes',
    'A timestamp override keeps its lower 32 bits',
    rewriteParams('eth_simulateV1', ([payload, ...rest]) =>
      isObject(payload) ? [inFourBytes(payload), ...rest] : [payload, ...rest],
    ),
  ),
]
