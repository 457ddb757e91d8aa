import type { FaultPlanInput } from '#devnet/faults/fault-plan'

interface FoundPlan {
  run: number
  plan: FaultPlanInput
  /** It shows while the weather lasts: what is tried after it would be tried in vain for minutes. */
  isSoon?: true
}

/**
 * By which run of a swarm of seed 0 each planted bug was found when it was last looked for, and the plan
 * that is left of it once it is shrunk. Swarms have drawn by name since then, so that the same seeds have
 * other plans by now; the shrunk plans find the bugs all the same. `npm run planted-bugs` looks anew.
 */
export const foundPlans: Readonly<Record<string, FoundPlan>> = {
  'signs-before-comparing': {
    run: 3,
    plan: {
      ...{ seed: 2, duration: 18_000, world: { blockTime: 1, gameInterval: 4 } },
      load: { registrations: 60, proofs: 30 },
    },
  },
  'keeps-values-of-other-proofs': {
    run: 2,
    plan: { seed: 1, duration: 18_000, load: { proofs: 60 } },
  },
  'takes-silence-for-yes': {
    run: 2,
    plan: {
      ...{ seed: 1, duration: 18_000, load: { proofs: 60 } },
      faults: [
        {
          ...{ when: 'prover.client proof.asked', at: 0, until: 4_000 },
          ...{ target: 'registry:l1', fault: 'silent' },
        },
      ],
    },
  },
  'remembers-who-was-registered': {
    run: 10,
    plan: {
      ...{ seed: 9, duration: 9_500, load: { strikes: 1 } },
      world: { blockTime: 1, gameInterval: 4, keepsChain: true },
    },
  },
  'takes-its-health-back': {
    run: 6,
    plan: {
      ...{ seed: 5, duration: 11_000 },
      faults: [{ at: 8_500, until: 10_500, target: 'link:host-enclave.16', fault: 'down' }],
    },
  },
  'publishes-before-the-header': {
    run: 1,
    plan: { seed: 0, duration: 500, load: { idleSubscribers: 1 } },
  },
  'asks-a-replica-that-is-late': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 1_500, load: { tokens: 60 } },
      world: { upgrades: { azul: 'genesis', denim: 'block 5' } },
    },
  },
  'shows-what-is-only-pooled': { run: 1, plan: { seed: 0, duration: 500 } },
  'waits-for-a-block-that-is-gone': {
    run: 14,
    plan: {
      ...{ seed: 13, duration: 18_000, load: { calls: 120 } },
      faults: [{ at: 12_500, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  'skips-a-log-after-a-reconnect': {
    run: 17,
    plan: {
      ...{ seed: 16, duration: 14_000, load: { tokens: 240, subscribers: 2 } },
      faults: [{ at: 8_500, until: 9_000, target: 'link:subscriber', fault: 'down' }],
    },
  },
  'has-one-wei-of-everything': {
    run: 1,
    plan: { seed: 0, duration: 8_000, load: { calls: 120 } },
  },
  'reads-a-block-that-is-old': {
    run: 1,
    plan: { seed: 0, duration: 500, load: { calls: 120 } },
  },
  'finalizes-what-is-only-safe': {
    run: 3,
    plan: {
      ...{ seed: 2, duration: 12_000 },
      faults: [{ at: 11_500, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  'loses-codes-on-a-crash': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 9_500, load: { registrations: 240 } },
      faults: [{ at: 9_000, target: 'process:api', fault: 'kill' }],
    },
  },
  'tells-codes-it-could-not-store': {
    run: 17,
    plan: {
      ...{ seed: 16, duration: 9_500, load: { registrations: 600 } },
      faults: [{ at: 8_500, until: 9_000, target: 'disk:api', fault: 'read_only' }],
    },
  },
  'does-not-wait-for-the-disk': {
    run: 42,
    plan: {
      ...{ seed: 41, duration: 10_000, world: { blockTime: 1, gameInterval: 4 } },
      load: { registrations: 60 },
      faults: [{ at: 9_500, target: 'disk:api', fault: 'power_off' }],
    },
  },
  'reuses-a-nonce-after-a-reorg': {
    run: 3,
    plan: {
      ...{ seed: 2, duration: 12_000 },
      faults: [{ at: 11_500, target: 'chain:l1', fault: 'reorg' }],
    },
  },
  'keeps-slots-of-the-parent': {
    run: 2,
    plan: { seed: 1, duration: 9_500, load: { calls: 120 } },
  },
  'calls-upon-the-parent': {
    run: 1,
    plan: { seed: 0, duration: 18_000, load: { calls: 120, withdrawals: 40 } },
  },
  'simulates-upon-the-parent': {
    run: 1,
    plan: { seed: 0, duration: 18_000, load: { calls: 120 } },
  },
  'loses-the-last-log-of-many': {
    run: 1,
    plan: { seed: 0, duration: 18_000, load: { calls: 120, tokens: 60, withdrawals: 40 } },
  },
  'forgets-each-ninth-transaction': {
    run: 1,
    plan: { seed: 0, duration: 18_000, load: { withdrawals: 40 } },
  },
  'says-that-all-went-well': {
    run: 1,
    plan: { seed: 0, duration: 9_500, load: { withdrawals: 40 } },
  },
  'drops-every-deposit': {
    ...{ run: 2, isSoon: true },
    plan: { seed: 1, duration: 7_000, world: { blockTime: 1 }, load: { deposits: 60 } },
  },
  'drops-deposits-when-it-drifts': {
    ...{ run: 25, isSoon: true },
    plan: {
      ...{ seed: 24, duration: 8_000, world: { blockTime: 1 }, load: { deposits: 60 } },
      faults: [{ at: 2_000, target: 'clock:node', fault: 'jump', with: { by: 20_000 } }],
    },
  },
  'counts-two-withdrawals-as-one': {
    run: 1,
    plan: { seed: 0, duration: 6_000, world: { blockTime: 1 }, load: { withdrawals: 60 } },
  },
  'counts-logs-by-transaction': {
    run: 1,
    plan: { seed: 0, duration: 4_000, world: { blockTime: 1 }, load: { tokens: 240 } },
  },
  'tells-wallets-apart-by-their-letters': {
    run: 1,
    plan: { seed: 0, duration: 1_000, world: { blockTime: 1 }, load: { registrations: 6_000 } },
  },
  'leaves-out-each-seventh-head': {
    run: 1,
    plan: { seed: 0, duration: 12_000, world: { blockTime: 1 }, load: { listeners: 1 } },
  },
  'takes-what-came-first': {
    ...{ run: 1, isSoon: true },
    plan: { seed: 0, duration: 6_000, world: { blockTime: 1 }, load: { rushes: 60 } },
  },
  'leaves-out-each-third-flashblock': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 4_000, world: { blockTime: 1 } },
      load: { listeners: 1, transfers: 600 },
    },
  },
  'leaves-out-each-fourth-pending-log': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 4_000, world: { blockTime: 1 } },
      load: { listeners: 1, withdrawals: 240 },
    },
  },
  'shows-the-gas-that-was-allowed': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 4_000, world: { blockTime: 1 } },
      load: { pages: 120, transfers: 120 },
    },
  },
  'forgets-the-newest-of-an-account': {
    run: 1,
    plan: {
      ...{ seed: 0, duration: 4_000, world: { blockTime: 1 } },
      load: { pages: 120, transfers: 120 },
    },
  },
  'keeps-tokens-that-left': {
    ...{ run: 1, isSoon: true },
    plan: { seed: 0, duration: 14_000, world: { blockTime: 1 }, load: { bridged: 120 } },
  },
  'confirms-one-block-too-early': {
    run: 1,
    plan: { seed: 0, duration: 4_000, world: { blockTime: 1 }, load: { confirmations: 60 } },
  },
  'takes-final-for-latest': {
    ...{ run: 2, isSoon: true },
    plan: {
      ...{ seed: 0, duration: 9_000, world: { blockTime: 1 } },
      load: { calls: 1_200, transfers: 240, tokens: 120 },
    },
  },
  'asks-for-a-tip-alone': {
    ...{ run: 1, isSoon: true },
    plan: { seed: 0, duration: 4_000, world: { blockTime: 1 }, load: { calls: 600 } },
  },
  'forgets-that-logs-are-gone': {
    ...{ run: 1, isSoon: true },
    plan: {
      ...{ seed: 0, duration: 12_000, world: { blockTime: 1 } },
      load: { calls: 900, withdrawals: 240 },
      faults: [{ at: 9_000, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  'asks-for-a-fifth-more': {
    ...{ run: 1, isSoon: true },
    plan: { seed: 0, duration: 10_000, world: { blockTime: 1 }, load: { oddities: 600 } },
  },
  'tells-wallets-in-small-letters': {
    ...{ run: 1, isSoon: true },
    plan: { seed: 0, duration: 1_000, world: { blockTime: 1 }, load: { registrations: 600 } },
  },
}
