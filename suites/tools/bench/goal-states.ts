import { type Figures, kindOf } from './figures.ts'

/** A figure that was aimed at. */
interface Goal {
  /** As the page says it. */
  what: string
  /** Where the figure stands: title of the benchmark, row and column. */
  place: readonly [title: string, row: string, column: string]
  want: { least: number } | { most: number }
  /** For who sees it missed: why, and what was tried. */
  missed: string
}

export interface GoalState extends Goal {
  /** The newest figure, and when and where it was measured; undefined: nobody has. */
  newest: Measured | undefined
  /** The newest of each other kind of machine. */
  elsewhere: Measured[]
  isMet: boolean
}

interface Measured extends Omit<Figures, 'results'> {
  value: number
}

const READS = 'Reads over HTTP, the devnet and a bare anvil in turns'
const SIMULATE = 'How eth_simulateV1 grows, the devnet and a bare anvil in turns'
const BLOCKS = 'A block of ERC-20 transfers, executed by us and by anvil'
const FULL_BLOCKS = '300 blocks of 100 ERC-20 transfers, built and executed again in an enclave'
const VISIBLE = '100 ERC-20 transfers/s for 20 s: from sending to the pending block'
const ONE_THREAD =
  'One thread of the devnet is its chain and answers all; anvil answers by several at once and so has a greater share of the cores, above all of busy ones. CPU for each answer stands in the table below. A simulation that comes while a long one runs has a thread beside it: a third more answers of 1,000 calls, none more of 100. Tried: short ones to that thread in turns, which gives 1.1 to 1.2 times as many, 0.98 of anvil, and makes one connection alone slower, where ours is ahead.'
const BLOCK_BY_BLOCK =
  'Each simulated block runs two system calls and hashes a header and two roots for itself, some 25 µs on a quiet machine; anvil takes less the more blocks there are. Tried: roots and texts written in WASM; system calls that wait for nothing and hashes read by a loop, which make it a tenth less. What is left is flat. Where neighbours slow the cores ours loses more: earlier in the evening of 30 November, twice, 0.90 and 0.91 of 1 call, 0.92 and 1.07 of 100, 0.97 and 0.96 of 10 blocks.'
const INTERPRETER =
  'An interpreter in WASM against a native one. Threaded dispatch, fused pairs of opcodes and fast paths for small words were tried or are in it. Contracts compiled to WASM functions took a fifth to a seventh in a trial and were not built: gas per block of code and traces would need a second engine, as exact as the first.'

const ONE_BY_ONE = [
  ['1 call', 'simulateV1, 1 call'],
  ['100 calls', 'simulateV1, 100 calls'],
  ['10 blocks of 10 calls', 'simulateV1, 10 blocks of 10 calls'],
] as const

