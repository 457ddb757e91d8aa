import { bytesToHex } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import type { Batch } from './batch.ts'
import type { DerivedPayload } from './derivation.ts'
import type { RollupConfig } from './rollup-config.ts'
import {
  acceptAs,
  blockHash,
  configUpdate,
  depositLog,
  derive,
  GENESIS_TIME,
  genesisParent,
  inbox,
  newChain,
  singular,
  spanOver,
  start,
  summary,
  TX,
} from './testing/scripted-chain.ts'
import type { ScriptedL1 } from './testing/scripted-l1.ts'

/** Denim 5 s after genesis: block 3, at 6 s, is the first of 200 ms; 3 to 7 bear that second. */
const FIRST = 3
const fastChain = (changes: Partial<RollupConfig> = {}) =>
  newChain({ upgrades: { azul: 'genesis', denim: GENESIS_TIME + 5 }, ...changes })

/** Milliseconds since genesis. base/base rollup.rs: two pieces. */
const due = (number: number) => (number < FIRST ? 2_000 * number : 6_000 + 200 * (number - FIRST))

/** The batch of a block, in whole seconds. */
const block = (l1: ScriptedL1, number: number, changes: object = {}): Batch =>
  singular(l1, {
    ...{ time: Math.floor(due(number) / 1000), origin: 0, parent: number - 1 },
    ...changes,
  })
const blocks = (l1: ScriptedL1, from: number, to: number): Batch[] =>
  Array.from({ length: to - from + 1 }, (_, index) => block(l1, from + index))

/** Milliseconds since genesis by what was derived: seconds of the header, and what tx[1] sets. */
function derivedMs({ attributes }: DerivedPayload): number {
  const second = attributes.transactions[1]
  const { to, data } = second ? decodeTransaction(second) : { to: undefined, data: undefined }
  const isPart = to === '0x4200000000000000000000000000000000000030'
  const part = isPart ? Number(`0x${bytesToHex(data!).slice(-4)}`) : 0
  return (Number(attributes.timestamp) - GENESIS_TIME) * 1000 + part
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => due(index + 1))
const users = (payloads: DerivedPayload[]) =>
  payloads.map((payload) => summary(payload).transactions)

async function derived(l1: ScriptedL1, config: RollupConfig) {
  const { payloads } = await derive(l1, config)
  return payloads
}

describe('batches of whole seconds', () => {
  test('given singular ones over the boundary, then each block is in its own slot by the order, with its milliseconds in tx[1]', async () => {
    const { l1, config } = fastChain()
    l1.mine({ transactions: [await inbox(blocks(l1, 1, 14))] })
    const payloads = await derived(l1, config)
    expect(payloads.map(derivedMs)).toEqual(upTo(14))
    const second = decodeTransaction(payloads[FIRST - 1]!.attributes.transactions[1]!)
    // base/base source.rs: domain 3 over the number, block 3.
    expect(second).toMatchObject({
      sourceHash: '0x1ad4ef655c527f07678b9b8a465b2fca1ebbfc4a7d3dec72485f547f49fce2a8',
    })
    expect(payloads[FIRST - 2]!.attributes.transactions).toHaveLength(1)
  })

  test('given one second over two channels in two L1 blocks, then it goes on where it was', async () => {
    const { l1, config } = fastChain()
    l1.mine({ transactions: [await inbox(blocks(l1, 1, 5))] })
    l1.mine({ transactions: [await inbox(blocks(l1, 6, 9))] })
    expect((await derived(l1, config)).map(derivedMs)).toEqual(upTo(9))
  })

  // base/base #4783.
  test('given copies of blocks of the same second, then they are passed over and the channel goes on', async () => {
    const { l1, config } = fastChain()
    const copies = [3, 4, 5, 6, 7].map((number) => block(l1, number, { transactions: [TX] }))
    const after = block(l1, 7, { transactions: [TX] })
    l1.mine({ transactions: [await inbox([...blocks(l1, 1, 6), ...copies.slice(0, 4), after])] })
    const payloads = await derived(l1, config)
    expect(users(payloads)).toEqual([0, 0, 0, 0, 0, 0, 1])
    expect(payloads.map(derivedMs)).toEqual(upTo(7))
  })

  test('given copies of a second that is over, then they are past, and the channel goes on', async () => {
    const { l1, config } = fastChain()
    l1.mine({ transactions: [await inbox([...blocks(l1, 1, 8), ...blocks(l1, 4, 9)])] })
    expect((await derived(l1, config)).map(derivedMs)).toEqual(upTo(9))
  })

  // base/base #4812: what a batch says of its parent is never put right.
  test.each([
    ['of the same second upon a parent that nobody has', { parent: 99 }],
    ['of a second to come', { time: 7 }],
  ])('given one %s, then it is dropped with the rest of its channel', async (_, changes) => {
    const { l1, config } = fastChain()
    const wrong = block(l1, 5, changes)
    l1.mine({ transactions: [await inbox([...blocks(l1, 1, 4), wrong, block(l1, 5)])] })
    expect((await derived(l1, config)).map(derivedMs)).toEqual(upTo(4))
    l1.mine({ transactions: [await inbox(blocks(l1, 5, 6))] })
    expect((await derived(l1, config)).map(derivedMs)).toEqual(upTo(6))
  })
})

