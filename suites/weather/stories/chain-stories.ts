import type { FaultPlanInput } from '#devnet/faults/fault-plan'
import { createStory, SIMULATED, type Story } from './story.ts'

type Weather = Omit<NonNullable<FaultPlanInput['faults']>[number], 'at' | 'when' | 'until'>

/** What may come while a proof is asked for, and how long it lasts; without a time it is a moment. */
const DURING_A_PROOF: readonly [name: string, story: string, lasts: number, fault: Weather][] = [
  [
    'l1-loses-a-block',
    'The L1 block that a proof stands on is replaced while it runs: base/base asks for another then (PIPE-23).',
    ...([0, { target: 'chain:l1', fault: 'reorg', with: { depth: 1 } }] as const),
  ],
  [
    'l1-stands-still',
    'L1 makes no block while a proof runs: its head is old, and still true.',
    ...([1_500, { target: 'chain:l1', fault: 'still' }] as const),
  ],
  [
    'gas-is-dear',
    'The base fee jumps while a proof runs: nothing of a proof costs gas.',
    ...([1_500, { target: 'chain:l1', fault: 'gas_spike' }] as const),
  ],
  [
    'l1-is-frozen',
    'The L1 node answers nobody while a proof runs; the host tries again until the proof is over (HOST-CFG-11).',
    ...([1_500, { target: 'process:l1', fault: 'stop' }] as const),
  ],
  [
    'the-registry-is-silent',
    'Nobody says who may sign while a proof runs: no proof then (base/base, host routing).',
    ...([1_500, { target: 'registry:l1', fault: 'silent' }] as const),
  ],
  [
    'the-host-dies',
    'The host is killed while a proof runs: who asked gets an error, and asks again (base/base, host shutdown).',
    ...([0, { target: 'process:host', fault: 'kill' }] as const),
  ],
  [
    'the-enclave-dies',
    'The enclave is killed while a proof runs: a Nitro enclave has no graceful end.',
    ...([0, { target: 'process:enclave.16', fault: 'kill' }] as const),
  ],
  [
    'the-enclave-is-starved',
    'The enclave gets no CPU while a proof runs: it says nothing, and then the truth.',
    ...([1_500, { target: 'process:enclave.16', fault: 'stop' }] as const),
  ],
]

