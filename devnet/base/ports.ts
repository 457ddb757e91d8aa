/** Ports of one devnet; 0 means any free one. */
export interface Ports {
  rpc: number
  api: number
  prover: number
  rollupRpc: number
  dashboard: number
  /** The endpoint without pre-confirmations. */
  plainRpc: number
  /** The RPC of the test network; its other services take free ports. */
  testnetRpc: number
  l1: number
}

export const DEFAULT_PORT_BASE = 8545
const L1_OFFSET = 1000

/** The L2 RPC on `base`, the rest after it, L1 on base + 1000; base 0 picks free ports. */
export function portsFrom(base: number): Ports {
  if (base === 0) {
    return {
      rpc: 0,
      api: 0,
      prover: 0,
      rollupRpc: 0,
      dashboard: 0,
      plainRpc: 0,
      testnetRpc: 0,
      l1: 0,
    }
  }
  return {
    rpc: base,
    api: base + 1,
    prover: base + 2,
    rollupRpc: base + 3,
    dashboard: base + 4,
    plainRpc: base + 5,
    testnetRpc: base + 6,
    l1: base + L1_OFFSET,
  }
}
