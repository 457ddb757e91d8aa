import { concatHex, type Hex, numberToHex, pad } from 'viem'

/**
 * Logs of a chain that crosses to blocks of 200 ms with its third block: what its hands say of times, hashes and
 * gas, and what each checker of the model finds wrong in others.
 */

const hash = (name: number): Hex => numberToHex(name, { size: 32 })
const line = (t: number, what: string, data: object) => `${t} r ${what} ${JSON.stringify(data)}`
const ALICE = pad('0xa11ce', { size: 20 })
const BOB = pad('0xb0b', { size: 20 })
const BASE_TIME: Hex = '0x4200000000000000000000000000000000000030'
const DEPOSITOR: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

const known = line(0, 'chain.known', {
  ...{ accounts: [ALICE, BOB], balance: '0x186a00', chainId: 1, genesisL1: 6 },
  ...{ genesisTime: 10, blockTime: 2, denim: 15, sequencerWindow: 1 },
})

/** Source of the hashes: the layout of the deposit in base/base, worked out by other code. */
const PARTS: Readonly<Record<number, { hash: Hex; part: number }>> = {
  3: { part: 0, hash: '0x6df6aa7e5e5f8c188cf3774b43e724bde60350c41e973c05ad12ad893c64536d' },
  4: { part: 200, hash: '0xac0f0c535a9588133a22d9174b48462b68849d15f6c60a85949facf517f376a0' },
}

const deposit = (id: Hex, to: Hex, input: Hex) => ({
  ...{ hash: id, type: '0x7e', from: DEPOSITOR, to, input, value: '0x0', nonce: '0x0' },
})
const attributes = deposit(
  hash(0xa0),
  '0x4200000000000000000000000000000000000015',
  pad('0x', { size: 164 }),
)
const tells = (number: number) => {
  const { hash, part } = PARTS[number]!
  return deposit(hash, BASE_TIME, concatHex(['0x86bdf394', numberToHex(part, { size: 32 })]))
}

/** Version, denominator, elasticity, and wei below which no base fee falls. */
const rules = (denominator: number, least = 1): Hex =>
  concatHex([
    '0x01',
    ...[denominator, 5].map((value) => numberToHex(value, { size: 4 })),
    numberToHex(least, { size: 8 }),
  ])
const SLOW = { gasLimit: numberToHex(400_000_000), extraData: rules(100) }
const FAST = { gasLimit: numberToHex(40_000_000), extraData: rules(1_000) }

type Listed = { hash: Hex }
const block = (number: number, more: object = {}, transactions: Listed[] = []) =>
  line(10 * number, 'l2.block', {
    ...{ hash: hash(number), number, parent: hash(number - 1), time: 10 + 2 * number },
    ...{ baseFee: '0x3e8', gasUsed: '0x0', blobGasUsed: '0x0', ...SLOW },
    transactions,
    receipts: transactions.map((each) => ({
      ...{ transactionHash: each.hash, status: '0x1', gasUsed: '0x0', effectiveGasPrice: '0x0' },
      logs: [],
    })),
    ...more,
  })
const genesis = line(0, 'l2.block', {
  ...{ hash: hash(0), number: 0, parent: hash(0xff), time: 10, transactions: [], receipts: [] },
  ...{ baseFee: '0x3e8', gasUsed: numberToHex(80_000_000), blobGasUsed: '0x0', ...SLOW },
})

/** Two blocks of 2 s: the first uses just what it should, the second twice as much. */
const first = block(1, { gasUsed: numberToHex(80_000_000) })
const second = block(2, { gasUsed: numberToHex(160_000_000) })
/** At 16,000 and 16,200 ms. A hundredth more than 1,000 wei; the third uses all it may. */
const atThird = {
  ...{ time: 16, timestampMs: numberToHex(16_000), ...FAST },
  ...{ baseFee: numberToHex(1_010), gasUsed: numberToHex(40_000_000) },
}
const third = block(3, atThird, [attributes, tells(3)])
/** A full block is 0.4 % of the fee, rounded down. */
const atFourth = {
  ...{ time: 16, timestampMs: numberToHex(16_200), ...FAST },
  baseFee: numberToHex(1_014),
}
const fourth = block(4, atFourth, [attributes, tells(4)])
const before = [known, genesis, first, second]
const chain = [...before, third, fourth]

const sealed = (t: number, number: number) =>
  `${t} node sealed ${JSON.stringify({ number, hash: hash(number), parent: hash(number - 1) })}`
const seen = (value: number, at: string, kind: string, input: string, address = BASE_TIME) =>
  line(33, 'value.seen', {
    ...{ kind, address, input, at, value: numberToHex(value), asked: 32 },
  })
