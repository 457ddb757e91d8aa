import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
  parseAbiParameters,
  toEventSelector,
} from 'viem'
import { depositOf } from './derive-deposits.ts'

/** Logs of a chain of three blocks, reckoned by hand, and what each checker of the model finds wrong in others. */

export const ALICE = pad('0xa11ce', { size: 20 })
export const BOB = pad('0xb0b', { size: 20 })
export const hash = (name: number): Hex => numberToHex(name, { size: 32 })
const L1_HASH = hash(0x11)

const TIMES = { chainId: 1, genesisTime: 100, blockTime: 2, genesisL1: 6 }
export const line = (t: number, what: string, data: object) =>
  `${t} r ${what} ${JSON.stringify(data)}`

const knownWith = (sequencerWindow: number) =>
  line(0, 'chain.known', { accounts: [ALICE, BOB], balance: '0x186a00', ...TIMES, sequencerWindow })
const known = knownWith(1)
const head = (t: number, number: number, at = hash(number)) =>
  line(t, 'l2.head', { hash: at, number, asked: t - 1 })
/** When the node sealed it. */
const sealed = (t: number, number: number, at = hash(number), parent = hash(number - 1)) =>
  `${t} node sealed ${JSON.stringify({ number, hash: at, parent })}`

const portalLog = {
  address: pad('0x9072', { size: 20 }),
  topics: [
    toEventSelector('TransactionDeposited(address,address,uint256,bytes)'),
    pad(ALICE),
    pad(BOB),
    pad('0x00'),
  ],
  data: encodeAbiParameters(
    [{ type: 'bytes' }],
    [encodePacked(['uint256', 'uint256', 'uint64', 'bool'], [500n, 500n, 100_000n, false])],
  ),
  ...{ blockHash: L1_HASH, logIndex: '0x0' as Hex },
}
const l1 = line(1, 'l1.block', {
  ...{
    hash: L1_HASH,
    number: 7,
    parent: hash(0x10),
    time: 100,
    deposits: [portalLog],
    batches: [],
    hasBlobs: false,
  },
})

const attributesOf = (l1: { sequence: number; time: number; number: number }) =>
  concatHex([
    pad('0x01', { size: 12 }),
    ...[l1.sequence, l1.time, l1.number].map((word) => numberToHex(word, { size: 8 })),
    pad('0x00', { size: 64 }),
    L1_HASH,
    pad('0x00', { size: 48 }),
  ])
