import type { JsonObject } from '../matchers/expect-shape.ts'

/** A transfer of ether that `traceTransfers` tells as a log (execution-apis, eth_simulateV1). */
export function isTraced({ address }: JsonObject): boolean {
  return /^0xe{40}$/i.test(String(address))
}
