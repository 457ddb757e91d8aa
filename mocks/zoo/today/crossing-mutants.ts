import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { hex } from '../parts/hex.ts'
import { big } from './big.ts'
import { isToday } from './rewrite-today.ts'

const mutant = mutantsOf('today', 'rpc')

const SETTER = '0x86bdf394'

/** The first block of 200 ms by its place on the grid: its parent, read once, is none. */
const atCrossing = (
  change: (block: JsonObject, parent: JsonObject) => JsonObject,
): Mutant['apply'] => {
  return (context) => {
    const before = new Map<unknown, Promise<JsonObject>>()
    const parentOf = (block: JsonObject) => {
      const number = hex(big(block.number) - 1n)
      const known =
        before.get(number) ??
        (context.ask('eth_getBlockByNumber', [number, true]) as Promise<JsonObject>)
      before.set(number, known)
      return known
    }
    return {
      async response(response, call) {
        if (call.method !== 'eth_getBlockByNumber' || !Object(response.result)) return response
        const block = response.result as JsonObject
        if (!block || !isToday(block) || big(block.number) === 0n) return response
        if (big(block.timestampMs) % 1000n !== 0n) return response
        const parent = await parentOf(block)
        return isToday(parent) || big(parent.number) === 0n
          ? response
          : { ...response, result: change(block, parent) }
      },
    }
  }
}

/** The block before that one. */
const beforeCrossing = (
  change: (block: JsonObject, next: JsonObject) => JsonObject,
): Mutant['apply'] => {
  return (context) => ({
    async response(response, call) {
      const block = response.result as JsonObject | null | undefined
      if (call.method !== 'eth_getBlockByNumber' || !block || isToday(block)) return response
      if (call.params[0] === 'pending') return response
      const number = hex(big(block.number) + 1n)
      const next = (await context.ask('eth_getBlockByNumber', [number, true])) as JsonObject | null
      return next && isToday(next) ? { ...response, result: change(block, next) } : response
    },
  })
}

/** Mutants of the first block of 200 ms, and of the block before it. */
export const CROSSING_MUTANTS: readonly Mutant[] = [
  mutant(
    'TODAY-CROSS-01',
    'at-once',
    'The first block of 200 ms comes a second early',
    atCrossing((block) => ({ ...block, timestamp: hex(big(block.timestamp) - 1n) })),
  ),
  mutant(
    'TODAY-CROSS-02',
    'deposit-before',
    'The block before has the deposit of BaseTime too',
    beforeCrossing((block, next) => {
      const [, deposit] = next.transactions as JsonObject[]
      const listed = block.transactions as unknown[]
      if (typeof listed[0] !== 'object' || !String(deposit?.input).startsWith(SETTER)) return block
      return { ...block, transactions: [...listed, deposit] }
    }),
  ),
  mutant(
    'TODAY-CROSS-03',
    'same-gas',
    'The first block of 200 ms has the gas limit of before',
    atCrossing((block, parent) => ({ ...block, gasLimit: parent.gasLimit })),
  ),
  mutant(
    'TODAY-CROSS-04',
    'same-extra',
    'The first block of 200 ms has the extraData of before',
    atCrossing((block, parent) => ({ ...block, extraData: parent.extraData })),
  ),
  mutant(
    'TODAY-CROSS-05',
    'other-base-fee',
    'The base fee of that block is one wei less',
    atCrossing((block) => ({ ...block, baseFeePerGas: hex(big(block.baseFeePerGas) - 1n) })),
  ),
]