// base/base #5110.
test('given that a block before could not be read, when it is tried again, then the batch is judged that was to be judged', async () => {
  const { l1, config } = fastChain()
  const five = { number: 5n, hash: blockHash(5), timestamp: BigInt(GENESIS_TIME + 6) }
  const { systemConfig } = genesisParent(config)
  const parent = { ...genesisParent(config), ...five, sequenceNumber: 5n, systemConfig }
  l1.mine({ transactions: [await inbox([block(l1, 4), block(l1, 6, { transactions: [TX] })])] })
  let fails = true
  const derivation = await start(l1, config, {
    parent,
    l2Ancestor: async (number) => {
      if (fails) throw new Error('nobody answers')
      return { hash: blockHash(Number(number)), l1OriginNumber: 0n }
    },
  })
  await expect(derivation.next()).rejects.toThrow('nobody answers')
  fails = false
  expect(summary((await derivation.next())!)).toMatchObject({ time: 6, transactions: 1 })
})

// OP specs, Holocene, "Engine Queue".
test('given a block of 200 ms that cannot be executed, then both deposits of the protocol stay, and the rest of its channel goes', async () => {
  const { l1, config } = newChain({ upgrades: { denim: 'genesis' } })
  const bad = singular(l1, { time: 0, origin: 0, parent: 0, transactions: [TX] })
  l1.mine({ transactions: [await inbox([bad, singular(l1, { time: 0, origin: 0, parent: 1 })])] })
  const derivation = await start(l1, config)
  const [first, second] = (await derivation.next())!.attributes.transactions
  const instead = derivation.rejectTransactions()
  expect(instead.attributes.transactions).toEqual([first, second])
  expect(derivedMs(instead)).toBe(200)
  acceptAs(derivation, 1, instead)
  expect(await derivation.next()).toBeUndefined()
})

// base/base #4583, #4636.
describe('spans', () => {
  test('given one that crosses, then its blocks before are derived, and its tail goes with the rest of its channel', async () => {
    const { l1, config } = fastChain()
    const crossing = spanOver(l1, config, [0, 0, 0, 0, 0], [[], [TX], [TX], [TX], [TX]])
    l1.mine({ transactions: [await inbox([crossing, block(l1, 3)])] })
    expect(users(await derived(l1, config))).toEqual([0, 1])
    l1.mine({ transactions: [await inbox(blocks(l1, 3, 8))] })
    const payloads = await derived(l1, config)
    expect(payloads.map(derivedMs)).toEqual(upTo(8))
    expect(users(payloads)).toEqual([0, 1, 0, 0, 0, 0, 0, 0])
  })

  test('given one of blocks of 200 ms alone, then none of it is derived', async () => {
    const { l1, config } = newChain({ upgrades: { denim: 'genesis' } })
    l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0])])] })
    expect(await derived(l1, config)).toEqual([])
  })

  test('given one of long ago once more, then it is past, and the channel goes on', async () => {
    const { l1, config } = fastChain()
    const old = spanOver(l1, config, [0, 0])
    l1.mine({ transactions: [await inbox([old, ...blocks(l1, 3, 9), old, block(l1, 10)])] })
    expect((await derived(l1, config)).map(derivedMs)).toEqual(upTo(10))
  })
})

