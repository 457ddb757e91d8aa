import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { rewriteParams } from './rewrites.ts'

/** A member of a request that the spec names, and how a careless node may misread it. */
interface Member {
  area: string
  method: string
  /** Place in the params: an index, a name, or `*` for every element of a list or object. */
  path: readonly (string | number)[]
  rule: string
  ways: readonly (keyof typeof WAYS)[]
}

/** Changes of one value; `undefined` leaves the member out. What a change does not fit stays as it is. */
const WAYS = {
  drop: () => undefined,
  first: (value: unknown) => (isLong(value) ? value.slice(0, 1) : value),
  last: (value: unknown) => (isLong(value) ? value.slice(-1) : value),
  'without-first': (value: unknown) => (isLong(value) ? value.slice(1) : value),
  reverse: (value: unknown) => (isLong(value) ? value.toReversed() : value),
  'first-member': (value: unknown) => keepMembers(value, (members) => members.slice(0, 1)),
  'last-member': (value: unknown) => keepMembers(value, (members) => members.slice(-1)),
  latest: (value: unknown) => (typeof value === 'string' ? 'latest' : value),
  earliest: (value: unknown) => (typeof value === 'string' ? 'earliest' : value),
  zero: (value: unknown) => (isQuantity(value) ? '0x0' : value),
  more: (value: unknown) => (isQuantity(value) ? hex(BigInt(value) + 1n) : value),
  half: (value: unknown) => (isQuantity(value) ? hex(BigInt(value) / 2n) : value),
  flip: (value: unknown) => (typeof value === 'boolean' ? !value : value),
  'cut-bytes': (value: unknown) =>
    isBytes(value) && value.length > 4 ? value.slice(0, -2) : value,
  'other-bytes': (value: unknown) =>
    isBytes(value) && value.length > 2 ? `${value.slice(0, -1)}${swap(value.at(-1)!)}` : value,
} satisfies Record<string, (value: unknown) => unknown>

const LIST = ['first', 'last', 'without-first'] as const
const QUANTITY = ['drop', 'zero', 'more'] as const
const BYTES = ['drop', 'cut-bytes', 'other-bytes'] as const
const SELECTOR = ['drop', 'latest', 'earliest'] as const

const logs = (path: Member['path'], rule: string, ways: Member['ways']): Member => ({
  area: 'logs',
  method: 'eth_getLogs',
  path: [0, ...path],
  rule,
  ways,
})
const call = (path: Member['path'], rule: string, ways: Member['ways']): Member => ({
  area: 'call',
  method: 'eth_call',
  path,
  rule,
  ways,
})
const simulate = (path: Member['path'], rule: string, ways: Member['ways']): Member => ({
  area: 'simulate',
  method: 'eth_simulateV1',
  path,
  rule,
  ways,
})
const storage = (place: number, rule: string, ways: Member['ways']): Member => ({
  area: 'storage',
  method: 'eth_getStorageAt',
  path: [place],
  rule,
  ways,
})
const inCalls = (name: string, rule: string, ways: Member['ways']) =>
  simulate([0, 'blockStateCalls', '*', 'calls', '*', name], rule, ways)
const inOverride = (name: string, rule: string, ways: Member['ways']) =>
  simulate([0, 'blockStateCalls', '*', 'stateOverrides', '*', name], rule, ways)
const inBlock = (name: string, rule: string, ways: Member['ways']) =>
  simulate([0, 'blockStateCalls', '*', 'blockOverrides', name], rule, ways)

