/**
 * Rules no black-box case can show yet, and why. A rule is checked by a case or named here, never
 * both and never neither (conformance-lint.test.ts). Shown in every report.
 */
const WAIVERS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^JRN-19$/, 'Needs an enclave in local mode; the one given must refuse to be (JRN-20).'],
  [
    /^SAFE-0[28]$/,
    'Needs the signer calls and the memory of an enclave to be watched; suites/safety watches ours.',
  ],
  [/^LIM-06$/, 'Takes five minutes of real time; a gate has no hold on the clock of an enclave.'],
  [/^LIM-07$/, 'A stream socket does not show how large each write was.'],
  [
    /^SIG-(0[7-9]|1[01])$/,
    'On L1, and the specs give the verifier contracts no ABI; suites/contracts shows it for ours.',
  ],
  [
    /^(SIG-06|ATT-1[34]|PIPE-2[3-6])$/,
    'Rules for the callers: proposer, challenger, registrar; suites/actors shows them for ours.',
  ],
  [
    /^(HOST-CFG-0[56]|HOST-START-02)$/,
    'Needs two L2 chains on two L1s, each provable; the gate is given one.',
  ],
  [
    /^HOST-CFG-11$/,
    'Takes 29 minutes of real time; that a setting counts is shown for HOST-RPC-14.',
  ],
  [
    /^ROT-0[23]$/,
    'On L1: what the registry holds valid once its owner has changed it; suites/scenarios/rotation shows it for ours.',
  ],
  [/^ERR-11$/, 'A name inside the host; its answer carries code and message only.'],
  [
    /^PIPE-02$/,
    'Holds where batches are in blobs, which only the batcher of a target can write; suites/end-to-end/blobs proves such a range.',
  ],
  [/^PIPE-22$/, 'Needs a game on L1 that is resolved while its range can be proved.'],
]

/** Why no case checks a rule; undefined when nothing is said. */
export function waiverOf(rule: string): string | undefined {
  return WAIVERS.find(([pattern]) => pattern.test(rule))?.[1]
}
