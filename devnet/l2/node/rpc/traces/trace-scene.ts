import type { Hex } from 'viem'
import { bob, createTestNode, type TestNode } from '../testing/test-node.ts'

/** Contracts of a test's own, put there by state overrides. */
export const [A, B]: [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]

/** The members tests look into. */
export interface Trace extends Record<string, unknown> {
  structLogs: { op: string; depth: number; refund?: number }[]
  calls: { logs?: unknown[] }[]
}

/** For tests: `debug_traceCall` on a node at genesis, from BOB with 100,000 gas. */
export interface TraceScene {
  node: TestNode
  trace(call: object, options?: object): Promise<Trace>
  /** A call of A, whose code is given, and B's. */
  traceCode(
    code: Hex,
    options: object,
    rest?: { call?: object; b?: Hex; balance?: Hex },
  ): Promise<Trace>
}

export async function openTraceScene(): Promise<TraceScene> {
  const node = await createTestNode()
  const trace = (call: object, options: object = {}): Promise<Trace> =>
    node.rpc('debug_traceCall', { from: bob, gas: '0x186a0', ...call }, 'latest', options)
  return {
    node,
    trace,
    traceCode: (code, options, { call = {}, b = '0x', balance = '0x0' } = {}) => {
      const stateOverrides = { [A]: { code, balance }, [B]: { code: b } }
      return trace({ to: A, ...call }, { stateOverrides, ...options })
    },
  }
}