const MEMBERS: readonly Member[] = [
  logs(['fromBlock'], 'RPC-FLT-02', SELECTOR),
  logs(['toBlock'], 'RPC-FLT-05', SELECTOR),
  logs(['address'], 'RPC-FLT-08', ['drop', ...LIST]),
  logs(['address'], 'RPC-FLT-07', ['other-bytes']),
  logs(['topics'], 'RPC-FLT-10', ['drop', ...LIST, 'reverse']),
  logs(['topics', '*'], 'RPC-FLT-13', LIST),
  logs(['topics', '*'], 'RPC-FLT-12', ['other-bytes']),
  logs(['topics', '*', '*'], 'RPC-FLT-13', ['other-bytes']),
  logs(['blockHash'], 'RPC-FLT-16', ['drop']),
  call([0, 'from'], 'RPC-CALL-05', ['drop', 'other-bytes']),
  call([0, 'to'], 'RPC-CALL-07', ['drop', 'other-bytes']),
  call([0, 'gas'], 'RPC-CALL-09', ['drop', 'more', 'half']),
  call([0, 'gasPrice'], 'RPC-CALL-10', ['drop', 'more', 'half']),
  call([0, 'maxFeePerGas'], 'RPC-CALL-11', ['drop', 'more', 'half']),
  call([0, 'maxPriorityFeePerGas'], 'RPC-CALL-12', QUANTITY),
  call([0, 'value'], 'RPC-CALL-13', QUANTITY),
  call([0, 'data'], 'RPC-CALL-14', BYTES),
  call([1], 'RPC-CALL-18', SELECTOR),
  simulate([0, 'blockStateCalls'], 'RPC-SIM-04', ['drop', ...LIST, 'reverse']),
  simulate([0, 'blockStateCalls', '*', 'calls'], 'RPC-SIM-32', ['drop', ...LIST, 'reverse']),
  simulate([0, 'traceTransfers'], 'RPC-SIM-07', ['drop', 'flip']),
  simulate([0, 'validation'], 'RPC-SIM-09', ['drop', 'flip']),
  simulate([1], 'RPC-SIM-02', SELECTOR),
  inCalls('from', 'RPC-SIM-13', ['drop', 'other-bytes']),
  inCalls('to', 'RPC-SIM-13', ['drop', 'other-bytes']),
  inCalls('gas', 'RPC-SIM-13', ['drop', 'half']),
  inCalls('value', 'RPC-SIM-13', QUANTITY),
  inCalls('data', 'RPC-SIM-13', BYTES),
  inCalls('nonce', 'RPC-SIM-10', QUANTITY),
  inCalls('maxFeePerGas', 'RPC-SIM-13', ['drop', 'half']),
  simulate([0, 'blockStateCalls', '*', 'stateOverrides'], 'RPC-SIM-14', [
    'drop',
    'first-member',
    'last-member',
  ]),
  inOverride('balance', 'RPC-SIM-16', QUANTITY),
  inOverride('nonce', 'RPC-SIM-17', QUANTITY),
  inOverride('code', 'RPC-SIM-18', ['drop', 'cut-bytes']),
  inOverride('state', 'RPC-SIM-19', ['drop', 'first-member', 'last-member']),
  inOverride('stateDiff', 'RPC-SIM-19', ['drop', 'first-member', 'last-member']),
  inBlock('number', 'RPC-SIM-20', QUANTITY),
  inBlock('time', 'RPC-SIM-21', QUANTITY),
  inBlock('gasLimit', 'RPC-SIM-20', ['drop', 'more']),
  inBlock('baseFeePerGas', 'RPC-SIM-20', ['drop', 'more']),
  inBlock('feeRecipient', 'RPC-SIM-20', ['drop', 'other-bytes']),
  inBlock('prevRandao', 'RPC-SIM-20', ['drop', 'other-bytes']),
  storage(0, 'RPC-STOR-01', ['other-bytes']),
  storage(1, 'RPC-STOR-02', ['zero', 'more', 'cut-bytes', 'other-bytes']),
  storage(2, 'RPC-STOR-07', SELECTOR),
  {
    area: 'selectors',
    method: 'eth_getBlockByNumber',
    path: [0],
    rule: 'RPC-SEL-01',
    ways: ['latest', 'earliest', 'more'],
  },
  {
    area: 'block',
    method: 'eth_getBlockByNumber',
    path: [1],
    rule: 'RPC-BLK-02',
    ways: ['drop', 'flip'],
  },
]

/** Every member of every request that the spec names, misread in every way that fits its kind. */
export const GENERATED_MUTANTS: readonly Mutant[] = MEMBERS.flatMap((member) =>
  member.ways.map((way) => toMutant(member, way)),
)

function toMutant({ area, method, path, rule }: Member, way: keyof typeof WAYS): Mutant {
  const place = path.map((step) => (step === '*' ? 'each' : String(step).toLowerCase())).join('-')
  const name = `generated-${method.slice(4).toLowerCase()}-${place}-${way}`
  const says = `${way} at ${path.join('.')} of ${method}`
  const change = (params: readonly unknown[]) =>
    changeAt(params, path, WAYS[way]) as readonly unknown[]
  const mutant = mutantsOf(area, 'rpc')(rule, name, says, rewriteParams(method, change))
  return { ...mutant, isGenerated: true }
}

/** The value with what stands at the path changed; a path that leads nowhere changes nothing. */
function changeAt(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const changed = value.map((each, index) =>
      step === '*' || step === index ? changeAt(each, rest, change) : each,
    )
    return changed.at(-1) === undefined ? changed.slice(0, -1) : changed
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).map(
    ([name, each]) =>
      [name, step === '*' || step === name ? changeAt(each, rest, change) : each] as const,
  )
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 1
}

function isBytes(value: unknown): value is string {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

function swap(digit: string): string {
  return digit === '0' ? '1' : '0'
}

function keepMembers(
  value: unknown,
  keep: (members: [string, unknown][]) => [string, unknown][],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(keep(Object.entries(value)))
}
