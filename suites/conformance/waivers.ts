/**
 * Rules no black-box case can show yet, and why. A rule is checked by a case or named here, never
 * both and never neither (conformance-lint.test.ts). Shown in every report.
 */
const WAIVERS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(JRN-19|JRN-20|ATT-10|ENC-START-\d\d|SAFE-0[12578])$/, 'Inside the enclave process.'],
  [/^(ENC-PROTO|ENC-KIND)-\d\d$|^LIM-0[67]$/, 'On the vsock wire, not at a URL.'],
  [/^PIPE-(0[4578]|1[0-46])$|^ERR-1[67]$/, 'Needs a Prove frame altered on the vsock wire.'],
  [/^PIPE-(0[1236]|2[12])$/, 'Needs the upstreams or the enclave of the host to be watched.'],
  [/^SIG-(0[6-9]|1[01])$/, 'On L1: the verifier and registry contracts.'],
  [/^(ATT-1[34]|PIPE-2[3-6])$/, 'Rules for the callers: proposer, challenger, registrar.'],
  [/^HOST-(CFG|START)-\d\d$/, 'The host process and its command line, not its RPC.'],
  [/^(ROUTE|ROT)-\d\d$|^HOST-RPC-(04|09|10)$/, 'Needs several enclaves, some of them failing.'],
  [/^HOST-HEALTH-0[1-589]$|^SAFE-(09|10)$/, 'Needs control over the registry and the L1 RPC.'],
  [/^ERR-1[01]$/, 'Needs control over the registry.'],
  [/^(HOST-RPC-14|ERR-09|ERR-1[23])$/, 'Needs an enclave that stalls, or is counted.'],
]

/** Why no case checks a rule; undefined when nothing is said. */
export function waiverOf(rule: string): string | undefined {
  return WAIVERS.find(([pattern]) => pattern.test(rule))?.[1]
}
