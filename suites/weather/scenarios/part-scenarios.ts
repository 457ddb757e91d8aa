import { BOTH, type Scenario, SIMULATED, scenario } from './scenario.ts'

/** Processes, disks, clocks and what enclaves say. */
export const partScenarios: readonly Scenario[] = [
  scenario('enclave-killed', {
    story: 'An enclave is terminated by its parent instance; a Nitro enclave has no graceful end.',
    rules: ['ENC-START-10', 'ENC-START-05'],
    bodies: BOTH,
    faults: [{ at: 2_500, target: 'process:enclave.16', fault: 'kill' }],
  }),
  scenario('enclave-killed-again-and-again', {
    story:
      'A crash loop: each start has a new key that nobody has registered yet (base/base#3674).',
    rules: ['ENC-START-05', 'ENC-START-09'],
    duration: 12_000,
    faults: [1_500, 4_000, 8_000].map((at) => ({
      at,
      target: 'process:enclave.16',
      fault: 'kill' as const,
    })),
  }),
  scenario('enclave-stands-still', {
    story: 'An enclave is starved of its CPUs: it holds the connection and says nothing.',
    bodies: BOTH,
    faults: [{ at: 2_000, until: 4_500, target: 'process:enclave.16', fault: 'stop' }],
  }),
  scenario('host-restarted', {
    story: 'The host is rolled out anew while proofs run: base/base, host shutdown.',
    rules: ['HOST-START-08'],
    faults: [{ at: 3_000, target: 'process:host', fault: 'restart' }],
  }),
  scenario('host-restarted-twice', {
    story: 'The second instance dies before it was well.',
    faults: [2_500, 3_200].map((at) => ({ at, target: 'process:host', fault: 'kill' as const })),
  }),
  scenario('host-slow-to-start', {
    story: 'The host comes back late: whoever asks meanwhile gets an error, not a hang.',
    faults: [{ at: 2_000, target: 'process:host', fault: 'slow_start', with: { delay: 2_500 } }],
  }),
  scenario('api-killed', {
    story: 'The API dies between storing a code and telling it.',
    rules: ['BC-12'],
    load: { registrations: 600, calls: 30 },
    faults: [2_000, 3_500, 5_000].map((at) => ({
      at,
      target: 'process:api',
      fault: 'kill' as const,
    })),
  }),
  scenario('api-slow-to-start', {
    story: 'The API comes back late.',
    rules: ['BC-12'],
    load: { registrations: 300 },
    faults: [{ at: 2_000, target: 'process:api', fault: 'slow_start', with: { delay: 2_000 } }],
  }),
  scenario('registrations-on-a-full-disk', {
    story: 'A code must not be told that could not be stored.',
    rules: ['BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 5_000, target: 'disk:api', fault: 'full' }],
  }),
  scenario('registrations-on-a-read-only-disk', {
    story: 'A file system that was remounted read-only after an error.',
    rules: ['BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 5_000, target: 'disk:api', fault: 'read_only' }],
  }),
  scenario('registrations-torn', {
    story: 'Power fails in the middle of a write.',
    rules: ['BC-12'],
    bodies: SIMULATED,
    load: { registrations: 600 },
    faults: [{ at: 3_000, target: 'disk:api', fault: 'torn_write' }],
  }),
  scenario('l1-process-stands-still', {
    story: 'anvil is stopped for a moment: nothing may be lost, only late.',
    bodies: BOTH,
    faults: [{ at: 2_000, until: 4_000, target: 'process:l1', fault: 'stop' }],
  }),
  scenario('host-clock-jumps', {
    story: 'A host whose clock is put forward an hour must not take a young proof for an old one.',
    rules: ['HOST-CFG-11'],
    faults: [{ at: 2_000, target: 'clock:host', fault: 'jump', with: { by: 3_600_000 } }],
  }),
  scenario('host-clock-goes-back', {
    story: 'The clock is put back by a day: time-outs and caches must not wait for a day.',
    faults: [{ at: 2_000, target: 'clock:host', fault: 'jump', with: { by: -86_400_000 } }],
  }),
  scenario('host-clock-skewed', {
    story: 'A host that is half a minute late.',
    faults: [
      { at: 1_000, until: 6_000, target: 'clock:host', fault: 'skew', with: { by: -30_000 } },
    ],
  }),
  ...(['wrong_kind', 'garbage', 'long_frame', 'crash_in_proof'] as const).map((fault) =>
    scenario(`enclave-answers-${fault.replaceAll('_', '-')}`, {
      story:
        'What comes out of an enclave is not what was asked for: the host must say so and go on.',
      bodies: SIMULATED,
      faults: [{ at: 2_000, until: 5_000, target: 'enclave:16', fault }],
    }),
  ),
  ...(['short_pcr0', 'expired_attestation', 'foreign_root'] as const).map((fault) =>
    scenario(`registration-with-${fault.replaceAll('_', '-')}`, {
      story: 'An attestation that must not count (base/base#4042): its signer is not registered.',
      bodies: SIMULATED,
      faults: [
        { at: 1_000, until: 5_000, target: 'enclave:16', fault },
        { at: 1_500, target: 'enclave:16', fault: 'new_key' },
      ],
    }),
  ),
]
