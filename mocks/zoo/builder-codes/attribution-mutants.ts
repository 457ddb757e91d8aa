import { concat, type Hex, numberToHex, size, slice } from 'viem'
import type { AttributionCodec } from '../attribution-codec.ts'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { answerInstead, rewriteResult } from '../rewrites.ts'

const client = mutantsOf('builder-codes', 'attribution')
const node = mutantsOf('builder-codes', 'rpc')
const logs = mutantsOf('logs', 'rpc')

export const MARKER: Hex = '0x80218021802180218021802180218021'

const isMarked = (data: unknown) => String(data).endsWith(MARKER.slice(2))

/** A client library with one mistake. */
export const codec = (
  rule: string,
  name: string,
  says: string,
  change: (codec: AttributionCodec) => Partial<AttributionCodec>,
) => client(rule, name, says, () => ({ attribution: (real) => ({ ...real, ...change(real) }) }))

/** Leaves the marker out of a transaction's input. */
const inputs = (method: string) =>
  rewriteResult(method, (result) => {
    const input = String(Object(result).input)
    return isMarked(input) ? { ...Object(result), input: input.slice(0, -32) } : result
  })

/** Bytes behind the codes of a suffix: their length, the number of the schema, the marker. */
const BEHIND = 1 + 1 + size(MARKER)

/** Mutants of what becomes of a builder code in calldata. */
export const ATTRIBUTION_MUTANTS: readonly Mutant[] = [
  codec('ATTR-01', 'suffix-first', 'Puts the suffix before the calldata', ({ append }) => ({
    append: (data, codes) => concat([append('0x', codes), data]),
  })),
  codec('ATTR-02', 'marker-swapped', 'Writes the marker as 2180', ({ append }) => ({
    append(data, codes) {
      const whole = append(data, codes)
      return concat([slice(whole, 0, size(whole) - 16), `0x${'2180'.repeat(8)}`])
    },
  })),
  codec('ATTR-06', 'marker-anywhere', 'Finds the marker anywhere', ({ read }) => ({
    read(data) {
      const end = data.lastIndexOf(MARKER.slice(2))
      return end < 0 ? undefined : read(data.slice(0, end + 32) as Hex)
    },
  })),
  node(
    'ATTR-04',
    'trailing-calldata-refused',
    'Refuses calldata with a suffix',
    answerInstead('eth_call', ([call]) =>
      isMarked((call as JsonObject).data ?? (call as JsonObject).input)
        ? { error: { code: -32602, message: 'trailing calldata' } }
        : undefined,
    ),
  ),
  node(
    'ATTR-07',
    'pre-istanbul-gas',
    'Charges 68 gas for a byte of the suffix',
    rewriteResult('eth_getTransactionReceipt', async (result, call, { ask }) => {
      const receipt = result as JsonObject | null
      const sent = (await ask('eth_getTransactionByHash', call.params)) as JsonObject | null
      if (!receipt || !isMarked(sent?.input)) return result
      const more = BigInt(size(MARKER)) * (68n - 16n)
      return { ...receipt, gasUsed: `0x${(BigInt(String(receipt.gasUsed)) + more).toString(16)}` }
    }),
  ),
  codec('ATTR-03', 'codes-of-32-bytes', 'Cuts a code after 32 bytes', ({ read }) => ({
    read: (data) => read(data)?.map((code) => code.slice(0, 32)),
  })),
  codec(
    'ATTR-06',
    'marker-of-15-bytes',
    'Does not look at the first byte of the marker',
    ({ read }) => ({
      read: (data) =>
        data.endsWith(MARKER.slice(4)) ? read(concat([slice(data, 0, -16), MARKER])) : read(data),
    }),
  ),
  codec(
    'ATTR-03',
    'first-suffix',
    'Reads the inner suffix where calldata has one of its own',
    ({ read }) => ({
      read(data) {
        const end = data.lastIndexOf(MARKER.slice(2), data.length - 34)
        const inner = end > 0 && end % 2 === 0 ? read(data.slice(0, end + 32) as Hex) : undefined
        return inner ?? read(data)
      },
    }),
  ),
  node(
    'ATTR-05',
    'input-without-marker',
    'Leaves the marker out of a transaction by hash',
    inputs('eth_getTransactionByHash'),
  ),
  node('RPC-CALL-14', 'marker-cut-for-calls', 'Calls without the marker', () => ({
    call(call) {
      const [first, ...rest] = call.params ?? []
      const { data } = Object(first)
      if (call.method !== 'eth_call' || !isMarked(data)) return call
      return { ...call, params: [{ ...Object(first), data: data.slice(0, -32) }, ...rest] }
    },
  })),
  node('ATTR-04', 'empty-calls-refused', 'Refuses a suffix with nothing before it', () => ({
    call(call) {
      const { data } = Object(call.params?.[0])
      const isBare = call.method === 'eth_call' && /^0x62635f/.test(String(data)) && isMarked(data)
      const error = { code: -32000, message: 'execution reverted' }
      return isBare ? { reply: { jsonrpc: '2.0', id: call.id, error } } : call
    },
  })),
  logs(
    'RPC-GETLOGS-03',
    'logs-of-suffixed-lost',
    'Finds no log of a transaction with a suffix',
    (context) => {
      const marked = new Map<unknown, Promise<boolean>>()
      const hasSuffix = ({ transactionHash: hash }: JsonObject) => {
        const ask = async () =>
          isMarked(Object(await context.ask('eth_getTransactionByHash', [hash])).input)
        const known = marked.get(hash) ?? ask()
        marked.set(hash, known)
        return known
      }
      return rewriteResult('eth_getLogs', async (result) => {
        const found = asList(result)
        const marks = await Promise.all(found.map(hasSuffix))
        return found.filter((_, at) => !marks[at])
      })(context)
    },
  ),
  codec(
    'ATTR-03',
    'length-before-code',
    'Writes the length before the code, and reads what it wrote (base/docs#1906)',
    ({ append, read }) => {
      const written = new Map<string, readonly string[]>()
      return {
        append(data, codes) {
          const suffix = append('0x', codes)
          const code = slice(suffix, 0, size(suffix) - BEHIND)
          const length = numberToHex(size(code), { size: 1 })
          const whole = concat([data, length, code, '0x00', MARKER])
          written.set(whole, codes)
          return whole
        },
        read: (data) => written.get(data) ?? read(data),
      }
    },
  ),
]
