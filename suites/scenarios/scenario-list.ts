/** One situation between prover, host and chain that has to be tested. */
export interface Scenario {
  /** Its number, which test names carry: `27: …`. */
  id: string
  what: string
  /** Files with a test of that number. */
  tests: readonly string[]
  /** Where the outcome is not what the words promise, and why. */
  note?: string
}

const program = 'suites/proving/program.test.ts'
const range = 'suites/proving/prove-range.test.ts'
const forged = 'suites/safety/preimages.test.ts'
const sampling = 'enclave-sim/protocol/journal/sign-proposals.test.ts'
const wire = 'suites/prover-host/wire.test.ts'
const calls = 'suites/prover-host/enclave-calls.test.ts'
const routing = 'suites/prover-host/routing.test.ts'
const refused = 'suites/actors/refused-on-chain.test.ts'
const proposer = 'suites/actors/proposer.test.ts'
const challenger = 'suites/actors/challenger.test.ts'
const registrar = 'suites/actors/registrar.test.ts'
const life = 'suites/scenarios/play-game-life.test.ts'
const attestation = 'enclave-sim/attestation/verify-attestation.test.ts'

/** Everything that can go right and wrong from a proof request to a paid-out bond. */
export const scenarioList: readonly Scenario[] = [
  // The prover, when all is well.
  { id: '1', what: 'one block: the aggregate is the proposal', tests: [range] },
  { id: '2', what: 'the interval divides the range', tests: [range, sampling] },
  { id: '3', what: 'it leaves a remainder: the last root is absent', tests: [range, sampling] },
  { id: '4', what: 'a start far from genesis: sampled by length', tests: [sampling] },
  { id: '5', what: 'an interval above the range: no intermediate root', tests: [sampling] },
  {
    id: '6',
    what: 'a claimed block beyond what L1 holds, with the root of an earlier one',
    tests: [program, proposer],
    note: 'refused, which is stricter than an answer for the earlier block; the proposer refuses such an answer too',
  },
  { id: '6b', what: 'every signature recovers to the key, roots chain', tests: [range] },
  // The prover refuses.
  { id: '7', what: 'a wrong claimed root', tests: [program] },
  { id: '8', what: 'a wrong agreed root or head', tests: [program] },
  { id: '9', what: 'a claim below or at the agreed block', tests: [program] },
  { id: '10', what: 'an L1 head that is too early', tests: [program] },
  { id: '11', what: 'interval 0 for several blocks', tests: [range] },
  { id: '12', what: 'an unknown chain', tests: [program] },
  {
    id: '13',
    what: 'a corrupted or missing preimage',
    tests: [forged, 'enclave-sim/protocol/oracle/verified-oracle.test.ts'],
  },
  {
    id: '14',
    what: 'a hex string for a number; optional members left out',
    tests: ['devnet/prover/proof-json.test.ts'],
  },
  // Between host and enclave.
  { id: '15', what: 'a truncated, oversized or garbage frame', tests: [wire] },
  { id: '16', what: 'an answer of the wrong kind', tests: [wire] },
  { id: '17', what: 'a second request on a connection', tests: [wire] },
  { id: '18', what: 'a payload above 28 KiB', tests: [wire] },
  { id: '19', what: 'a sender slower than the read timeout', tests: [wire] },
  // The host.
  { id: '20', what: 'limits of user data and nonces, before any traffic', tests: [calls] },
  { id: '21', what: 'one enclave down: all of enclave_* fails', tests: [calls] },
  { id: '22', what: 'answers in CID order', tests: [calls] },
  {
    id: '23',
    what: 'two CIDs without a registry',
    tests: ['suites/prover-host/config.test.ts'],
  },
  { id: '24', what: 'routing: invalid, unreachable, none, registry error', tests: [routing] },
  {
    id: '25',
    what: 'rotation of the image',
    tests: ['suites/prover-host/rotation.test.ts', 'suites/scenarios/rotation.test.ts'],
  },
  { id: '26', what: 'the proof timeout', tests: ['suites/prover-host/failures.test.ts'] },
  { id: '27', what: 'gated health latches', tests: ['suites/prover-host/health.test.ts'] },
  // A proposal on L1.
  {
    id: '28',
    what: 'a game is created',
    tests: [proposer, 'suites/scenarios/own-proposer.test.ts'],
  },
  { id: '29', what: 'v not raised', tests: [refused, proposer] },
  { id: '30', what: 'a high s, a tampered signature', tests: [refused, proposer] },
  { id: '31', what: 'a sender the journal does not name', tests: [refused, proposer] },
  { id: '32', what: 'a sender who is not listed', tests: [refused, proposer] },
  { id: '33', what: 'a signer that is not, or no longer, registered', tests: [refused, proposer] },
  { id: '34', what: 'an enclave of another image', tests: [refused, proposer] },
  { id: '35', what: 'another chain configuration', tests: [refused, proposer] },
  { id: '36', what: 'an origin wrong, too old, in the future, gone', tests: [refused, proposer] },
  { id: '37', what: 'a duplicate', tests: [refused, proposer] },
  { id: '38', what: 'the wrong bond', tests: [refused] },
  { id: '39', what: 'extra data of another length', tests: [refused] },
  {
    id: '40',
    what: 'a wrong block, parent or last root',
    tests: [refused, proposer],
  },
  // A dispute on L1.
  { id: '41', what: 'a bad root: first, middle, last', tests: [challenger] },
  { id: '42', what: 'a proof for another index', tests: [refused, challenger] },
  { id: '43', what: 'the root that was proposed', tests: [refused, challenger] },
  { id: '44', what: 'a challenger who is not listed', tests: [refused, challenger] },
  { id: '45', what: "a fresh L1 head instead of the game's", tests: [refused, challenger] },
  { id: '46', what: 'a second nullification', tests: [refused, challenger] },
  { id: '47', what: 'a resolved game', tests: [refused, challenger] },
  { id: '48', what: 'what a nullified verifier means to other games', tests: [challenger] },
  { id: '49', what: 'the child of an invalid parent', tests: [challenger] },
  { id: '50', what: 'an honest game, to its paid-out bond', tests: [proposer, challenger, life] },
  // Attestations.
  { id: '51', what: 'good in its time, too old later', tests: [attestation, registrar] },
  { id: '52', what: 'a map of indefinite length', tests: [attestation] },
  { id: '53', what: 'a flipped byte', tests: [registrar] },
  { id: '54', what: 'another nonce, or none', tests: [registrar] },
  { id: '55', what: 'the PCR0 of debug mode', tests: [registrar] },
  { id: '56', what: 'no public key, or one of another length', tests: [registrar] },
  { id: '57', what: 'another root', tests: [registrar] },
]
