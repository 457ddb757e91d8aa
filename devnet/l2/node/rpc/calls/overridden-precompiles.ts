import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { PrecompileView } from '#protocol/execution/executor'
import type { Address } from '#protocol/types/bytes'
import type { StateOverride } from './parse-state-overrides.ts'

const address = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** Prague's 0x01 to 0x11, and P256VERIFY at 0x100 (OP specs, Fjord). */
const PRECOMPILES: readonly Address[] = [
  ...Array.from({ length: 0x11 }, (_, index) => address(index + 1)),
  address(0x100),
]

/**
 * What overrides leave of the precompiles: an overridden one is gone from its address, a moved one
 * works at its destination (execution-apis, eth_simulateV1 notes).
 *
 * @returns undefined when nothing changes.
 * @throws JsonRpcError -32000, -38022
 */
export function overriddenPrecompiles(overrides: StateOverride[]): PrecompileView | undefined {
  if (overrides.length === 0) return undefined
  const view = new Map<Address, Address>(PRECOMPILES.map((own) => [own, own]))
  const overridden = new Set(overrides.map((override) => override.address))
  for (const { address: source, movePrecompileTo: target } of overrides) {
    if (target === undefined) continue
    if (!PRECOMPILES.includes(source)) {
      throw new JsonRpcError(-32000, `account ${source} is not a precompile`)
    }
    if (target === source) {
      throw new JsonRpcError(-38022, `precompile ${source} is moved onto itself`)
    }
    if (overridden.has(target)) {
      throw new JsonRpcError(-32000, `account ${target} is already overridden`)
    }
    view.set(target, source)
  }
  let changed = false
  for (const own of overridden) changed = view.delete(own) || changed
  return changed ? view : undefined
}
