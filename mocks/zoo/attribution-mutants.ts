import { concat, type Hex, size, slice } from 'viem'
import type { AttributionCodec } from './attribution-codec.ts'
import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { answerInstead, rewriteResult } from './rewrites.ts'

export const MARKER: Hex = '0x80218021802180218021802180218021'

const area = 'builder-codes'
export const isMarked = (data: unknown) => String(data).endsWith(MARKER.slice(2))

const client = mutantsOf(area, 'attribution')
/** A client library with one mistake. */
export const codec = (
  rule: string,
  name: string,
  says: string,
  change: (codec: AttributionCodec) => Partial<AttributionCodec>,
) => client(rule, name, says, () => ({ attribution: (real) => ({ ...real, ...change(real) }) }))

const node = mutantsOf(area, 'rpc')

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
]
