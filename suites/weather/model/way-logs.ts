import { concatHex, type Hex, numberToHex, pad } from 'viem'
import { postedSingular } from './posted-singular.ts'

/** Logs of the way from L2 to L1 and back: blocks of two seconds on both, from the same second on. */

const [ALICE, BOB] = [pad('0xa11ce', { size: 20 }), pad('0xb0b', { size: 20 })]
const BEGIN = 1_000
const l2Hash = (number: number): Hex => numberToHex(number, { size: 32 })
const l1Hash = (number: number): Hex => numberToHex(0x100 + number, { size: 32 })
const WAITS = numberToHex(0x51, { size: 32 })
const line = (t: number, who: string, what: string, data: object = {}) =>
  `${t} ${who} ${what} ${JSON.stringify(data)}`

const known = line(0, 'r', 'chain.known', {
  ...{ accounts: [ALICE, BOB], balance: numberToHex(10n ** 19n), chainId: 1 },
  ...{ genesisTime: BEGIN, blockTime: 2, genesisL1: 0, sequencerWindow: 50 },
})
/** All of origin 0; it has room. */
const l2 = (number: number, more: object = {}) =>
  line(2_000 * number, 'r', 'l2.block', {
    ...{ hash: l2Hash(number), number, parent: number === 0 ? l2Hash(0xff) : l2Hash(number - 1) },
    ...{ time: BEGIN + 2 * number, baseFee: '0x7', gasLimit: '0xf4240' },
    ...{ gasUsed: '0x0', blobGasUsed: '0x0' },
    transactions: number === 0 ? [] : [attributes(number)],
    receipts: number === 0 ? [] : [receipt(number)],
    ...more,
  })
const attributes = (number: number) => ({
  ...{ hash: l2Hash(0xa0 + number), type: '0x7e', value: '0x0', nonce: '0x0' },
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  to: '0x4200000000000000000000000000000000000015',
  input: concatHex([
    pad('0x01', { size: 12 }),
    ...[number, BEGIN, 0].map((word) => numberToHex(word, { size: 8 })),
    pad('0x00', { size: 64 }),
    l1Hash(0),
    pad('0x00', { size: 48 }),
  ]),
})
const receipt = (number: number) => ({
  ...{ transactionHash: attributes(number).hash, status: '0x1', gasUsed: '0x0' },
  ...{ effectiveGasPrice: '0x0', logs: [] },
})
const sealed = (number: number, ...transactions: Hex[]) =>
  line(2_000 * number, 'node', 'sealed', {
    ...{ number, hash: l2Hash(number), parent: l2Hash(number - 1), transactions },
  })
const head = (number: number) =>
  line(2_000 * number + 1, 'r', 'l2.head', { hash: l2Hash(number), number, asked: 2_000 * number })
/** A block of L1, as it is mined and as it is read, with batches of these blocks. */
const l1 = (number: number, ...posted: number[]) => [
  line(2_000 * number, 'l1', 'block', { hash: l1Hash(number), number, transactions: [] }),
  line(2_000 * number + 1, 'r', 'l1.block', {
    ...{ hash: l1Hash(number), number, parent: l1Hash(number - 1), time: BEGIN + 2 * number },
    ...{ deposits: [], hasBlobs: false },
    batches: posted.map((each) =>
      postedSingular(numberToHex(100 * number + each, { size: 16 }), [
        {
          ...{ parent: l2Hash(each - 1), epoch: 0, epochHash: l1Hash(0) },
          time: BEGIN + 2 * each,
        },
      ]),
    ),
  }),
]
const quiet = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => l1(from + at)).flat()
const safe = (t: number, number: number, word = 'safe') =>
  line(t, 'node', word, { number, hash: l2Hash(number) })
const end = (t: number) => line(t, 'weather', 'end')
const fault = (from: number, to: number, target: string, name = 'down') => [
  line(from, target, 'fault.on', { id: 1, fault: name }),
  line(to, target, 'fault.off', { id: 1 }),
]
const reorg = (t: number, ...gone: number[]) =>
  line(t, 'l1', 'reorg', { depth: gone.length, removed: gone.map(l1Hash) })
