import { type Hex, numberToHex } from 'viem'
import { ALICE, asked, BOB, chain, hash, line, SIGNED, transfer } from './model-logs.ts'

/** Pages of the chain that `model-logs.ts` reckons: Bob sends 100 wei to Alice in its second block. */

const page = (what: string, data: object) => line(25, what, { ...data, asked: 22 })
const shown = (more: object = {}) =>
  page('transaction.seen', {
    hash: SIGNED,
    transaction: {
      ...{ ...transfer, blockHash: hash(2), transactionIndex: '0x1' },
      ...{ blockNumber: '0x2', blockTimestamp: '0x68', gasPrice: '0xa', ...more },
    },
  })
const called = (more: object = {}) =>
  page('call.seen', {
    hash: SIGNED,
    frame: {
      ...{ type: 'CALL', from: BOB, to: ALICE, value: '0x64', input: '0x' },
      ...{ gasUsed: '0x5208', isDone: true, ...more },
    },
  })
/** Bob was sent what Alice deposited, in the first block. */
const DEPOSITED = Object(JSON.parse(chain[4]!.split(' ').slice(3).join(' '))).transactions[1].hash
const past = (hashes: Hex[], isAll = true) => page('past.seen', { address: BOB, hashes, isAll })
const waiting = (hash: Hex) => page('pool.seen', { hashes: [hash] })
/** By Bob, too, and never in a block. */
const LATE = hash(0x52)
const late = (nonce: number) =>
  line(2, 'transaction.signed', {
    ...{ hash: LATE, from: BOB, to: ALICE, value: '0x0', input: '0x', nonce },
    ...{ maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x1' },
  })
const confirmed = (number: number, isDone = true) =>
  line(23, 'confirmed', { hash: SIGNED, isDone, number })
const dropped = '40 node dropped {}'

/** Carol's and Dave's wait too, and pay tips of 9 and of 5 wei; Dave's next one and Eve's pay 9. */
const [CAROL, DAVE, DAVES_NEXT, EVE] = [hash(0xca), hash(0xda), hash(0xdb), hash(0xee)] as const
const rush = (
  [
    [CAROL, CAROL, 9, 0],
    [DAVE, DAVE, 5, 0],
    [DAVES_NEXT, DAVE, 9, 1],
    [EVE, EVE, 9, 0],
  ] as const
).map(([id, who, tip, nonce]) =>
  line(2, 'transaction.signed', {
    ...{ hash: id, from: numberToHex(BigInt(who), { size: 20 }), to: ALICE, value: '0x0' },
    ...{ input: '0x', nonce, maxFeePerGas: '0x64', maxPriorityFeePerGas: numberToHex(tip) },
  }),
)
const pooled = (hash: Hex, t = 12) => `${t} node pooled ${JSON.stringify({ hash })}`
const taken = (...added: Hex[]) =>
  `15 node flashblock ${JSON.stringify({ number: 2, index: 1, added })}`
const waited = [pooled(SIGNED), pooled(CAROL), pooled(DAVE)]

export const PAGE_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'pages-are-true': {
    good: [
      asked(shown(), called(), past([SIGNED, DEPOSITED]), past([SIGNED], false), confirmed(2)),
      // It is not in a block yet, or of one that came and went.
      asked(shown({ blockHash: null, transactionIndex: null }), shown({ blockHash: hash(0x99) })),
      asked(page('transaction.seen', { hash: SIGNED, transaction: null }), confirmed(1), dropped),
      asked(late(1), waiting(LATE)),
      // Nobody was told of all blocks.
      [...chain.filter((_, at) => at !== 4), past([])],
    ],
    bad: [
      asked(shown({ value: '0x65' })),
      asked(shown({ transactionIndex: '0x0' })),
      asked(shown({ gasPrice: '0x14' })),
      asked(shown({ blockTimestamp: '0x69' })),
      asked(called({ gasUsed: '0x5209' })),
      asked(called({ isDone: false })),
      asked(called({ to: BOB })),
      asked(past([SIGNED])),
      asked(past([DEPOSITED, SIGNED])),
      asked(waiting(SIGNED)),
      asked(late(0), waiting(LATE)),
      asked(waiting(hash(0x99))),
      asked(confirmed(1)),
      asked(confirmed(2, false)),
    ],
  },
  'tips-come-first': {
    good: [
      asked(...rush, ...waited, taken(CAROL, DAVE, SIGNED)),
      asked(...rush, ...waited, pooled(EVE), taken(CAROL, EVE, DAVE, SIGNED)),
      // It came while the flashblock was made, or nobody knows what it paid.
      asked(...rush, pooled(SIGNED), pooled(CAROL, 15), taken(SIGNED, CAROL)),
      asked(...waited, taken(SIGNED, CAROL)),
      // Dave's first comes back with a reorganization while it is made, and his next one waits for it.
      asked(
        ...[...rush, pooled(SIGNED), pooled(DAVES_NEXT), pooled(DAVE, 15)],
        taken(SIGNED, DAVE, DAVES_NEXT),
      ),
      // A real one may have been begun before.
      asked(...rush, ...waited, taken(SIGNED, CAROL)).map((each) =>
        each.replace('"sequencerWindow"', '"isReal":true,"sequencerWindow"'),
      ),
    ],
    bad: [
      asked(...rush, ...waited, taken(SIGNED, CAROL)),
      asked(...rush, ...waited, taken(CAROL, SIGNED, DAVE)),
      // Carol came first, and pays as much.
      asked(...rush, ...waited, pooled(EVE), taken(EVE, CAROL, DAVE, SIGNED)),
      asked(...rush, ...waited, pooled(DAVES_NEXT), taken(DAVE, SIGNED, DAVES_NEXT)),
    ],
  },
}
