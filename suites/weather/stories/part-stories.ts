import { BOTH, createStory, SIMULATED, type Story } from './story.ts'

/** Processes, disks, clocks and what enclaves say. */
export const partStories: readonly Story[] = [
  createStory('enclave-killed', {
    story: 'An enclave is terminated by its parent instance; a Nitro enclave has no graceful end.',
    rules: ['ENC-START-10', 'ENC-START-05'],
    bodies: BOTH,
    faults: [{ at: 4_000, target: 'process:enclave.16', fault: 'kill' }],
  }),
  createStory('enclave-killed-again-and-again', {
    story:
      'A crash loop: each start has a new key that nobody has registered yet (base/base#3674).',
    rules: ['ENC-START-05', 'ENC-START-09'],
    duration: 6_500,
    faults: [1_500, 3_500, 5_000].map((at) => ({
      at,
      target: 'process:enclave.16',
      fault: 'kill' as const,
    })),
  }),
  createStory('enclave-stands-still', {
    story: 'An enclave is starved of its CPUs: it holds the connection and says nothing.',
    bodies: BOTH,
    faults: [{ at: 3_000, until: 5_000, target: 'process:enclave.16', fault: 'stop' }],
  }),
  createStory('host-restarted', {
    story: 'The host is rolled out anew while proofs run: base/base, host shutdown.',
    rules: ['HOST-START-08'],
    faults: [{ at: 3_000, target: 'process:host', fault: 'restart' }],
  }),
  createStory('host-restarted-twice', {
    story: 'The second instance dies before it was well.',
    faults: [3_500, 4_200].map((at) => ({ at, target: 'process:host', fault: 'kill' as const })),
  }),
  createStory('host-slow-to-start', {
    story: 'The host comes back late: whoever asks meanwhile gets an error, not a hang.',
    faults: [{ at: 2_000, target: 'process:host', fault: 'slow_start', with: { delay: 2_500 } }],
  }),
  createStory('api-killed', {
    story: 'The API dies between storing a code and telling it.',
    rules: ['BC-12'],
    load: { registrations: 600, calls: 30 },
    faults: [2_000, 3_500, 5_000].map((at) => ({
      at,
      target: 'process:api',
      fault: 'kill' as const,
    })),
  }),
  createStory('api-slow-to-start', {
    story: 'The API comes back late.',
    rules: ['BC-12'],
    load: { registrations: 300 },
    faults: [{ at: 2_000, target: 'process:api', fault: 'slow_start', with: { delay: 2_000 } }],
  }),
  createStory('chain-on-a-full-disk', {
    story:
      'The disk under the chain fills up, and somebody makes room: what was accepted has its receipt, the rest was told as refused.',
    load: { transfers: 300, tokens: 60, calls: 120, registrations: 60, subscribers: 1 },
    duration: 12_000,
    faults: [{ at: 2_000, until: 8_000, target: 'disk:state', fault: 'full' }],
  }),
  createStory('chain-on-a-read-only-disk', {
    story: 'The file system under the chain is remounted read-only after an error, and back.',
    load: { transfers: 300, calls: 120, registrations: 60, subscribers: 1 },
    duration: 12_000,
    faults: [{ at: 2_000, until: 8_000, target: 'disk:state', fault: 'read_only' }],
  }),
  createStory('registrations-on-a-full-disk', {
    story: 'A code must not be told that could not be stored.',
    rules: ['BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 5_000, target: 'disk:api', fault: 'full' }],
  }),
  createStory('registrations-on-a-read-only-disk', {
    story: 'A file system that was remounted read-only after an error.',
    rules: ['BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 5_000, target: 'disk:api', fault: 'read_only' }],
  }),
  createStory('registrations-torn', {
    story: 'Power fails in the middle of a write (SQLite, "Atomic Commit"): its half is no code.',
    rules: ['BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 3_000, target: 'disk:api', fault: 'torn_write' }],
  }),
  createStory('registrations-on-a-slow-disk', {
    story: 'A disk that is worn out: each registration is late, and made once.',
    rules: ['BC-10', 'BC-12'],
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 5_000, target: 'disk:api', fault: 'slow', with: { delay: 700 } }],
  }),
  createStory('registrations-lose-power', {
    story:
      'Power fails while a code is written: of what the disk was not told to finish any part is there (SQLite, "Atomic Commit").',
    rules: ['BC-12'],
    bodies: BOTH,
    load: { registrations: 600 },
    faults: [2_500, 4_000].map((at) => ({ at, target: 'disk:api', fault: 'power_off' as const })),
  }),
  createStory('registrations-on-a-damaged-disk', {
    story:
      'What a disk damaged is refused by name, again and again, and once somebody has put it back every code is there (Bairavasundaram et al., "An Analysis of Data Corruption in the Storage Stack", 2008).',
    rules: ['BC-12'],
    bodies: SIMULATED,
    duration: 9_000,
    load: { registrations: 600 },
    faults: [
      { at: 1_500, until: 3_500, target: 'disk:api', fault: 'flipped' },
      { at: 4_000, until: 6_000, target: 'disk:api', fault: 'misdirected' },
      { at: 6_500, until: 8_500, target: 'disk:api', fault: 'lost_write' },
    ],
  }),
  createStory('chain-on-a-damaged-disk', {
    story:
      'The disk under the chain turns a bit over, writes a page to the wrong place, loses the write of one and loses power: the node refuses to start by name until it is put back, and then goes on with all that it had sealed (Bairavasundaram et al., 2008).',
    bodies: SIMULATED,
    duration: 14_000,
    world: { blockTime: 1, keepsChain: true },
    load: { transfers: 120, tokens: 60, calls: 120, registrations: 60 },
    faults: [
      { at: 2_200, target: 'disk:state', fault: 'power_off' },
      { at: 4_000, until: 6_500, target: 'disk:state', fault: 'flipped' },
      { at: 7_500, until: 9_500, target: 'disk:state', fault: 'misdirected' },
      { at: 10_500, until: 12_500, target: 'disk:state', fault: 'lost_write' },
    ],
  }),
  createStory('l1-moves-while-l2-is-away', {
    story:
      'L2 is killed, and L1 drops the blocks that it was built on before it is back: it goes on from the newest one that L1 still has (OP specs, Derivation: L1 reorganizations; found by a swarm: it never started again).',
    bodies: SIMULATED,
    duration: 9_000,
    world: { blockTime: 1, keepsChain: true },
    load: { transfers: 120, tokens: 60, calls: 120 },
    faults: [
      { at: 5_050, target: 'disk:state', fault: 'power_off' },
      { at: 5_300, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } },
    ],
  }),
  createStory('chain-waits-past-the-window', {
    story:
      'The disk takes nothing until L1 has waited too long, and what is posted then begins before the empty block that L1 made: a span of another past counts for nothing (OP specs, Delta; found by a swarm on disks: two mistakes of the judge).',
    bodies: SIMULATED,
    seed: 72,
    duration: 18_000,
    world: { blockTime: 1, sequencerWindow: 6, gameInterval: 4, keepsChain: true },
    load: {
      ...{ transfers: 120, tokens: 60, deposits: 60, oddities: 40, calls: 120 },
      ...{ registrations: 60, proofs: 30, falseGames: 1, subscribers: 1 },
    },
    faults: [
      { at: 10_162, until: 12_237, target: 'disk:state', fault: 'read_only' },
      { at: 11_932, target: 'disk:state', fault: 'torn_write' },
      { at: 12_984, until: 16_462, target: 'disk:state', fault: 'read_only' },
    ],
  }),
  createStory('threads-of-calls-die', {
    story:
      'A call that takes too much memory ends the thread that runs it: whoever waits is told, and the next call gets another thread.',
    bodies: ['real'],
    load: { calls: 60, longCalls: 600, registrations: 30, proofs: 60 },
    faults: [2_000, 2_600, 3_200, 3_800].map((at) => ({
      at,
      target: 'worker:calls',
      fault: 'kill' as const,
    })),
  }),
  createStory('threads-of-calls-hang', {
    story:
      'The threads that run calls are starved of their CPUs: a call is out of time (-32016), and blocks are made all the same.',
    bodies: ['real'],
    duration: 9_000,
    load: { calls: 60, longCalls: 120, registrations: 30, proofs: 60 },
    faults: [{ at: 1_500, until: 7_500, target: 'worker:calls', fault: 'stop' }],
  }),
  createStory('l1-process-stands-still', {
    story: 'anvil is stopped for a moment: nothing may be lost, only late.',
    bodies: BOTH,
    faults: [{ at: 2_000, until: 4_000, target: 'process:l1', fault: 'stop' }],
  }),
  createStory('l1-process-killed', {
    story:
      'The L1 node that everybody asks is started anew: all connections are cut, its chain is there again.',
    bodies: SIMULATED,
    faults: [{ at: 3_000, target: 'process:l1', fault: 'kill' }],
  }),
  createStory('host-stands-still', {
    story:
      'The host is stopped in the middle of its work (SIGSTOP), and goes on as if nothing was.',
    bodies: SIMULATED,
    faults: [{ at: 3_000, until: 5_000, target: 'process:host', fault: 'stop' }],
  }),
  createStory('node-killed', {
    story:
      'The sequencer dies in the middle of a block: what was sealed is there again, and all that was only pre-confirmed is not (OP specs, flashblocks).',
    bodies: SIMULATED,
    duration: 7_000,
    world: { blockTime: 1, keepsChain: true },
    faults: [2_600, 4_700].map((at) => ({
      at,
      target: 'process:node',
      fault: 'kill' as const,
    })),
  }),
  createStory('node-stands-still', {
    story: 'The sequencer is stopped for a moment: blocks of its time come late, and none is lost.',
    bodies: SIMULATED,
    faults: [{ at: 3_000, until: 5_000, target: 'process:node', fault: 'stop' }],
  }),
  createStory('api-stands-still', {
    story: 'The API is stopped between two answers: a registration is late, and made once.',
    rules: ['BC-10'],
    bodies: SIMULATED,
    load: { registrations: 600 },
    faults: [{ at: 2_000, until: 4_000, target: 'process:api', fault: 'stop' }],
  }),
  createStory('batcher-dies-before-gas-is-dear', {
    story:
      'The batcher dies with a batch on its way, and L1 outgrows what that one offers: its successor takes its place, or would wait behind it for ever (found by a swarm; a pool keeps what pays too little).',
    bodies: SIMULATED,
    duration: 11_500,
    world: {},
    faults: [
      { at: 8_500, until: 11_000, target: 'process:l1', fault: 'stop' },
      { at: 9_000, target: 'process:batcher', fault: 'kill' },
      { at: 10_500, until: 11_000, target: 'chain:l1', fault: 'gas_spike' },
    ],
  }),
  createStory('batcher-killed-and-stopped', {
    story:
      'The batcher dies with a batch in flight, and its successor stands still: what was sealed is posted all the same.',
    bodies: SIMULATED,
    load: { transfers: 120 },
    faults: [
      { at: 2_200, target: 'process:batcher', fault: 'kill' },
      { at: 4_000, until: 5_000, target: 'process:batcher', fault: 'stop' },
    ],
  }),
  createStory('proposer-killed-in-a-proof', {
    story:
      "The proposer dies while its proof is made, and its successor stands still: it keeps nothing, L1 is its memory (base/base, the proposer's recovery).",
    rules: ['PIPE-23'],
    bodies: SIMULATED,
    duration: 20_000,
    load: {},
    faults: [
      { when: 'enclave.16 proving', target: 'process:proposer', fault: 'kill' },
      { at: 17_500, until: 18_500, target: 'process:proposer', fault: 'stop' },
    ],
  }),
  createStory('challenger-killed-before-a-lie', {
    story:
      'The challenger dies as a false game is created, and its successor stands still: the game loses its proof all the same.',
    bodies: SIMULATED,
    duration: 22_000,
    load: { falseGames: 1 },
    faults: [
      { when: 'liar game.forged', target: 'process:challenger', fault: 'kill' },
      {
        when: 'liar game.forged',
        at: 1_200,
        until: 2_200,
        target: 'process:challenger',
        fault: 'stop',
      },
    ],
  }),
  createStory('registrar-killed-before-a-new-key', {
    story:
      'An enclave starts with a new key while nobody is there to register it (base/base#3674): it is registered later.',
    rules: ['ENC-START-05'],
    bodies: SIMULATED,
    faults: [
      { at: 3_000, target: 'process:enclave.16', fault: 'kill' },
      { at: 3_000, target: 'process:registrar', fault: 'kill' },
      { at: 4_200, until: 5_000, target: 'process:registrar', fault: 'stop' },
    ],
  }),
  createStory('a-lie-on-l1', {
    story: 'A key leaked from an enclave signs a game of a false root: a challenger nullifies it.',
    duration: 22_000,
    world: { blockTime: 1, actors: true },
    load: { falseGames: 1 },
    faults: [
      {
        ...{ when: 'liar game.forged', until: 3_000, target: 'link:actor-l1' },
        ...{ fault: 'latency', with: { latency: 100 } },
      },
    ],
  }),
  ...(['process:enclave.16', 'process:host'] as const).map((target) =>
    createStory(`${target === 'process:host' ? 'host' : 'enclave'}-killed-under-actors`, {
      story:
        'What is watched dies while proposer, challenger and registrar are at work: it comes back, and they go on.',
      bodies: ['real'],
      duration: 12_000,
      world: { blockTime: 1, actors: true },
      faults: [{ at: 5_000, target, fault: 'kill' }],
    }),
  ),
  createStory('host-clock-jumps', {
    story: 'A host whose clock is put forward an hour must not take a young proof for an old one.',
    rules: ['HOST-CFG-11'],
    faults: [{ at: 2_000, target: 'clock:host', fault: 'jump', with: { by: 3_600_000 } }],
  }),
  createStory('host-clock-goes-back', {
    story: 'The clock is put back by a day: time-outs and caches must not wait for a day.',
    faults: [{ at: 2_000, target: 'clock:host', fault: 'jump', with: { by: -86_400_000 } }],
  }),
  createStory('host-clock-skewed', {
    story: 'A host that is half a minute late.',
    faults: [
      { at: 1_000, until: 5_000, target: 'clock:host', fault: 'skew', with: { by: -30_000 } },
    ],
  }),
  createStory('node-clock-ahead-in-a-short-window', {
    story:
      "The sequencer's clock is ahead by half of the window of its batches. L2 stays ahead of L1 for ever then, and every batch still comes in time; by more than the window, none would.",
    bodies: SIMULATED,
    world: { blockTime: 1, sequencerWindow: 6 },
    faults: [{ at: 2_000, until: 4_000, target: 'clock:node', fault: 'skew', with: { by: 3_000 } }],
  }),
  ...(['wrong_kind', 'garbage', 'long_frame', 'crash_in_proof'] as const).map((fault) =>
    createStory(`enclave-answers-${fault.replaceAll('_', '-')}`, {
      story:
        'What comes out of an enclave is not what was asked for: the host must say so and go on.',
      bodies: SIMULATED,
      faults: [{ at: 2_000, until: 5_000, target: 'enclave:16', fault }],
    }),
  ),
  ...(['short_pcr0', 'expired_attestation', 'foreign_root'] as const).map((fault) =>
    createStory(`registration-with-${fault.replaceAll('_', '-')}`, {
      story: 'An attestation that must not count (base/base#4042): its signer is not registered.',
      bodies: SIMULATED,
      faults: [
        { at: 1_000, until: 5_000, target: 'enclave:16', fault },
        { at: 1_500, target: 'enclave:16', fault: 'new_key' },
      ],
    }),
  ),
]