/** One block of L2 on top of its first. */
const one = [known, ...l1(0), ...l1(1), l2(0), l2(1), sealed(1), head(1)]
/** Two, each on L1 one block later. */
const two = [...one, l2(2), sealed(2), head(2), ...l1(2, 1), ...l1(3, 2)]
const sync = (t: number, latest: number, safe: number, finalized: number) =>
  line(t, 'r', 'sync.seen', {
    ...{ latest: l2Hash(latest), safe: l2Hash(safe), finalized: l2Hash(finalized), asked: t },
  })

/** Bob's next, and what came into the pool. */
const signed = (more: object = {}) =>
  line(1, 'c', 'transaction.signed', {
    ...{ hash: WAITS, from: BOB, to: ALICE, value: '0x64', input: '0x', nonce: 0 },
    ...{ maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x3', ...more },
  })
const pooled = line(1_000, 'node', 'pooled', { hash: WAITS, from: BOB })
const three = [known, l2(0), l2(1), l2(2), l2(3), sealed(1), sealed(2), sealed(3)]
/** The sender of a deposit has used a nonce. */
const deposited = l2(2, {
  transactions: [
    attributes(2),
    { ...attributes(2), hash: l2Hash(0xd0), from: BOB, to: ALICE, input: '0x', mint: '0x0' },
  ],
  receipts: [receipt(2), { ...receipt(2), transactionHash: l2Hash(0xd0) }],
})

const shownAt = (t: number) =>
  line(t, 'node', 'flashblock', { number: 1, index: 1, added: [WAITS] })
const dropped = (t: number) => line(t, 'node', 'discarded', { hash: WAITS })
const drops = (...codes: string[]) =>
  line(30, 'r', 'drops.seen', { asked: 30, drops: codes.map((code) => ({ hash: WAITS, code })) })

const L1_REORG = '3000 l1 reorg {"depth":1,"removed":[]}'

export const WAY_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'heads-are-one-chain': {
    good: [
      [...two, sync(6_000, 2, 1, 0)],
      // L1 took back what had made it safe.
      [...two, safe(6_100, 2), reorg(6_500, 3), safe(6_600, 1)],
      // A node that begins anew knows what was final.
      [...two, safe(6_100, 2), '6200 node ended {}', safe(6_600, 1)],
    ],
    bad: [
      [...two, sync(6_000, 1, 2, 0)],
      [...two, sync(6_000, 2, 1, 2)],
      [...two, safe(6_100, 2), reorg(6_500, 3), safe(6_600, 0)],
      [...two, ...l1(4), safe(6_100, 2), reorg(8_500, 4), safe(8_600, 1)],
    ],
  },
  'batches-come-soon': {
    good: [
      [...two, ...quiet(4, 8)],
      [...one, ...quiet(2, 5), ...l1(6, 1), ...fault(3_000, 5_000, 'link:batcher-l1')],
      // L1 asks for more than was offered, and goes on to after the fault: more is offered five seconds later.
      [...one, ...quiet(2, 8), ...l1(9, 1), ...fault(3_000, 3_500, 'chain:l1', 'gas_spike')],
      // Who began meanwhile waits as long before he takes the place of the one that died.
      [
        ...[...one, ...quiet(2, 9), ...l1(10, 1), '7000 batcher started {}'],
        ...fault(3_000, 3_500, 'chain:l1', 'gas_spike'),
      ],
      [...one, ...quiet(2, 4)],
      // What L1 dropped is offered again five seconds later.
      [...one, ...quiet(2, 8), ...l1(9, 1), L1_REORG],
      [...one, ...quiet(2, 8), '14000 batcher ended {}'],
      // The branch that was posted on is gone.
      [...one, ...quiet(2, 5), ...l1(6, 1), reorg(11_000, 99)],
    ],
    bad: [
      [...one, ...quiet(2, 5), ...l1(6, 1)],
      [...one, ...quiet(2, 8)],
      [...one, ...quiet(2, 8), ...fault(3_000, 5_000, 'link:batcher-l1')],
      [...one, ...quiet(2, 5), ...l1(6, 1), ...fault(3_000, 11_000, 'link:host-l1')],
      [...one, ...quiet(2, 9), ...l1(10, 1), ...fault(3_000, 3_500, 'chain:l1', 'gas_spike')],
      [...one, ...quiet(2, 9), ...l1(10, 1), L1_REORG],
      [...one, ...quiet(2, 8), ...l1(9, 1), ...fault(3_000, 3_500, 'chain:l1', 'still')],
    ],
  },
  'batches-come-once': {
    good: [
      two,
      [...one, ...l1(2, 1), reorg(5_000, 99), ...l1(3, 1)],
      [...one, ...l1(2, 1), '5000 node ended {}', ...l1(3, 1)],
      [...one, ...l1(2, 1), ...quiet(3, 11), ...l1(12, 1)],
    ],
    bad: [
      [...one, ...l1(2, 1), ...l1(3, 1)],
      [...one, ...l1(2, 1), ...l1(3, 1), reorg(9_000, 99)],
      [...one, ...l1(2, 1), ...quiet(3, 10), ...l1(11, 1)],
    ],
  },
  'safe-comes-soon': {
    good: [
      [...two, safe(4_100, 1), safe(6_100, 2), end(11_500)],
      [...two, ...quiet(4, 6), safe(6_100, 2), safe(12_100, 2, 'finalized'), end(20_000)],
      [...two, ...fault(4_000, 14_000, 'link:safe-head-l1'), safe(14_100, 2), end(15_000)],
    ],
    bad: [
      [...two, end(11_500)],
      [...two, safe(9_500, 2), end(11_500)],
      [...two, safe(6_100, 2), ...quiet(4, 6), end(20_000)],
    ],
  },
  'turns-come': {
    good: [
      [...three, signed()],
      // It waits for another of its sender, cannot be paid for, or is gone.
      [...three, signed({ nonce: 1 }), pooled],
      [...three, signed({ maxFeePerGas: '0x6' }), pooled],
      [...three, signed({ value: numberToHex(10n ** 19n) }), pooled],
      [...three, signed(), pooled, '1500 node discarded {"hash":"HASH"}'.replace('HASH', WAITS)],
      [...three, signed(), pooled, '3000 node ended {}'],
      [...three, signed(), pooled, '3000 node reorg {"removed":[]}'],
      [...three, signed(), pooled, sealed(2, WAITS)],
      // It came while the second block was built.
      [...three, signed(), pooled.replace('1000', '2500')],
      // The blocks are full.
      [
        ...[known, l2(0), l2(1), l2(2, { gasUsed: '0xf423f' })],
        ...three.slice(4),
        signed(),
        pooled,
      ],
    ],
    bad: [
      [...three, signed(), pooled],
      // Its turn came with a deposit.
      [...[known, l2(0), l2(1), deposited], ...three.slice(4), signed({ nonce: 1 }), pooled],
    ],
  },
  'flashblocks-come': {
    good: [
      [...three, signed(), pooled, shownAt(1_300)],
      [...three, signed(), pooled, ...fault(900, 1_400, 'chain:l1'), shownAt(1_700)],
      [...three, signed(), pooled, ...fault(900, 1_000, 'clock:node'), shownAt(1_700)],
      // The disk is tried again a second later.
      [...three, signed(), pooled, ...fault(900, 1_400, 'disk:state', 'full'), shownAt(2_700)],
      // Who sent the one before it is not known: a deposit, or nobody yet.
      [...three, signed({ nonce: 1 }), pooled, shownAt(1_700)],
      // It waits for its share of the block's data.
      [...three, signed({ input: `0x${'00'.repeat(8_001)}` }), pooled, shownAt(1_700)],
      // It was in a block that is gone, and is in the pool again.
      [...three, signed(), pooled, shownAt(1_200), pooled.replace('1000', '5000'), shownAt(5_200)],
    ],
    bad: [
      [...three, signed(), pooled, shownAt(1_301)],
      [...three, signed(), pooled, ...fault(900, 1_400, 'disk:state', 'full'), shownAt(2_701)],
      [...three, signed({ input: `0x${'00'.repeat(8_000)}` }), pooled, shownAt(1_700)],
      [...three, signed(), pooled, sealed(1, WAITS)],
      [...three, signed(), pooled, shownAt(1_200), pooled.replace('1000', '5000'), shownAt(5_400)],
    ],
  },
  'drops-are-known': {
    good: [
      [dropped(20), drops('NONCE_TOO_LOW')],
      [dropped(20), '25 node pooled {"hash":"HASH"}'.replace('HASH', WAITS), drops()],
      [dropped(20), '25 node ended {}', drops()],
      [dropped(30), drops()],
    ],
    bad: [
      [dropped(20), drops()],
      [drops('NONCE_TOO_LOW')],
      [dropped(20), drops('nonce too low: next nonce 1, tx nonce 0')],
    ],
  },
}