describe('the end of the sequencing window', () => {
  test('given no batches, then each slot has an empty block: 30 in the six seconds that are left of an epoch, and 60 in the next', async () => {
    const { l1, config } = fastChain({ sequencerWindowSize: 4 })
    for (let i = 0; i < 5; i++) l1.mine()
    const payloads = await derived(l1, config)
    expect(payloads.map(derivedMs)).toEqual(upTo(2 + 30 + 60))
    const epochs = payloads.map((payload) => summary(payload))
    expect(epochs.filter(({ origin }) => origin === 0)).toHaveLength(32)
    expect(epochs.at(-1)).toMatchObject({ origin: 1, sequence: 59, time: 23, transactions: 0 })
  })

  test('given batches up to the middle of a second, then empty blocks go on in the next slot', async () => {
    const { l1, config } = fastChain({ sequencerWindowSize: 4 })
    l1.mine({ transactions: [await inbox(blocks(l1, 1, 5))] })
    for (let i = 0; i < 3; i++) l1.mine()
    const payloads = await derived(l1, config)
    expect(payloads.map(derivedMs)).toEqual(upTo(32))
    expect(payloads.map(({ l1InclusionNumber }) => Number(l1InclusionNumber))).toEqual([
      ...Array(5).fill(1),
      ...Array(27).fill(4),
    ])
  })
})

describe("what Denim's first block changes", () => {
  const gasOf = (payloads: DerivedPayload[]) =>
    payloads.map(({ attributes }) => [
      Number(attributes.gasLimit),
      attributes.eip1559?.denominator,
      attributes.eip1559?.elasticity,
    ])

  test('then a tenth of the gas limit and ten times the denominator hold from it on, once', async () => {
    const { l1, config } = fastChain()
    l1.mine({ transactions: [await inbox(blocks(l1, 1, 6))] })
    expect(gasOf(await derived(l1, config))).toEqual([
      ...Array(2).fill([30_000_000, 50, 6]),
      ...Array(4).fill([3_000_000, 500, 6]),
    ])
  })

  test('given an update on L1 in the same block, then it is scaled, too; and a later one holds as it is', async () => {
    // Denim at 11 s: block 6, at 12 s, is the first, and L1 block 1 its origin.
    const { l1, config } = newChain({ upgrades: { denim: GENESIS_TIME + 11 } })
    l1.mine({ logs: [configUpdate(2, [40_000_000n])] })
    l1.mine({ logs: [configUpdate(2, [50_000_000n])] })
    const slow = [1, 2, 3, 4, 5].map((n) => singular(l1, { time: 2 * n, origin: 0, parent: n - 1 }))
    const fast = Array.from({ length: 61 }, (_, index) =>
      singular(l1, {
        ...{ time: 12 + Math.floor(index / 5), origin: index < 60 ? 1 : 2, parent: 5 + index },
      }),
    )
    l1.mine({ transactions: [await inbox([...slow, ...fast])] })
    const gas = gasOf(await derived(l1, config)).map(([limit]) => limit)
    expect(gas).toEqual([...Array(5).fill(30_000_000), ...Array(60).fill(4_000_000), 50_000_000])
  })

  test('given a deposit on L1, then it comes behind both deposits of the protocol', async () => {
    const { l1, config } = newChain({ upgrades: { denim: 'genesis' } })
    l1.mine({ logs: [depositLog()] })
    const batches = Array.from({ length: 61 }, (_, index) => {
      const time = Math.floor((index + 1) / 5)
      return singular(l1, { time, origin: time < 12 ? 0 : 1, parent: index })
    })
    l1.mine({ transactions: [await inbox(batches)] })
    const { transactions } = (await derived(l1, config))[59]!.attributes
    expect(transactions.map((raw) => decodeTransaction(raw).to)).toEqual([
      '0x4200000000000000000000000000000000000015',
      '0x4200000000000000000000000000000000000030',
      `0x${'bb'.repeat(20)}`,
    ])
  })
})
