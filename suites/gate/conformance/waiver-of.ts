/**
 * Rules no black-box case can show yet, why, and the test that shows each for our own parts. A rule is
 * checked by a case or named here, never both and never neither (conformance-lint.test.ts). Shown in
 * every report.
 */
const WAIVERS: readonly (readonly [pattern: RegExp, reason: string, ours: string])[] = [
  [
    /^SAFE-02$/,
    'Needs the signer calls of an enclave to be watched, from inside.',
    'suites/prover/safety/claims.test.ts',
  ],
  [
    /^SAFE-08$/,
    'Needs the memory of an enclave to be watched, from inside.',
    'suites/prover/safety/requests.test.ts',
  ],
  [
    /^LIM-06$/,
    'Takes five minutes of real time; a gate has no hold on the clock of an enclave.',
    'enclave-sim/server/serve-connection.test.ts',
  ],
  [
    /^LIM-07$/,
    'A stream socket does not show how large each write was.',
    'enclave-sim/wire/frame.test.ts',
  ],
  [
    /^(HOST-CFG-0[56]|HOST-START-02)$/,
    'Needs two L2 chains on two L1s, each provable; the gate is given one.',
    'suites/prover/proving/two-chains.test.ts',
  ],
  [
    /^HOST-CFG-11$/,
    'The default takes 29 minutes of real time; that a setting counts is shown for HOST-RPC-14.',
    'suites/prover/prover-host/failures.test.ts',
  ],
  [
    /^ROT-03$/,
    'On L1: what the registry holds valid once its owner has changed it.',
    'suites/prover/scenarios/rotation.test.ts',
  ],
  [
    /^ERR-11$/,
    'A name inside the host; its answer carries code and message only.',
    'suites/prover/prover-host/routing.test.ts',
  ],
  [
    /^PIPE-22$/,
    'Needs a game on L1 that is resolved while its range can be proved.',
    'suites/prover/scenarios/settled-game.test.ts',
  ],
]

/** Where a rule without a case is shown for our own parts: a test that names it. */
export function evidenceFor(rule: string): string | undefined {
  return WAIVERS.find(([pattern]) => pattern.test(rule))?.[2]
}

/** Why no case checks a rule; undefined when nothing is said. */
export function waiverOf(rule: string): string | undefined {
  const waiver = WAIVERS.find(([pattern]) => pattern.test(rule))
  if (!waiver) return undefined
  const [, reason, ours] = waiver
  return `${reason} ${ours.replace(/\.test\.ts$/, '')} shows it for ours.`
}
