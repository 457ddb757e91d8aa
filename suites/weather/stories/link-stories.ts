import { BOTH, createStory, LOAD, SIMULATED, type Story } from './story.ts'

/** Every line of the drawing in ARCHITECTURE.md, and who tells of it. */
const LINES: readonly [link: string, name: string, story: string, rules: readonly string[]][] = [
  [
    'link:client-l2',
    'users',
    'Users lose a node that stays up: foundry-rs/foundry#6345 tells of it.',
    [],
  ],
  [
    'link:subscriber',
    'subscriptions',
    'Subscriptions go quiet or die: foundry-rs/foundry#7198, NomicFoundation/hardhat#2053.',
    [],
  ],
  [
    'link:client-api',
    'registrations',
    'A registration is asked for again because its answer was lost: BC-10, BC-11.',
    ['BC-10', 'BC-11'],
  ],
  ['link:client-l1', 'l1-users', 'Users of L1 are cut off; the rollup is not.', []],
  [
    'link:actor-host',
    'provers',
    'Whoever asks for a proof loses the host meanwhile: 1,740 s are a long time to stay connected.',
    ['HOST-CFG-11'],
  ],
  [
    'link:actor-rollup',
    'rollup-rpc',
    "A proposer whose rollup RPC fails must not act on half a walk: base/base, the proposer's recovery.",
    [],
  ],
  [
    'link:node-l1',
    'sequencer-l1',
    'The sequencer does not see L1: OP specs, derivation, "sequencer drift".',
    [],
  ],
  [
    'link:safe-head-l1',
    'derivation-l1',
    'Derivation does not see L1: the safe head has to stand, not to guess.',
    [],
  ],
  [
    'link:batcher-l1',
    'batcher-l1',
    'The batcher cannot post: OP specs, derivation, "sequencing window".',
    [],
  ],
  [
    'link:host-l1',
    'host-l1',
    'The host cannot read L1 during a proof; it tries again until the proof is over (HOST-CFG-11).',
    ['HOST-CFG-11'],
  ],
  [
    'link:actor-l1',
    'actors-l1',
    'Proposer, challenger and registrar do not see L1: they must act on what it says then, not on what they remember (PIPE-23).',
    ['PIPE-23'],
  ],
  ['link:host-l2', 'host-l2', 'The host cannot read L2 during a proof.', ['HOST-CFG-11']],
  ['link:host-beacon', 'host-beacon', 'The host cannot read blobs.', []],
  [
    'link:host-registry',
    'host-registry',
    'Nobody says who may sign: no proof then, rather than a wrong one (base/base, host routing).',
    [],
  ],
  [
    'link:host-enclave.16',
    'host-enclave',
    'The socket to an enclave fails in the middle of a frame: aws/aws-nitro-enclaves-cli#695 shows how little one is told.',
    [],
  ],
]

/** The simulated world posts no blobs; the real one runs without actors. */
const bodiesOf = (target: string) => {
  if (target === 'link:actor-l1') return SIMULATED
  return target === 'link:host-beacon' ? (['real'] as const) : BOTH
}

const times = { at: 2_500, until: 5_000 }

/** Lines whose failure no proof can notice: none is asked for then. */
const FAR_FROM_PROOFS = ['link:client-l2', 'link:subscriber', 'link:client-api', 'link:client-l1']
const loadOf = (target: string) =>
  FAR_FROM_PROOFS.includes(target) ? { ...LOAD, proofs: 0 } : LOAD

/** Each line down, slow, and cut in the middle of a message. */
export const linkStories: readonly Story[] = LINES.flatMap(([target, name, story, rules]) => [
  createStory(`${name}-down`, {
    ...{ story, rules, bodies: bodiesOf(target), load: loadOf(target) },
    faults: [{ ...times, target, fault: 'down' }],
  }),
  createStory(`${name}-slow`, {
    ...{ story, rules, bodies: bodiesOf(target), load: loadOf(target) },
    faults: [{ ...times, target, fault: 'latency', with: { latency: 300, jitter: 200 } }],
  }),
  createStory(`${name}-cut-in-a-message`, {
    ...{ story, rules, bodies: bodiesOf(target), load: loadOf(target) },
    faults: [{ ...times, target, fault: 'limit_data', with: { bytes: 300 } }],
  }),
])