const signed = line(30, 'transaction.signed', {
  ...{ hash: hash(0x51), from: BOB, to: ALICE, value: '0x64', input: '0x', nonce: 0 },
  ...{ maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x3' },
})
/** The third is the newest. */
const looked = [sealed(31, 3), sealed(41, 4)]
const SLOT = '0x0'
const PART = '0x7b2fea99'

const LOGGED = hash(0x10)
const pendingLog = (t: number, removed: boolean) =>
  line(t, 'stream.message', { kind: 'pendingLogs', key: `${LOGGED} ${removed}` })
const OTHER = hash(0x11)
const opened = (t: number) => line(t, 'stream.opened', { kind: 'pendingLogs' })
const grown = (t: number, added = [LOGGED]) =>
  `${t} node flashblock ${JSON.stringify({ number: 1, added })}`
const givenUp = (transactions: Hex[]) =>
  `30 node dropped ${JSON.stringify({ number: 1, transactions })}`
const logging = (transactions: Hex[], logs: object[] = [{ logIndex: '0x0' }], at = hash(1)) =>
  line(50, 'l2.block', {
    ...{ hash: at, number: 1, parent: hash(0), time: 12, transactions: [] },
    receipts: transactions.map((transactionHash) => ({ transactionHash, logs })),
  })
/** The first block is given up, and has its log again. */
const begunAnew = [
  ...[known, opened(0), grown(10), pendingLog(11, false), givenUp([LOGGED])],
  ...[grown(40), '90000 weather end', logging([LOGGED])],
]
/** It was sealed, and gone before anybody read it. */
const takenBack = [
  ...[known, opened(0), grown(10), pendingLog(11, false), pendingLog(12, false)],
  `20 node sealed ${JSON.stringify({ number: 1, hash: hash(0x77), transactions: [LOGGED] })}`,
  `30 node reorg ${JSON.stringify({ removed: [hash(0x77)] })}`,
  ...[grown(40), pendingLog(41, false), '90000 weather end', logging([LOGGED])],
]
/** Who begins to listen then hears the second of the two that are alike. */
const heardInBetween = [
  ...[known, grown(10), grown(15, [OTHER]), opened(20), givenUp([LOGGED, OTHER])],
  ...[grown(40), '90000 weather end', logging([LOGGED, OTHER])],
]
/** On the other branch it comes where it fails. */
const failsThere = [
  ...[known, opened(0), grown(10), pendingLog(11, false), logging([LOGGED])],
  ...[grown(60), logging([LOGGED], [], hash(0x33)), '90000 weather end'],
]

export const CROSSING_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'blocks-are-due': {
    good: [chain, before],
    bad: [
      // Nothing was left out, and yet a slot is.
      [...before, block(3, { ...atThird, time: 15 }, [attributes, tells(3)])],
      [...before, third, block(4, { ...atFourth, time: 18 }, [attributes, tells(4)])],
      // Of the slot before it.
      [
        ...before,
        third,
        block(4, { ...atFourth, timestampMs: atThird.timestampMs }, [attributes, tells(4)]),
      ],
      [...before, third, block(4, { ...atFourth, timestampMs: undefined }, [attributes, tells(4)])],
      [...before, third, block(4, atFourth, [attributes, tells(3)])],
      [...before, block(3, atThird, [attributes])],
      [...before, block(3, atThird, [tells(3), attributes])],
      // Once is enough, and before Denim is too early.
      [...before, block(3, atThird, [attributes, tells(3), tells(4)])],
      [known, genesis, block(1, {}, [attributes, tells(3)])],
      [known, genesis, block(1, { timestampMs: numberToHex(12_000) })],
    ],
  },
  'gas-follows': {
    good: [chain, [third, fourth]],
    bad: [
      // Not divided, divided again, and the fee as fast as before.
      [...before, block(3, { ...atThird, gasLimit: SLOW.gasLimit }, [attributes, tells(3)])],
      [...before, third, block(4, { ...atFourth, gasLimit: '0x3d0900' }, [attributes, tells(4)])],
      [...before, block(3, { ...atThird, extraData: SLOW.extraData }, [attributes, tells(3)])],
      [...before, block(3, { ...atThird, extraData: rules(1_000, 2) }, [attributes, tells(3)])],
      // Moved by the rules of its own block, and not of its parent's.
      [...before, block(3, { ...atThird, baseFee: numberToHex(1_001) }, [attributes, tells(3)])],
      [
        ...before,
        third,
        block(4, { ...atFourth, baseFee: numberToHex(1_050) }, [attributes, tells(4)]),
      ],
      [known, genesis, block(1, { baseFee: numberToHex(999) })],
      [known, genesis, block(1, { ...FAST })],
    ],
  },
  'values-are-true': {
    good: [
      [...chain, ...looked, seen(0, 'latest', 'storage', SLOT)],
      [...chain, ...looked, seen(0, 'latest', 'call', PART)],
      // A call at pending finds it as it will be.
      [...chain, ...looked, seen(200, 'pending', 'call', PART)],
      [...chain, ...looked, seen(0, 'pending', 'storage', SLOT)],
      // What waits counts.
      [...chain, signed, ...looked, seen(1, 'pending', 'nonce', '0x', BOB)],
    ],
    bad: [
      [...chain, ...looked, seen(200, 'latest', 'storage', SLOT)],
      [...chain, ...looked, seen(0, 'pending', 'call', PART)],
      [...chain, ...looked, seen(1, 'pending', 'nonce', '0x', BOB)],
      [...chain, signed, ...looked, seen(1, 'latest', 'nonce', '0x', BOB)],
      // Nobody is shown a block that is being built.
      [...chain, ...looked, seen(200, 'pending', 'storage', SLOT)],
    ],
  },
  'streams-are-whole': {
    good: [
      [...begunAnew, pendingLog(41, false)],
      [...heardInBetween, pendingLog(41, false)],
      failsThere,
      takenBack,
      // Twice where it was given up, and once where it stands.
      [...begunAnew, pendingLog(12, false), pendingLog(41, false)],
    ],
    bad: [
      // Base sends nothing for what is given up.
      [...begunAnew, pendingLog(41, true)],
      heardInBetween,
      [...heardInBetween, pendingLog(41, false), pendingLog(42, false)],
    ],
  },
}
