import { wordToAddress, wordToHash } from '#protocol/execution/tracer'
import type { Address, Hash } from '#protocol/types/bytes'
import type { AccessListEntry } from '#protocol/types/transaction'
import { isPrecompile } from './is-precompile.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

const STORAGE = new Set([0x54, 0x55])
/** EXTCODECOPY, EXTCODEHASH, EXTCODESIZE, BALANCE, SELFDESTRUCT. */
const ADDRESS_ON_TOP = new Set([0x3c, 0x3f, 0x3b, 0x31, 0xff])
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const ENTRY_BYTES = 150

export interface AccessListTracer extends ResultTracer {
  result(): AccessListEntry[]
}

/**
 * Gathers what a transaction reads, for its access list, beside what `known` holds already. Who is
 * warm anyway is left out unless its storage is used: sender, recipient, precompiles, authorities.
 */
export function accessListTracer(
  known: readonly AccessListEntry[],
  budget: TraceBudget,
): AccessListTracer {
  const slots = new Map<Address, Set<Hash>>(
    known.map(({ address, storageKeys }) => [address, new Set(storageKeys)]),
  )
  const warm = new Set<Address>()
  const add = (address: Address): Set<Hash> => {
    const found = slots.get(address) ?? new Set()
    if (!slots.has(address)) budget.spend(ENTRY_BYTES)
    slots.set(address, found)
    return found
  }
  const addCold = (address: Address) => {
    if (!warm.has(address) && !isPrecompile(address)) add(address)
  }
  return {
    onStart({ from, to, authorities }) {
      for (const address of [from, to, ...authorities]) warm.add(address)
    },
    onStep({ op, stack, address }) {
      const [first, second] = [stack.at(-1), stack.at(-2)]
      if (STORAGE.has(op) && first !== undefined) {
        add(address).add(wordToHash(first))
      } else if (ADDRESS_ON_TOP.has(op) && first !== undefined) {
        addCold(wordToAddress(first))
      } else if (CALLS.has(op) && second !== undefined) {
        addCold(wordToAddress(second))
      }
      return budget.step()
    },
    result: () => [...slots].map(([address, keys]) => ({ address, storageKeys: [...keys] })),
  }
}
