import type { ShownChain } from '../shown-chain.ts'
import { FilterRegistry } from './filter-registry.ts'

const registries = new WeakMap<ShownChain, FilterRegistry>()

/** The node's filters. */
export function filterRegistryOf(rpc: ShownChain): FilterRegistry {
  const registry = registries.get(rpc) ?? new FilterRegistry(rpc.clock)
  registries.set(rpc, registry)
  return registry
}
