import { changeAt, type JsonPath } from './change-at.ts'
import { type Mutant, mutantsOf } from './mutant.ts'
import { hex } from './parts/hex.ts'
import { rewriteParams } from './rewrites.ts'

/** A member of a request that the spec names, and how a careless node may misread it. */
interface Member {
  area: string
  method: string
  /** Place in the params. */
  path: JsonPath
  rule: string
  ways: readonly Way[]
  /** Ways of these kinds that nobody could notice, each with the reason. */
  equivalent?: Partial<Record<Way, string>>
}

type Way = keyof typeof WAYS

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

const LIST = ['drop', 'first', 'last', 'without-first', 'reverse'] as const
const QUANTITY = ['drop', 'zero', 'more', 'half'] as const
const BYTES = ['drop', 'cut-bytes', 'other-bytes'] as const
const SELECTOR = ['drop', 'latest', 'earliest', 'more'] as const
const MEMBERS_OF = ['drop', 'first-member', 'last-member'] as const
const FLAG = ['drop', 'flip'] as const
const NO_ORDER = { reverse: 'What is asked for is any of the list.' }

const of =
  (area: string, method: string, ...base: Member['path']) =>
  (
    path: Member['path'],
    rule: string,
    ways: Member['ways'],
    more: Partial<Member> = {},
  ): Member => ({
    area,
    method,
    path: [...base, ...path],
    rule,
    ways,
    ...more,
  })
const logs = of('logs', 'eth_getLogs', 0)
const call = of('call', 'eth_call')
const simulate = of('simulate', 'eth_simulateV1')
const storage = of('storage', 'eth_getStorageAt')
const entries = ['blockStateCalls', '*'] as const
const inCalls = of('simulate', 'eth_simulateV1', 0, ...entries, 'calls', '*')
const inOverride = of('simulate', 'eth_simulateV1', 0, ...entries, 'stateOverrides', '*')
const inBlock = of('simulate', 'eth_simulateV1', 0, ...entries, 'blockOverrides')

const MEMBERS: readonly Member[] = [
  logs(['fromBlock'], 'RPC-FLT-02', SELECTOR),
  logs(['toBlock'], 'RPC-FLT-05', SELECTOR),
  logs(['address'], 'RPC-FLT-08', LIST, { equivalent: NO_ORDER }),
  logs(['address'], 'RPC-FLT-07', ['cut-bytes', 'other-bytes']),
  logs(['topics'], 'RPC-FLT-10', LIST),
  logs(['topics', '*'], 'RPC-FLT-13', LIST, { equivalent: NO_ORDER }),
  logs(['topics', '*'], 'RPC-FLT-12', ['cut-bytes', 'other-bytes']),
  logs(['topics', '*', '*'], 'RPC-FLT-13', BYTES),
  logs(['blockHash'], 'RPC-FLT-16', BYTES),
  call([0, 'from'], 'RPC-CALL-05', BYTES),
  call([0, 'to'], 'RPC-CALL-07', BYTES),
  call([0, 'gas'], 'RPC-CALL-09', QUANTITY),
  call([0, 'gasPrice'], 'RPC-CALL-10', QUANTITY),
  call([0, 'maxFeePerGas'], 'RPC-CALL-11', QUANTITY),
  call([0, 'maxPriorityFeePerGas'], 'RPC-CALL-12', QUANTITY),
  call([0, 'value'], 'RPC-CALL-13', QUANTITY),
  call([0, 'data'], 'RPC-CALL-14', BYTES),
  call([1], 'RPC-CALL-18', SELECTOR),
  simulate([0, 'blockStateCalls'], 'RPC-SIM-04', LIST),
  simulate([0, ...entries, 'calls'], 'RPC-SIM-32', LIST),
  simulate([0, 'traceTransfers'], 'RPC-SIM-07', FLAG),
  simulate([0, 'validation'], 'RPC-SIM-09', FLAG),
  simulate([1], 'RPC-SIM-02', SELECTOR),
  inCalls(['from'], 'RPC-SIM-13', BYTES),
  inCalls(['to'], 'RPC-SIM-13', BYTES),
  inCalls(['gas'], 'RPC-SIM-13', QUANTITY),
  inCalls(['value'], 'RPC-SIM-13', QUANTITY),
  inCalls(['data'], 'RPC-SIM-13', BYTES),
  inCalls(['nonce'], 'RPC-SIM-10', QUANTITY),
  inCalls(['maxFeePerGas'], 'RPC-SIM-13', QUANTITY),
  simulate([0, ...entries, 'stateOverrides'], 'RPC-SIM-14', MEMBERS_OF),
  inOverride(['balance'], 'RPC-SIM-16', QUANTITY),
  inOverride(['nonce'], 'RPC-SIM-17', QUANTITY),
  inOverride(['code'], 'RPC-SIM-18', BYTES),
  inOverride(['state'], 'RPC-SIM-19', MEMBERS_OF),
  inOverride(['stateDiff'], 'RPC-SIM-19', MEMBERS_OF),
  inBlock(['number'], 'RPC-SIM-20', QUANTITY),
  inBlock(['time'], 'RPC-SIM-21', QUANTITY),
  inBlock(['gasLimit'], 'RPC-SIM-20', QUANTITY),
  inBlock(['baseFeePerGas'], 'RPC-SIM-20', QUANTITY),
  inBlock(['feeRecipient'], 'RPC-SIM-20', BYTES),
  inBlock(['prevRandao'], 'RPC-SIM-20', BYTES),
  storage([0], 'RPC-STOR-01', BYTES),
  storage([1], 'RPC-STOR-02', [...QUANTITY, 'cut-bytes', 'other-bytes']),
  storage([2], 'RPC-STOR-07', SELECTOR),
  of('selectors', 'eth_getBlockByNumber')([0], 'RPC-SEL-01', SELECTOR),
  of('block', 'eth_getBlockByNumber')([1], 'RPC-BLK-02', FLAG),
]

/**
 * Every member of every request that the spec names, misread in every way that fits its kind, but for
 * those that are no mistake.
 */
export const GENERATED_MUTANTS: readonly Mutant[] = MEMBERS.flatMap((member) =>
  member.ways.filter((way) => !member.equivalent?.[way]).map((way) => toMutant(member, way)),
)

function toMutant({ area, method, path, rule }: Member, way: Way): Mutant {
  const place = path.map((step) => (step === '*' ? 'each' : String(step).toLowerCase())).join('-')
  const name = `generated-${method.slice(4).toLowerCase()}-${place}-${way}`
  const says = `${way} at ${path.join('.')} of ${method}`
  const change = (params: readonly unknown[]) =>
    changeAt(params, path, WAYS[way]) as readonly unknown[]
  const mutant = mutantsOf(area, 'rpc')(rule, name, says, rewriteParams(method, change))
  return { ...mutant, isGenerated: true }
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