const attributes = (sequence: number) => ({
  ...{ hash: hash(0xa0 + sequence), type: '0x7e', value: '0x0', nonce: '0x0' },
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  to: '0x4200000000000000000000000000000000000015',
  input: attributesOf({ sequence, time: 100, number: 7 }),
})
const replacing = {
  ...attributes(2),
  ...{ hash: hash(0xae), input: attributesOf({ sequence: 0, time: 101, number: 8 }) },
}
const deposit = {
  ...{ hash: depositOf(portalLog).hash, type: '0x7e', from: ALICE, to: BOB, input: '0x' },
  ...{ mint: '0x1f4', value: '0x1f4', nonce: '0x0' },
}
export const SIGNED = hash(0x51)
const signed = line(2, 'transaction.signed', {
  ...{ hash: SIGNED, from: BOB, to: ALICE, value: '0x64', input: '0x', nonce: 0 },
  ...{ maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x3' },
})
export const transfer = {
  ...{ hash: SIGNED, type: '0x2', from: BOB, to: ALICE, value: '0x64', nonce: '0x0', input: '0x' },
}
const receiptOf = (transactionHash: Hex) => ({
  ...{ transactionHash, status: '0x1', gasUsed: '0x0', effectiveGasPrice: '0x0' },
  logs: [],
})
/** 21,000 gas at a base fee of 7 wei and a tip of 3, and 40 wei for L1. */
const paid = {
  ...receiptOf(SIGNED),
  gasUsed: '0x5208',
  effectiveGasPrice: '0xa',
  l1Fee: '0x28',
}

type Listed = { hash: Hex }
const block = (number: number, transactions: Listed[], more: object = {}) =>
  line(10 * number, 'l2.block', {
    ...{
      hash: hash(number),
      number,
      parent: hash(number - 1),
      time: 100 + 2 * number,
      baseFee: '0x7',
    },
    transactions,
    receipts: transactions.map((each) => (each.hash === SIGNED ? paid : receiptOf(each.hash))),
    ...more,
  })
const genesis = line(0, 'l2.block', {
  ...{ hash: hash(0), number: 0, parent: hash(0xff), time: 100, baseFee: '0x7' },
  ...{ transactions: [], receipts: [] },
})
const first = block(1, [attributes(0), deposit])
const second = block(2, [attributes(1), transfer])
const third = block(3, [attributes(2)])
export const chain = [known, genesis, l1, signed, first, second, third]
/** The second with more in Bob's receipt. */
const paying = (more: object) => [
  ...[known, genesis, l1, signed, first],
  block(2, [attributes(1), transfer], {
    receipts: [receiptOf(attributes(1).hash), { ...paid, ...more }],
  }),
]

/** Bob withdraws 100 wei to himself: a contract that knows one sentence. */
const PASSER: Hex = '0x4200000000000000000000000000000000000016'
const NONCE_0 = numberToHex(1n << 240n, { size: 32 })
const passed = {
  address: PASSER,
  topics: [
    toEventSelector('MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)'),
    ...[NONCE_0, pad(BOB), pad(BOB)],
  ],
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes32' }],
    [
      ...([100n, 100_000n, '0x'] as const),
      keccak256(
        encodeAbiParameters(
          parseAbiParameters('uint256, address, address, uint256, uint256, bytes'),
          [hexToBigInt(NONCE_0), BOB, BOB, 100n, 100_000n, '0x'],
        ),
      ),
    ],
  ),
  logIndex: '0x0' as Hex,
}
const withdrawn = { ...transfer, to: PASSER }
const withdraws = (receipt: object = {}, status = '0x1') => [
  ...[known, genesis, first],
  line(2, 'transaction.signed', {
    ...{ hash: SIGNED, from: BOB, to: PASSER, value: '0x64', input: '0x', nonce: 0 },
    ...{ maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x3' },
  }),
  block(2, [attributes(1), withdrawn], {
    receipts: [receiptOf(attributes(1).hash), { ...paid, status, logs: [passed], ...receipt }],
  }),
  third,
]
const kept = (address: Hex, input: Hex, value: bigint, at = 'latest', kind = 'storage') =>
  line(25, 'value.seen', { ...{ kind, address, input, at, value: numberToHex(value) }, asked: 22 })
const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'

const receiptOf2 = (receipt: object | null, at = 22) =>
  line(25, 'receipt.seen', {
    ...{ hash: SIGNED, asked: at },
    receipt: receipt && {
      ...{ blockHash: hash(2), blockNumber: '0x2', transactionIndex: '0x1', from: BOB, to: ALICE },
      ...receipt,
    },
  })

/** Both blocks with what an output root is made of. */
const roots = { header: { stateRoot: hash(5), withdrawalsRoot: hash(6) } }
const rooted = [
  known.replace('}', ',"config":CONFIG}').replace(
    'CONFIG',
    JSON.stringify({
      ...{ chainId: 1, l1Hash: hash(1), l2Hash: hash(2), l2Time: 1, gasLimit: '0x1' },
      ...{ batcher: ALICE, scalar: hash(3), portal: ALICE, systemConfig: BOB },
    }),
  ),
  ...[genesis, signed, block(1, [attributes(0), deposit], roots)],
  block(2, [attributes(1), transfer], roots),
]
const ROOT_2 = keccak256(concatHex([hash(0), hash(5), hash(6), hash(2)]))
/** Somebody hears of heads, from the beginning to the end. */
const listening = (...lines: string[]) => [
  ...[line(5, 'stream.opened', { kind: 'newHeads' }), ...lines],
  '90000 weather end',
]
const message = (t: number, number: number, more: object = {}) =>
  line(t, 'stream.message', { kind: 'newHeads', key: hash(number), ...more })
/** Somebody hears of logs that he chose; Bob's withdrawal is sealed meanwhile. */
const choosing = (filter: object) => [
  ...[...withdraws(), line(5, 'stream.opened', { kind: 'logs of a contract', filter })],
  ...[sealed(21, 2), '90000 weather end'],
]
const chosenLog = (t: number, removed = false) => {
  const { logIndex: _, ...log } = passed
  const key = `${hash(2)} 0 ${removed}`
  return line(t, 'stream.message', { kind: 'logs of a contract', key, log })
}
const game = (claimed: Hex[], claimIsTrue: boolean) =>
  line(35, 'game', { address: ALICE, block: 2, start: 0, roots: claimed, claimIsTrue })
const proofAsked = line(30, 'proof.asked', {
  id: 1,
  request: {
    ...{ agreed_l2_head_hash: hash(1), claimed_l2_block_number: 2 },
    claimed_l2_output_root: ROOT_2,
  },
})
const proofMade = line(35, 'proof.made', { id: 1, proof: { proposals: [] } })

/** Between host and enclave. */
const turnsBits = (from: number, to: number) => [
  `${from} link:host-enclave.16 fault.on {"id":1,"fault":"corrupt"}`,
  `${to} link:host-enclave.16 fault.off {"id":1}`,
]

const placed = { block: 2, transaction: SIGNED, index: 0 }
const range = (from: string, to: string, logs: object[], more: object = {}) =>
  line(25, 'range.seen', { from, to, logs, asked: 22, ...more })

const answer = (address: Hex, at: string, value: number, kind = 'balance') =>
  line(25, 'value.seen', { ...{ kind, address, at, value: numberToHex(value) }, asked: 22 })
const looked = [sealed(11, 1), sealed(21, 2), head(21, 2), sealed(31, 3), head(39, 3)]
export const asked = (...answers: string[]) => [...chain, ...looked, ...answers]

/** A third block that nobody was told of. */
const cameAndWent = (from: number, to: number) => [
  sealed(from, 3, hash(0x99)),
  `${to} node reorg {"removed":["${hash(0x99)}"]}`,
]

/** A block on the second, of L1 block 8 at 101 s. */
const givenUp = (t: number, users: Hex[] = []) =>
  line(t, 'dropped', {
    ...{ number: 3, parent: hash(2), transactions: [hash(0xd), ...users] },
    attributes: attributesOf({ sequence: 0, time: 101, number: 8 }),
  }).replace(' r ', ' node ')

const safe = (number: number) => line(40, 'safe.seen', { number, hash: hash(number) })
/** L1 from its first block on, with no batch in it. */
const fromTheStart = [0, 1, 2, 3, 4, 5, 6].map((number) =>
  line(1, 'l1.block', {
    ...{ hash: hash(0x0a + number), number, parent: hash(0x09 + number), time: 90 },
    ...{ deposits: [], batches: [], hasBlobs: false },
  }),
)

const later = line(45, 'l1.block', {
  ...{ hash: hash(0x12), number: 8, parent: L1_HASH, time: 102 },
  ...{ deposits: [], batches: [], hasBlobs: false },
})
const taken = line(3, 'transaction.taken', { hash: SIGNED })
const refusalDue = line(2, 'refusal.due', { hash: SIGNED, why: 'is of another chain' })
/** Two blocks more, and it is in none. */
const withoutIt = [
  ...[known, genesis, signed, first, taken, head(21, 1)],
  ...[block(2, [attributes(1)]), block(3, [attributes(2)]), head(39, 3)],
]
const over = line(50, 'weather.over', {})
/** The same with a nonce too high: what should stand before it was never sent. */
const tooEarly = signed.replace('"nonce":0', '"nonce":1')

const OTHER = hash(0x52)
/** Bob's next of the same nonce stands in the third block instead; wei of gas and of the tip. */
const anotherInstead = (fee: Hex, tip: Hex) => [
  ...withoutIt.filter((each) => !each.includes(hash(3))),
  line(25, 'transaction.signed', {
    ...{ hash: OTHER, from: BOB, to: ALICE, value: '0x64', input: '0x', nonce: 0 },
    ...{ maxFeePerGas: fee, maxPriorityFeePerGas: tip },
  }),
  block(3, [attributes(2), { ...transfer, hash: OTHER }]),
  head(39, 3),
]
/** A second block with the transaction, taken back. */
const takenBack = (transactions: Listed[]) => [
  line(22, 'l2.block', {
    ...{ hash: hash(0x22), number: 2, parent: hash(1), time: 104, baseFee: '0x7' },
    ...{ transactions, receipts: [] },
  }),
  line(23, 'reorg', { removed: [hash(0x22)] }).replace(' r ', ' node '),
]

/** 1,600,000 wei at first. */
const BOB_AFTER = 1_600_000 + 500 - 100 - 210_000 - 40
const BASE_FEES = '0x4200000000000000000000000000000000000019'

export const MODEL_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'blocks-are-executed': {
    good: [chain, [third], withdraws(), paying({ cumulativeGasUsed: '0x5208' })],
    bad: [
      paying({ cumulativeGasUsed: '0x5209' }),
      paying({ contractAddress: BOB }),
      withdraws({ logs: [] }),
      withdraws({ logs: [{ ...passed, logIndex: '0x1' }] }),
      withdraws({ logs: [{ ...passed, data: passed.data.replace('64', '65') }] }),
      withdraws({ logs: [] }, '0x0'),
      [known, genesis, first, second],
      [...chain, block(4, [attributes(3), transfer])],
      [
        known,
        genesis,
        signed,
        first,
        block(2, [attributes(1), { ...transfer, value: '0x65' } as Listed]),
      ],
      [known, genesis, signed, first, block(2, [attributes(1), transfer], { baseFee: '0x8' })],
      [known, genesis, first, block(2, [attributes(1)], { receipts: [] })],
    ],
  },
  'blocks-are-whole': {
    // Of headers nothing was told yet; real ones are held to it in a test of their own.
    good: [chain],
    bad: [[known, genesis, l1, signed, block(1, [attributes(0), deposit], { header: {} })]],
  },
  'deposits-come-once': {
    good: [chain, [known, genesis, first]],
    bad: [
      [known, genesis, l1, block(1, [attributes(0)])],
      [known, genesis, l1, block(1, [attributes(0), { ...deposit, hash: hash(0xbad) }])],
      [known, genesis, l1, block(1, [attributes(0), { ...deposit, mint: '0x1f5' } as Listed])],
      [known, genesis, l1, first, block(2, [attributes(1), deposit])],
      [known, genesis, l1, first, block(2, [attributes(2)])],
      [known, genesis, l1, block(1, [deposit])],
      [known, genesis, l1, block(1, [attributes(0), deposit], { time: 99 })],
    ],
  },
  'values-are-true': {
    good: [
      asked(answer(BOB, 'latest', BOB_AFTER), answer(BASE_FEES, 'latest', 147_000)),
      asked(answer(BOB, '0x1', 1_600_500), answer(BOB, 'pending', BOB_AFTER)),
      asked(answer(BOB, 'latest', 1, 'nonce'), answer(ALICE, 'latest', 1_600_100)),
      [...withdraws(), ...looked, kept(PASSER, '0x1', 1n), kept(PASSER, '0x1', 0n, '0x1')],
      [...withdraws(), ...looked, kept(PASSER, '0xecc70428', (1n << 240n) + 1n, 'latest', 'call')],
      asked(kept(L1_BLOCK, '0x0', (100n << 64n) + 7n), kept(L1_BLOCK, '0x2', hexToBigInt(L1_HASH))),
      asked(kept(L1_BLOCK, '0x8381f58a', 7n, 'pending', 'call')),
      asked(
        answer(BOB, hash(1), 1_600_500),
        answer(BOB, 'safe', 1_600_000),
        answer(BOB, '0x1', 0, 'code'),
      ),
      // What it began with is in no transaction.
      asked(kept(L1_BLOCK, '0x0', 1n, '0x0')),
      // The node was dead meanwhile.
      asked('24 node ended {}', answer(BOB, 'latest', 1)),
      // What was pending was given up, and nobody knows what was in it.
      asked('26 node dropped {}', answer(BOB, 'pending', 1)),
      asked(givenUp(26, [SIGNED]), answer(BOB, 'pending', 1)),
      // What was pending was built on an L1 block that L1 took back.
      asked(givenUp(26), kept(L1_BLOCK, '0x0', (101n << 64n) + 8n, 'pending')),
      asked(givenUp(26, [SIGNED]), kept(L1_BLOCK, '0x8381f58a', 8n, 'pending', 'call')),
      // The block that followed was replaced later, by one of another L1 block.
      [
        ...[known, genesis, l1, signed, first, second, sealed(21, 2)],
        kept(L1_BLOCK, '0x0', (100n << 64n) + 7n, 'pending'),
        ...[sealed(31, 3), third, '32 node reorg {"removed":["HASH"]}'.replace('HASH', hash(3))],
        ...[sealed(33, 3, hash(0x33)), block(3, [replacing], { hash: hash(0x33) })],
      ],
      // The block that followed came and went, and nobody was told of it.
      asked(...cameAndWent(24, 26), answer(BOB, 'pending', 1)),
      asked(...cameAndWent(22, 23), answer(BOB, 'latest', 1)),
      // It is of a chain that was replaced meanwhile, or of what it was replaced by.
      ...[BOB_AFTER, 1_600_500].map((wei) => [
        ...[known, genesis, l1, signed, first, second, sealed(11, 1), sealed(21, 2)],
        '24 node reorg {"removed":["HASH"]}'.replace('HASH', hash(2)),
        ...[sealed(24, 2, hash(0x22)), block(2, [attributes(1)], { hash: hash(0x22) })],
        answer(BOB, 'latest', wei),
      ]),
    ],
    bad: [
      [...withdraws(), ...looked, kept(PASSER, '0x1', 0n)],
      [...withdraws(), ...looked, kept(PASSER, '0x1', 1n, '0x1')],
      asked(kept(L1_BLOCK, '0x0', 7n)),
      asked('26 node reorg {"removed":[]}', answer(BOB, 'pending', 1)),
      // That was before anybody asked.
      asked(...cameAndWent(21, 21), answer(BOB, 'latest', 1)),
      // It was given up before anybody asked, or never held this, or was at pending alone.
      asked(givenUp(21), kept(L1_BLOCK, '0x0', (101n << 64n) + 8n, 'pending')),
      asked(givenUp(26), kept(L1_BLOCK, '0x0', (102n << 64n) + 8n, 'pending')),
      asked(givenUp(26), kept(L1_BLOCK, '0x0', (101n << 64n) + 8n)),
      asked(givenUp(26), answer(BOB, 'pending', 1)),
      asked(kept(L1_BLOCK, '0x8381f58a', 8n, 'pending', 'call')),
      asked(answer(BOB, 'latest', 1)),
      asked(answer(BOB, 'latest', 1_600_500)),
      asked(answer(BOB, '0x1', BOB_AFTER)),
      asked(answer(BOB, 'pending', 1_600_500)),
      asked(answer(BOB, 'latest', 0, 'nonce')),
      asked(answer(BASE_FEES, 'latest', 146_999)),
    ],
  },
  'answers-are-true': {
    good: [asked(receiptOf2(paid)), [...chain, receiptOf2(null)], asked(receiptOf2(null, 5))],
    bad: [
      asked(receiptOf2(null)),
      asked(receiptOf2({ ...paid, l1Fee: '0x29' })),
      // Once more, and other than before.
      [
        ...[...chain.slice(0, -1), block(3, [attributes(2)], { digest: 'aa' })],
        line(41, 'l2.again', { hash: hash(3), number: 3, digest: 'ab' }),
      ],
    ],
  },
  'games-are-of-the-chain': {
    good: [
      [...rooted, '20 node finalized {"number":2}', game([ROOT_2], true)],
      [...rooted, game([hash(9)], false), line(30, 'game.forged', {}).replace(' r ', ' liar ')],
      [...chain, game([hash(9)], true)],
    ],
    bad: [
      [...rooted, game([hash(9)], false)],
      [...rooted, game([hash(9)], true)],
      [...rooted, game([ROOT_2], false)],
      // It is the chain's, and may still go.
      [...rooted, '20 node finalized {"number":1}', game([ROOT_2], true)],
    ],
  },
  'proofs-are-of-the-chain': {
    // Real ones are held to it in a test of their own.
    good: [
      [...rooted, proofAsked],
      rooted,
      [...rooted, ...turnsBits(29, 31), proofAsked, proofMade],
    ],
    bad: [
      [...rooted, proofAsked, proofMade],
      [...rooted, ...turnsBits(20, 29), proofAsked, proofMade],
    ],
  },
  'logs-are-true': {
    good: [
      [
        ...withdraws(),
        ...looked,
        range('0x1', 'latest', [placed]),
        range('0x1', 'pending', [placed]),
      ],
      [...withdraws(), ...looked, range('latest', 'latest', [], { address: BOB })],
      // Bob's was not there yet, or was already.
      ...[[], [placed]].map((logs) => [
        ...[...withdraws(), sealed(11, 1), sealed(24, 2), sealed(31, 3)],
        range('latest', 'pending', logs),
      ]),
      // The node was dead meanwhile.
      [...withdraws(), ...looked, '24 node ended {}', range('0x1', 'latest', [])],
    ],
    bad: [
      [...withdraws(), ...looked, range('0x1', 'latest', [])],
      [...withdraws(), ...looked, range('0x1', 'latest', [placed, placed])],
      [...withdraws(), ...looked, range('0x1', 'latest', [{ ...placed, index: 1 }])],
      [...withdraws(), ...looked, range('latest', 'pending', [{ ...placed, block: 3 }])],
      [...withdraws(), ...looked, range('latest', 'latest', [placed], { address: BOB })],
    ],
  },
  'streams-are-whole': {
    good: [
      // A node that came back begins its block again, before anybody tells of it.
      [
        ...[sealed(1, 2), '2 node ended {}', '3 r stream.opened {"kind":"newHeads"}'],
        ...[message(4, 2), sealed(5, 3), message(6, 3)],
      ],
      // What it was building then it may build once more, after a reorganization.
      [
        ...[sealed(1, 2), '2 node ended {}', '3 r stream.opened {"kind":"newHeads"}'],
        ...[message(4, 9), sealed(5, 3), message(6, 3), sealed(7, 9), message(8, 9)],
      ],
      listening(sealed(10, 2), message(11, 2), sealed(20, 3), message(21, 3)),
      listening(sealed(10, 2), message(11, 2), '12 r stream.closed {}', sealed(20, 3)),
      // The last is on its way, and a line that sends all twice is the plan's work.
      listening(sealed(89_000, 2)),
      listening(
        '1 link:subscriber fault.on {"id":1,"fault":"duplicate"}',
        ...[sealed(10, 2), message(11, 2), message(12, 2)],
      ),
      [...rooted, ...listening(sealed(21, 2), message(22, 2, roots))],
      // Of what was chosen, and again where it is taken back.
      [...choosing({ address: PASSER }), chosenLog(22)],
      [...choosing({ topics: [null, null, pad(BOB)] }), chosenLog(22)],
      [...choosing({ topics: [null, null, pad(ALICE)] })],
      [
        ...[...choosing({ address: PASSER }), chosenLog(22)],
        ...[`30 node reorg ${JSON.stringify({ removed: [hash(2)] })}`, chosenLog(31, true)],
      ],
    ],
    bad: [
      choosing({ address: PASSER }),
      [...choosing({ address: BOB }), chosenLog(22)],
      [...choosing({ topics: [null, null, pad(ALICE)] }), chosenLog(22)],
      [
        ...[...choosing({ address: PASSER }), chosenLog(22)],
        `30 node reorg ${JSON.stringify({ removed: [hash(2)] })}`,
      ],
      // A log as nobody sent it.
      [
        ...withdraws(),
        `30 s.1 log.delivered ${JSON.stringify({ block: hash(2), index: 0, log: {} })}`,
      ],
      listening(sealed(10, 2)),
      listening(sealed(10, 2), sealed(20, 3), message(21, 3)),
      listening(sealed(10, 2), message(11, 2), message(12, 2)),
      listening(sealed(10, 2), message(11, 9)),
      listening(sealed(10, 2), sealed(20, 3), message(21, 3), message(22, 2)),
      [...rooted, ...listening(sealed(21, 2), message(22, 2, { header: { stateRoot: hash(9) } }))],
      [...rooted, ...listening(sealed(21, 2), message(22, 2, { receipts: [] }))],
    ],
  },
  'transactions-come-once': {
    good: [
      chain,
      [...chain, block(3, [attributes(2), transfer], { hash: hash(0x33), parent: hash(1) })],
    ],
    bad: [[...chain, block(4, [attributes(3), transfer])]],
  },
  'safe-is-on-l1': {
    good: [
      [...chain, ...looked],
      // Nothing was posted within the window: an empty block is made.
      [...fromTheStart, ...chain, ...looked, safe(1), later],
      // What it was derived from came and went unread, and the node had not noticed yet.
      [
        ...[...fromTheStart, ...chain, ...looked, safe(2), later],
        '38 node safe {"number":2,"hash":"HASH"}'.replace('HASH', hash(2)),
        '39 l1 reorg {"depth":1,"removed":["0x99"]}',
      ],
      // L1 was read once more, and L2 was not.
      [...fromTheStart, ...chain, ...looked, safe(4), later],
      // Nobody knows what was posted before, or since.
      [...chain, ...looked, safe(2), later],
      [...fromTheStart, ...chain, ...looked, safe(2)],
    ],
    bad: [
      [...fromTheStart, ...chain, ...looked, safe(2), later],
      // It was derived after that.
      [
        ...[...fromTheStart, ...chain, ...looked, safe(2), later],
        '37 l1 reorg {"depth":1,"removed":["0x99"]}',
        '38 node safe {"number":2,"hash":"HASH"}'.replace('HASH', hash(2)),
      ],
      // The window is open yet.
      [knownWith(2), ...fromTheStart, ...chain.slice(1), ...looked, safe(1), later],
    ],
  },
  'invalid-is-refused': {
    good: [
      [...chain, taken],
      [...chain, refusalDue],
    ],
    bad: [[...chain, refusalDue, taken]],
  },
  'accepted-comes': {
    good: [
      [...chain, ...looked, taken, over],
      [...withoutIt, '30 node discarded {"hash":"HASH"}'.replace('HASH', SIGNED), over],
      [...withoutIt, '30 node ended {}', over],
      // The newest head was told of, and its block was not read any more.
      [...chain, ...looked, taken, head(48, 9, hash(0x99)), over],
      // It may be in the block after the last that was looked at.
      [...withoutIt.slice(0, -2), over],
      // It waits for another of its sender, who never sent that.
      [...withoutIt.filter((each) => each !== signed), tooEarly, over],
      // It was replaced by what pays more.
      [...anotherInstead('0x16', '0x4'), over],
      // Its block was taken back, and its nonce was free again.
      [...anotherInstead('0x14', '0x3'), ...takenBack([transfer]), over],
      // Its block was taken back, and nobody looked long enough to see it in another.
      [...withoutIt, ...takenBack([transfer]), over],
    ],
    bad: [
      [...withoutIt, over],
      // What stood in a block that was given up waits for another.
      [...withoutIt, '30 node dropped {"transactions":["HASH"]}'.replace('HASH', SIGNED), over],
      [...withoutIt, head(48, 9, hash(0x99)), over],
      // Its sender used the nonce again, since nobody told of it.
      [...anotherInstead('0x14', '0x3'), over],
      [...anotherInstead('0x16', '0x3'), over],
      // Its block was taken back, and it was not put back into the pool before its sender went on.
      [
        ...[...anotherInstead('0x14', '0x3'), ...takenBack([transfer]), over],
        ...[block(4, [attributes(3)]), block(5, [attributes(4)]), head(60, 5)],
        line(1_200, 'transaction.taken', { hash: OTHER }),
      ],
      // Another block was taken back.
      [...anotherInstead('0x14', '0x3'), ...takenBack([]), over],
    ],
  },
}
