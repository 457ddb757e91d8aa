/** One situation between prover, host and chain that has to be tested. */
export interface Scenario {
  /** Its place in this list; a letter follows where one was split. */
  id: string
  what: string
  /** The tests that play it: the file, and words of the title. */
  tests: readonly (readonly [file: string, title: string])[]
  /** Where the outcome is not what the words promise, and why. */
  note?: string
}

const program = 'suites/prover/proving/program.test.ts'
const range = 'suites/prover/proving/prove-range.test.ts'
const forged = 'suites/prover/safety/preimages.test.ts'
const sampling = 'enclave-sim/protocol/journal/sign-proposals.test.ts'
const wire = 'suites/prover/prover-host/wire.test.ts'
const calls = 'suites/prover/prover-host/enclave-calls.test.ts'
const routing = 'suites/prover/prover-host/routing.test.ts'
const refused = 'suites/prover/actors/refused-on-chain.test.ts'
const proposer = 'suites/prover/actors/proposer.test.ts'
const challenger = 'suites/prover/actors/challenger.test.ts'
const registrar = 'suites/prover/actors/registrar.test.ts'
const life = 'suites/prover/scenarios/play-game-life.test.ts'
const attestation = 'enclave-sim/attestation/verify-attestation.test.ts'

/** Everything that can go right and wrong from a proof request to a paid-out bond. */
export const scenarioList: readonly Scenario[] = [
  // The prover, when all is well.
  {
    id: '1',
    what: 'one block: the aggregate is the proposal',
    tests: [
      [range, 'given one block, when proven, then the aggregate is the proposal (PRV-PROP-08)'],
    ],
  },
  {
    id: '2',
    what: 'the interval divides the range',
    tests: [
      [range, 'given four blocks and interval 2, when proven, then the last root is sampled too'],
      [sampling, 'the interval divides the range'],
    ],
  },
  {
    id: '3',
    what: 'it leaves a remainder: the last root is absent',
    tests: [
      [
        range,
        'given five blocks and interval 2, when proven, then every journal recovers to the enclave (PIPE-19, PIPE-20, PRV-RES-03..07)',
      ],
      [sampling, 'the interval leaves a remainder'],
    ],
  },
  {
    id: '4',
    what: 'a start far from genesis: sampled by length',
    tests: [[sampling, 'the interval divides the range']],
  },
  {
    id: '5',
    what: 'an interval above the range: no intermediate root',
    tests: [[sampling, 'the interval is above the range']],
  },
  {
    id: '6',
    what: 'a claimed block beyond what L1 holds, with the root of an earlier one',
    tests: [
      [program, 'a claimed number beyond'],
      [proposer, 'another block'],
    ],
    note: 'refused, which is stricter than an answer for the earlier block; the proposer refuses such an answer too',
  },
  {
    id: '6b',
    what: 'every signature recovers to the key, roots chain',
    tests: [
      [
        range,
        'given five blocks and interval 2, when proven, then every journal recovers to the enclave (PIPE-19, PIPE-20, PRV-RES-03..07)',
      ],
    ],
  },
  // The prover refuses.
  { id: '7', what: 'a wrong claimed root', tests: [[program, 'a wrong claimed root (PIPE-18)']] },
  {
    id: '8',
    what: 'a wrong agreed root or head',
    tests: [[program, 'a wrong agreed root (PRV-REQ-06)']],
  },
  {
    id: '9',
    what: 'a claim below or at the agreed block',
    tests: [[program, 'a claimed number below']],
  },
  {
    id: '10',
    what: 'an L1 head that is too early',
    tests: [
      [
        program,
        'given an L1 head before the second channel, when block 4 is claimed, then it is out of reach',
      ],
    ],
  },
  {
    id: '11',
    what: 'interval 0 for several blocks',
    tests: [[range, 'given interval 0 and several blocks, when asked, then the enclave refuses']],
  },
  {
    id: '12',
    what: 'an unknown chain',
    tests: [
      [
        program,
        'given an unknown chain id, when run, then UnsupportedChain before anything else (ERR-16, PIPE-14)',
      ],
    ],
  },
  {
    id: '13',
    what: 'a corrupted or missing preimage',
    tests: [
      [
        forged,
        'given any forgery of %s, then it is refused without a signature (SAFE-03, SAFE-05, PIPE-07..14)',
      ],
      [
        'enclave-sim/protocol/oracle/verified-oracle.test.ts',
        'given a changed keccak256 value that nobody reads, when built, then it is refused (SAFE-05, PIPE-07)',
      ],
    ],
  },
  {
    id: '14',
    what: 'a hex string for a number; optional members left out',
    tests: [
      [
        'devnet/proving/prover/proof-json.test.ts',
        'given no optional member and one unknown, when parsed, then the missing ones are zero, and the L1 number is left to its header',
      ],
    ],
  },
  // Between host and enclave.
  {
    id: '15',
    what: 'a truncated, oversized or garbage frame',
    tests: [[wire, 'a frame of an unknown kind']],
  },
  {
    id: '16',
    what: 'an answer of the wrong kind',
    tests: [[wire, 'an answer of another kind']],
  },
  {
    id: '17',
    what: 'a second request on a connection',
    tests: [
      [
        wire,
        'given a second request on a connection, when the first is answered, then it closes and the second is not served (ENC-PROTO-03)',
      ],
    ],
  },
  {
    id: '18',
    what: 'a payload above 28 KiB',
    tests: [
      [
        wire,
        'given a witness far above 28 KiB, when proven over the socket, then it arrives whole and the proof is good (LIM-07)',
      ],
    ],
  },
  {
    id: '19',
    what: 'a sender slower than the read timeout',
    tests: [
      [
        wire,
        'given a sender that stalls in a frame, when 300 s have passed and not 299, then it is dropped (LIM-06)',
      ],
    ],
  },
  // The host.
  {
    id: '20',
    what: 'limits of user data and nonces, before any traffic',
    tests: [
      [
        calls,
        'given 512 bytes of user data and of each nonce, when attested, then accepted (LIM-04, LIM-05)',
      ],
    ],
  },
  {
    id: '21',
    what: 'one enclave down: all of enclave_* fails',
    tests: [
      [calls, 'given one of three enclaves down, when called, then all of it fails (HOST-RPC-09)'],
    ],
  },
  {
    id: '22',
    what: 'answers in CID order',
    tests: [
      [
        calls,
        'given three enclaves in any order, when asked, then keys of 65 numbers in that order (HOST-RPC-03..05, ROUTE-01, ROUTE-02)',
      ],
    ],
  },
  {
    id: '23',
    what: 'two CIDs without a registry',
    tests: [
      ['suites/prover/prover-host/config.test.ts', 'several CIDs and no registry (HOST-CFG-15)'],
    ],
  },
  {
    id: '24',
    what: 'routing: invalid, unreachable, none, registry error',
    tests: [
      [
        routing,
        'given a first enclave that is not valid, when proving, then the second alone gets one Prove frame and the log says why (ROUTE-06, ROUTE-08, ROUTE-09, PIPE-06)',
      ],
    ],
  },
  {
    id: '25',
    what: 'rotation of the image',
    tests: [
      [
        'suites/prover/prover-host/rotation.test.ts',
        'rotation of an enclave image behind one host',
      ],
      [
        'suites/prover/scenarios/rotation.test.ts',
        'given two images behind one host, when the game switches from one to the other, then proofs follow with no restart, and games of both stand (ROT-01, ROT-02, ROT-03, ROT-04)',
      ],
    ],
  },
  {
    id: '26',
    what: 'the proof timeout',
    tests: [['suites/prover/prover-host/failures.test.ts', 'the proof request timeout']],
  },
  {
    id: '27',
    what: 'gated health latches',
    tests: [['suites/prover/prover-host/health.test.ts', 'health gated by the registry']],
  },
  // A proposal on L1.
  {
    id: '28',
    what: 'a game is created',
    tests: [
      [
        proposer,
        'then it creates the game of the next interval on what L1 and L2 say (PIPE-24, PIPE-25)',
      ],
      [
        'suites/prover/scenarios/own-proposer.test.ts',
        'given the proposer of own-actors.md, when it runs beside a devnet, then its game is on L1',
      ],
    ],
  },
  {
    id: '29',
    what: 'v not raised',
    tests: [
      [refused, 'v not raised to 27 or 28'],
      [proposer, 'v of 2'],
    ],
  },
  {
    id: '30',
    what: 'a high s, a tampered signature',
    tests: [
      [refused, 's in the upper half'],
      [proposer, 'a tampered signature'],
    ],
  },
  {
    id: '31',
    what: 'a sender the journal does not name',
    tests: [
      [refused, 'sent by another than the journal names'],
      [proposer, 'a journal for another sender'],
    ],
  },
  {
    id: '32',
    what: 'a sender who is not listed',
    tests: [
      [refused, 'by one who is not listed'],
      [
        proposer,
        'given a sender who is not listed, then the proposer says so and asks for no proof',
      ],
    ],
  },
  {
    id: '33',
    what: 'a signer that is not, or no longer, registered',
    tests: [
      [refused, 'given a signer that was deregistered (SIG-10)'],
      [proposer, 'a signer that is not registered'],
    ],
  },
  {
    id: '34',
    what: 'an enclave of another image',
    tests: [
      [refused, 'given an enclave of another image (SIG-08, SIG-09)'],
      [proposer, 'an enclave of another image'],
    ],
  },
  {
    id: '35',
    what: 'another chain configuration',
    tests: [
      [refused, 'of another configuration'],
      [proposer, 'another chain configuration'],
    ],
  },
  {
    id: '36',
    what: 'an origin wrong, too old, in the future, gone',
    tests: [
      [refused, 'with an origin that never was'],
      [proposer, 'given another L1 origin, by a reorganisation, then nothing is submitted'],
    ],
  },
  {
    id: '37',
    what: 'a duplicate',
    tests: [
      [refused, 'that exists already'],
      [proposer, 'given the same game by somebody else'],
    ],
  },
  { id: '38', what: 'the wrong bond', tests: [[refused, 'with too small a bond']] },
  {
    id: '39',
    what: 'extra data of another length',
    tests: [[refused, 'with a byte more of extra data']],
  },
  {
    id: '40',
    what: 'a wrong block, parent or last root',
    tests: [
      [refused, 'of a block that is not due'],
      [
        proposer,
        'given a parent that the guardian took away, then nothing is submitted, nor proven again',
      ],
    ],
  },
  // A dispute on L1.
  {
    id: '41',
    what: 'a bad root: first, middle, last',
    tests: [[challenger, 'given a game with a wrong root, when the challenger goes round']],
  },
  {
    id: '42',
    what: 'a proof for another index',
    tests: [
      [refused, 'given another index than was proven'],
      [challenger, 'of another interval'],
    ],
  },
  {
    id: '43',
    what: 'the root that was proposed',
    tests: [
      [refused, 'given the root that was proposed'],
      [challenger, 'given an honest game, when the challenger goes round'],
    ],
  },
  {
    id: '44',
    what: 'a challenger who is not listed',
    tests: [
      [refused, 'given a challenger that is no listed proposer'],
      [
        challenger,
        'given a challenger that is no listed proposer, then it says so and asks for no proof',
      ],
    ],
  },
  {
    id: '45',
    what: "a fresh L1 head instead of the game's",
    tests: [
      [refused, "given a fresh L1 head instead of the game's"],
      [challenger, 'from a fresh L1 head'],
    ],
  },
  {
    id: '46',
    what: 'a second nullification',
    tests: [
      [refused, 'a second time'],
      [challenger, 'given that somebody nullified it before, then there is nothing left to do'],
    ],
  },
  {
    id: '47',
    what: 'a resolved game',
    tests: [
      [refused, 'given a game that is resolved'],
      [challenger, 'given one that is resolved, then it is left alone'],
    ],
  },
  {
    id: '48',
    what: 'what a nullified verifier means to other games',
    tests: [[challenger, 'given a nullified TEE verifier']],
  },
  {
    id: '49',
    what: 'the child of an invalid parent',
    tests: [
      [challenger, 'given a child of a bad game, then the parent is disputed and not the child'],
    ],
  },
  {
    id: '50',
    what: 'an honest game, to its paid-out bond',
    tests: [
      [
        proposer,
        'given an honest game, then after its time it is resolved, made the anchor and its bond paid',
      ],
      [challenger, 'given an honest game, when the challenger goes round'],
      [
        life,
        'given a devnet, when a game is played by commands alone, then it becomes the anchor and its bond is paid',
      ],
    ],
  },
  // Attestations.
  {
    id: '51',
    what: 'good in its time, too old later',
    tests: [
      [attestation, 'given its own time and the pinned AWS root, then it verifies'],
      [registrar, 'an age of an hour'],
    ],
  },
  {
    id: '52',
    what: 'a map of indefinite length',
    tests: [
      [
        attestation,
        'given a map of indefinite length, as real modules write since 2025, then it is read',
      ],
    ],
  },
  { id: '53', what: 'a flipped byte', tests: [[registrar, 'given a byte flipped anywhere']] },
  { id: '54', what: 'another nonce, or none', tests: [[registrar, 'another nonce']] },
  { id: '55', what: 'the PCR0 of debug mode', tests: [[registrar, 'the PCR0 of debug mode']] },
  {
    id: '56',
    what: 'no public key, or one of another length',
    tests: [[registrar, 'no public key']],
  },
  {
    id: '57',
    what: 'another root',
    tests: [
      [registrar, 'given a chain from the simulated root, when only the AWS root is trusted'],
    ],
  },
]