const GOALS: readonly Goal[] = [
  ...ONE_BY_ONE.map(
    ([size, row]): Goal => ({
      what: `eth_simulateV1 of ${size}, one by one, rate ÷ anvil`,
      place: [SIMULATE, row, 'one by one: ours ÷ anvil'],
      want: { least: 1 },
      missed: BLOCK_BY_BLOCK,
    }),
  ),
  {
    what: 'eth_simulateV1 of 1 call, several at once, rate ÷ anvil',
    place: [SIMULATE, 'simulateV1, 1 call', 'ours ÷ anvil'],
    want: { least: 1 },
    missed: ONE_THREAD,
  },
  {
    what: 'eth_simulateV1 of 100 calls, several at once, rate ÷ anvil',
    place: [SIMULATE, 'simulateV1, 100 calls', 'ours ÷ anvil'],
    want: { least: 1 },
    missed: ONE_THREAD,
  },
  {
    what: 'eth_simulateV1 of 10 blocks of 10 calls, several at once, rate ÷ anvil',
    place: [SIMULATE, 'simulateV1, 10 blocks of 10 calls', 'ours ÷ anvil'],
    want: { least: 1 },
    missed: `${BLOCK_BY_BLOCK} ${ONE_THREAD}`,
  },
  {
    what: 'eth_simulateV1 of 100 calls, CPU ÷ anvil',
    place: [SIMULATE, 'simulateV1, 100 calls', 'CPU ÷ anvil'],
    want: { most: 1 },
    missed:
      'The two are alike within what runs swing by. A sixth of ours is Keccak, a tenth garbage collection, and the rest is flat.',
  },
  {
    what: 'a block of 1,000 ERC-20 transfers from raw bytes ÷ anvil',
    place: [BLOCKS, '1000, from bytes', 'executor ÷ anvil'],
    want: { most: 0.2 },
    missed:
      'Two thirds of it are the recovery of senders by the native libsecp256k1, one after the other: 65 of 139 µs for each. All of it shared out evenly over two threads, it would be half: 0.22 to 0.27, which is not worth a second thread in each that reads blocks.',
  },
  {
    what: '300 blocks of 100 ERC-20 transfers executed again in an enclave, ms (half of what it was on 23 November)',
    place: [FULL_BLOCKS, 'again, in the enclave', 'ms'],
    want: { most: 8_500 },
    missed:
      'A busy machine takes longer for all of it. Of the time that building takes it was 1.02, and is 0.6; every preimage is hashed and every sender recovered again.',
  },
  {
    what: 'loop(20000), rate ÷ anvil',
    place: [READS, 'call: loop(20000)', 'ours ÷ anvil'],
    want: { least: 1.5 },
    missed: INTERPRETER,
  },
  {
    what: 'hash(5000), rate ÷ anvil',
    place: [READS, 'call: hash(5000)', 'ours ÷ anvil'],
    want: { least: 1.5 },
    missed: 'Both hash nearly all of the time: Keccak in WASM against one that is native.',
  },
  {
    what: '1,000 cold slots, rate ÷ anvil',
    place: [READS, 'call: load(1000)', 'ours ÷ anvil'],
    want: { least: 1.5 },
    missed: 'Each cold slot crosses from the engine to the state and back.',
  },
  {
    what: '300 nested calls, rate ÷ anvil',
    place: [READS, 'call: nest(300)', 'ours ÷ anvil'],
    want: { least: 1.5 },
    missed: INTERPRETER,
  },
  {
    what: 'send to visible at 1,000/s, p99 ms',
    place: [VISIBLE, 'alone, 1000/s', 'p99 ms'],
    want: { most: 300 },
    missed:
      'The run ends with the first rate whose p99 is above 400 ms; the cores also carry who sends, L1 and whatever else the machine does.',
  },
  {
    what: 'CPU seconds of a run of a swarm',
    place: ['A run of a swarm', 'next 60 runs', 'CPU s'],
    want: { most: 0.8 },
    missed:
      'It was 1.4 on 26 November, of runs that asked and judged less. The profile is flat: nothing takes more than 3 %, and a tenth is the judge.',
  },
  {
    what: 'idle memory of all processes, MB',
    place: ['An idle devnet, watched for 60 s', 'all processes', 'memory MB'],
    want: { most: 250 },
    missed:
      'Pages that processes share count in each of them; the column beside it counts them once.',
  },
]

/** What was aimed at, and what the newest figures say of it. */
export function goalStates(runs: readonly Figures[]): GoalState[] {
  return GOALS.map((goal) => {
    const [title, row, column] = goal.place
    const byKind = new Map<string, Measured>()
    for (const { results, date, machine } of runs.toReversed()) {
      const value = results[title]?.[row]?.[column]
      const kind = kindOf(machine)
      if (value !== undefined && !byKind.has(kind)) byKind.set(kind, { value, date, machine })
    }
    const [newest, ...elsewhere] = byKind.values()
    const isMet = newest !== undefined && isEnough(newest.value, goal.want)
    return { ...goal, newest, elsewhere, isMet }
  })
}

const isEnough = (value: number, want: Goal['want']) =>
  'least' in want ? value >= want.least : value <= want.most
