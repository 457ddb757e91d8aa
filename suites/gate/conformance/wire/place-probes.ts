import { notApplicable } from '../case-failure.ts'
import type { Hex } from './hex.ts'
import { type JsonRpcClient, resultOf } from './json-rpc-client.ts'

/** Code and money that calls find in place without any transaction: address → override. */
export type Placed = Readonly<Record<Hex, { code?: Hex; balance?: Hex }>>

type JsonObject = Readonly<Record<string, unknown>>

/**
 * A client whose calls and simulations find what `placed` names, by state overrides: those of
 * eth_simulateV1 are in the spec, those of eth_call (a third parameter) most nodes have. What cannot be
 * asked with an override, such as eth_call without a selector, is not applicable.
 */
export function placeProbes(
  rpc: JsonRpcClient,
  placed: Placed,
  /** Whether the node takes overrides in eth_call. */
  takesOverrides: () => Promise<boolean>,
  /** Asks without an override where none can be given. Default: such a case is not applicable. */
  { isOptional = false } = {},
): JsonRpcClient {
  const client: JsonRpcClient = {
    ...rpc,
    async call(method, params = [], id) {
      if (!Array.isArray(params)) return rpc.call(method, params, id)
      if (method === 'eth_call' && concerns(params[0])) {
        const hasPlace = params.length === 2
        if (isOptional && !(hasPlace && (await takesOverrides())))
          return rpc.call(method, params, id)
        if (!hasPlace) notApplicable('Its call leaves no place for an override.')
        if (!(await takesOverrides())) notApplicable('The node takes no overrides in eth_call.')
        return rpc.call(method, [...params, placed], id)
      }
      if (method === 'eth_simulateV1')
        return rpc.call(method, [inFirst(params[0]), ...params.slice(1)], id)
      return rpc.call(method, params, id)
    },
    async result(method, params = []) {
      return resultOf(await client.call(method, params), method)
    },
  }
  return client

  function concerns(call: unknown): boolean {
    const { from, to } = (call ?? {}) as { from?: unknown; to?: unknown }
    return [from, to].some((address) => String(address).toLowerCase() in placed)
  }

  /** The payload with the overrides in its first block; later blocks see them too. */
  function inFirst(payload: unknown): unknown {
    const { blockStateCalls } = (payload ?? {}) as { blockStateCalls?: unknown }
    if (!Array.isArray(blockStateCalls) || blockStateCalls.length === 0) return payload
    const [first, ...rest] = blockStateCalls as [JsonObject, ...unknown[]]
    if (typeof first !== 'object' || first === null) return payload
    const own = (first.stateOverrides ?? {}) as Record<string, JsonObject>
    if (typeof own !== 'object') return payload
    const names = new Set([...Object.keys(placed), ...Object.keys(own)])
    const stateOverrides = Object.fromEntries(
      [...names].map((name) => [name, { ...placed[name as Hex], ...own[name] }]),
    )
    return { ...(payload as JsonObject), blockStateCalls: [{ ...first, stateOverrides }, ...rest] }
  }
}