/** L1, the batcher and the registry; a proof runs during each of them. */
export const chainStories: readonly Story[] = [
  ...DURING_A_PROOF.map(([name, story, lasts, fault]) =>
    createStory(`in-a-proof-${name}`, {
      story,
      rules: ['HOST-CFG-11'],
      duration: 4_900,
      // The first that can be asked for is of the truth.
      load: { transfers: 60, proofs: 60 },
      faults: [
        { when: 'prover.client proof.asked', at: 0, ...(lasts && { until: lasts }), ...fault },
      ],
    }),
  ),
  createStory('a-withdrawal-is-paid', {
    story:
      'L1 takes back blocks while users withdraw. A game is won later, one of the withdrawals is proven and paid, and nobody is paid for it again.',
    bodies: SIMULATED,
    duration: 8_000,
    world: { blockTime: 1, gameInterval: 4 },
    load: { withdrawals: 60, deposits: 60, calls: 120 },
    faults: [{ at: 4_400, target: 'chain:l1', fault: 'reorg', with: { depth: 2 } }],
  }),
  createStory('tokens-over-the-bridge', {
    story:
      'L1 takes back blocks while tokens go over the standard bridges: each comes once, and goes back from whoever has it.',
    bodies: SIMULATED,
    duration: 12_000,
    load: { bridged: 120, calls: 60 },
    faults: [
      { at: 6_500, target: 'chain:l1', fault: 'reorg', with: { depth: 2, keep: false } },
      { at: 9_500, target: 'chain:l1', fault: 'reorg', with: { depth: 2 } },
    ],
  }),
  createStory('l1-reorg-of-one', {
    story: 'The daily case on Ethereum: the newest block is replaced.',
    faults: [{ at: 4_400, target: 'chain:l1', fault: 'reorg', with: { depth: 1 } }],
  }),
  createStory('l1-reorg-of-three', {
    story: 'A reorganisation takes batches with it that derivation had read.',
    // L1 by then has three blocks above the one that L2 begins on.
    duration: 8_000,
    faults: [{ at: 6_000, target: 'chain:l1', fault: 'reorg', with: { depth: 3 } }],
  }),
  createStory('l1-reorg-again-and-again', {
    story: 'Two forks that overtake each other.',
    duration: 7_000,
    faults: [3_500, 4_500, 5_500].map((at) => ({
      at,
      target: 'chain:l1',
      fault: 'reorg' as const,
      with: { depth: 2 },
    })),
  }),
  createStory('l1-reorg-past-finality', {
    story:
      'What was final is taken back: no client survives it unharmed, but none may lie about it.',
    bodies: SIMULATED,
    duration: 18_000,
    load: { transfers: 120, proofs: 10 },
    faults: [{ at: 16_500, target: 'chain:l1', fault: 'reorg', with: { depth: 12 } }],
  }),
  createStory('l1-stands-still', {
    story: 'L1 makes no blocks: OP specs let L2 go on until its drift is used up.',
    faults: [{ at: 2_000, until: 5_000, target: 'chain:l1', fault: 'still' }],
  }),
  createStory('l1-gas-spike', {
    story: 'The base fee goes to 500 gwei in a block: the batcher has to pay or to wait.',
    faults: [{ at: 2_000, until: 5_000, target: 'chain:l1', fault: 'gas_spike' }],
  }),
  createStory('registration-while-gas-is-dear', {
    story:
      'The base fee jumps while a new signer is registered: what was sent offers too little now, and is sent again with more (found by a swarm; geth replaces at a tenth more).',
    rules: ['ENC-START-05'],
    bodies: SIMULATED,
    duration: 12_500,
    world: {},
    load: { proofs: 60 },
    faults: [
      { when: 'enclave.16 compared', target: 'process:enclave.16', fault: 'kill' },
      { at: 11_000, until: 12_000, target: 'chain:l1', fault: 'gas_spike' },
    ],
  }),
  createStory('registration-behind-a-lost-one', {
    story:
      'A reorganization takes out the registration of the old signer while that of a new one is sent: its nonce is too high now, and it is sent again with another (found by a swarm).',
    rules: ['ENC-START-05'],
    bodies: SIMULATED,
    duration: 13_000,
    world: {},
    load: { proofs: 60 },
    faults: [
      { at: 8_696, target: 'enclave:16', fault: 'new_key' },
      { at: 12_143, target: 'registry:l1', fault: 'reorged' },
    ],
  }),
  createStory('batcher-silent', {
    story: 'No batches for a while: safe stands, latest goes on, then safe catches up.',
    faults: [{ at: 1_500, until: 5_000, target: 'chain:l2', fault: 'batcher_silent' }],
  }),
  createStory('a-wrong-blob', {
    story:
      'A consensus node hands out a blob that does not fit its commitment (EIP-4844, versioned hashes): nothing is derived from it, safe stands, and then catches up.',
    bodies: ['real'],
    duration: 7_000,
    world: { blockTime: 1, blobs: true },
    load: { transfers: 60, registrations: 30, proofs: 60 },
    faults: [{ at: 1_500, until: 5_500, target: 'chain:l1', fault: 'wrong_blob' }],
  }),
  createStory('window-expired', {
    story:
      'The sequencing window passes without a batch: L1 fills in empty blocks, and L2 follows (OP specs, derivation, "sequencing window").',
    bodies: SIMULATED,
    duration: 20_000,
    world: { blockTime: 1, sequencerWindow: 8 },
    load: { transfers: 120, proofs: 10 },
    faults: [{ at: 4_000, until: 16_000, target: 'chain:l2', fault: 'window_expired' }],
  }),
  createStory('registry-silent', {
    story: 'The registry does not answer: fail closed (base/base, host routing).',
    faults: [{ at: 1_500, until: 5_000, target: 'registry:l1', fault: 'silent' }],
  }),
  createStory('registry-slow', {
    story: 'The registry answers late.',
    faults: [
      { at: 1_500, until: 5_000, target: 'registry:l1', fault: 'slow', with: { delay: 800 } },
    ],
  }),
  createStory('registry-lies', {
    story: 'An RPC provider answers no for a signer that is registered.',
    bodies: SIMULATED,
    faults: [{ at: 1_500, until: 5_000, target: 'registry:l1', fault: 'lying' }],
  }),
  createStory('idle-subscribers', {
    story:
      'Subscribers that do not read must not cost the others anything: foundry-rs/foundry#2880.',
    load: { tokens: 300, subscribers: 2, idleSubscribers: 10 },
    faults: [
      { at: 2_000, until: 5_000, target: 'link:subscriber', fault: 'bandwidth', with: { rate: 1 } },
    ],
  }),
  createStory('subscribers-half-open', {
    story: 'A laptop is closed: its connections stay open for nobody.',
    load: { tokens: 200, subscribers: 3 },
    faults: [{ at: 2_000, until: 4_000, target: 'link:subscriber', fault: 'half_open' }],
  }),
  createStory('bytes-turned-over', {
    story: 'A broken switch: single bits between host and enclave. Nothing wrong may be signed.',
    faults: [
      {
        at: 2_000,
        until: 5_000,
        target: 'link:host-enclave.16',
        fault: 'corrupt',
        with: { share: 0.5 },
      },
    ],
  }),
  createStory('slices', {
    story:
      'A message comes byte by byte: every reader has to wait for the whole (28 KiB chunks on vsock).',
    faults: [
      {
        at: 1_000,
        until: 5_000,
        target: 'link:host-enclave.16',
        fault: 'slicer',
        with: { average_size: 37, size_variation: 30 },
      },
      {
        at: 1_000,
        until: 5_000,
        target: 'link:client-l2',
        fault: 'slicer',
        with: { average_size: 11 },
      },
    ],
  }),
  createStory('everything-at-once', {
    story: 'A bad day: a reorganisation, a slow L1, a dead enclave and a restarted API.',
    duration: 7_000,
    faults: [
      { at: 1_500, until: 6_000, target: 'link:host-l1', fault: 'latency', with: { latency: 200 } },
      { at: 2_500, target: 'process:enclave.16', fault: 'kill' },
      { at: 3_000, target: 'chain:l1', fault: 'reorg', with: { depth: 2 } },
      { at: 4_000, target: 'process:api', fault: 'kill' },
      { at: 4_500, until: 6_500, target: 'link:batcher-l1', fault: 'down' },
    ],
  }),
]
