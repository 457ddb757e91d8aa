/**
 * Rules no black-box case can show yet, and why. A rule is checked by a case or named here, never
 * both and never neither (conformance-lint.test.ts). Shown in every report.
 */
const WAIVERS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^RPC-ENV-16$/, 'Needs a second endpoint configured as the test network.'],
  [/^RPC-ENV-17$/, 'Needs an endpoint started without pre-confirmations.'],
  [/^RPC-LOG-13$/, 'Needs a reorganization; eth_getLogs never returns removed logs (OPEN-21).'],
]

/** Why no case checks a rule; undefined when nothing is said. */
export function waiverOf(rule: string): string | undefined {
  return WAIVERS.find(([pattern]) => pattern.test(rule))?.[1]
}
