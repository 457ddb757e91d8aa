import { expectBytes } from '../matchers/expect-hex.ts'
import { CONTEXT_WORDS, type ContextWord } from '../probes/contracts.ts'
import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** Bytes a call returns. @throws CaseFailure on an error, or on anything but hex */
export async function ethCall(
  rpc: JsonRpcClient,
  call: Record<string, unknown>,
  selector = 'latest',
): Promise<Hex> {
  return expectBytes(await rpc.result('eth_call', [call, selector]), 'result')
}

/** What the context probe saw. `words` is a return value of CONTEXT_PROBE. */
export function readContext(words: Hex): Record<ContextWord, bigint> {
  const entries = CONTEXT_WORDS.map((name, index) => {
    const hex = words.slice(2 + 64 * index, 2 + 64 * (index + 1))
    return [name, hex ? BigInt(`0x${hex}`) : -1n]
  })
  return Object.fromEntries(entries)
}

/** A number as one ABI word. */
export function toWord(value: bigint | number | Hex): Hex {
  return `0x${BigInt(value).toString(16).padStart(64, '0')}`
}

/** Several words one after the other, as calldata. */
export function words(...values: (bigint | number | Hex)[]): Hex {
  return `0x${values.map((value) => toWord(value).slice(2)).join('')}`
}

/** An address word as an address. */
export function addressOf(value: bigint): Hex {
  return `0x${value.toString(16).padStart(40, '0')}`
}
