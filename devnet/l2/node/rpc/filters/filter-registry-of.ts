import type { NodeRpc } from '../node-rpc.ts'
import { FilterRegistry } from './filter-registry.ts'

const registries = new WeakMap<NodeRpc, FilterRegistry>()

/** The node's filters. */
export function filterRegistryOf(rpc: NodeRpc): FilterRegistry {
  const registry = registries.get(rpc) ?? new FilterRegistry(rpc.clock)
  registries.set(rpc, registry)
  return registry
}
