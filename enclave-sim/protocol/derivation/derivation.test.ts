import { hexToBytes } from '@ethereumjs/util'
import { concatHex, keccak256, numberToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import type { Hash } from '../types/bytes.ts'
import { decodeL1Attributes } from './l1-attributes.ts'
import { l1Source } from './l1-source.ts'
import {
  acceptAs,
  blockHash,
  channel,
  configUpdate,
  cut,
  depositLog,
  derive,
  GENESIS_TIME,
  inbox,
  newChain,
  noise,
  singular,
  span,
  spanAfter,
  spanOver,
  start,
  summary,
  TX,
} from './testing/scripted-chain.ts'
import type { ScriptedL1 } from './testing/scripted-l1.ts'

describe('blocks', () => {
  test('given a span batch in one channel, its blocks come out with their transactions', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[], [TX], []])])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(summary)).toEqual([
      { time: 2, origin: 0, sequence: 1, transactions: 0 },
      { time: 4, origin: 0, sequence: 2, transactions: 1 },
      { time: 6, origin: 0, sequence: 3, transactions: 0 },
    ])
    expect(payloads[1]!.attributes.transactions[1]).toEqual(TX)
    expect(payloads.every(({ l1InclusionNumber }) => l1InclusionNumber === 1n)).toBe(true)
  })

  test('given singular batches, attributes take all they need from the L1 origin', async () => {
    const { l1, config } = newChain()
    l1.mine()
    const blocks = [2, 4, 6, 8, 10, 12].map((time) => ({ time, origin: time < 12 ? 0 : 1 }))
    const batches = blocks.map(({ time, origin }, i) => singular(l1, { time, origin, parent: i }))
    l1.mine({ transactions: [await inbox(batches)] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(summary).at(-1)).toEqual({
      time: 12,
      origin: 1,
      sequence: 0,
      transactions: 0,
    })
    const { attributes } = payloads.at(-1)!
    expect(attributes).toMatchObject({
      timestamp: BigInt(GENESIS_TIME + 12),
      prevRandao: toHex(new Uint8Array(32).fill(1)),
      parentBeaconBlockRoot: toHex(new Uint8Array(32).fill(0x81)),
      feeRecipient: '0x4200000000000000000000000000000000000011',
      gasLimit: 30_000_000n,
      eip1559: { denominator: 50, elasticity: 6 },
      minBaseFee: 7n,
    })
    expect(decodeL1Attributes(decodeTransaction(attributes.transactions[0]!).data)).toMatchObject({
      l1Origin: { number: 1n, hash: l1.at(1).hash },
      sequenceNumber: 0n,
    })
  })

  test('given no batches, nothing is derived while the sequencing window lasts', async () => {
    const { l1, config } = newChain({ sequencerWindowSize: 4 })
    for (let i = 0; i < 3; i++) l1.mine()
    expect((await derive(l1, config)).payloads).toEqual([])
  })

  test('given no batches after the sequencing window, empty blocks fill each epoch', async () => {
    const { l1, config } = newChain({ sequencerWindowSize: 4 })
    for (let i = 0; i < 5; i++) l1.mine()
    const { payloads } = await derive(l1, config)
    // Epoch 0 reaches up to 12 s, when epoch 1 may begin; epoch 1 expires with L1 block 5.
    expect(payloads.map(summary)).toEqual([
      ...[2, 4, 6, 8, 10].map((time, i) => ({ time, origin: 0, sequence: i + 1, transactions: 0 })),
      ...[12, 14, 16, 18, 20, 22].map((time, i) => ({
        time,
        origin: 1,
        sequence: i,
        transactions: 0,
      })),
    ])
    expect(payloads.map(({ l1InclusionNumber }) => Number(l1InclusionNumber))).toEqual([
      ...Array(5).fill(4),
      ...Array(6).fill(5),
    ])
  })

  test('given L1 blocks faster than L2 and no batches, each epoch still has a block', async () => {
    const { l1, config } = newChain({ sequencerWindowSize: 2 })
    for (let i = 1; i <= 5; i++) l1.mine({ timestamp: BigInt(GENESIS_TIME + i) })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(({ l1Origin }) => Number(l1Origin.number))).toEqual([1, 2, 3])
  })

  test('given two spans of which the second overlaps the first, the new blocks are derived', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[], [TX]])])] })
    l1.mine({ transactions: [await inbox([spanAfter(l1, 1, [0, 0])])] })
    const derivation = await start(l1, config, { l2Ancestor: async () => undefined })
    for (const number of [1, 2]) acceptAs(derivation, number, (await derivation.next())!)
    expect(summary((await derivation.next())!)).toMatchObject({ time: 6 })
  })

  test('given a span that starts with a new epoch, its blocks have that origin', async () => {
    const { l1, config } = newChain()
    l1.mine()
    l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0])])] })
    l1.mine({ transactions: [await inbox([spanAfter(l1, 5, [1, 0])])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.slice(5).map(summary)).toMatchObject([
      { origin: 1, sequence: 0 },
      { origin: 1, sequence: 1 },
    ])
  })

  test('given a batch after an expired epoch, derivation goes on with it', async () => {
    const { l1, config } = newChain({ sequencerWindowSize: 2 })
    l1.mine()
    l1.mine()
    l1.mine()
    const first = await derive(l1, config)
    const parent = first.payloads.length
    const time = 2 * parent + 2
    l1.mine({
      transactions: [await inbox([singular(l1, { time, origin: 2, parent, transactions: [TX] })])],
    })
    const { payloads } = await derive(l1, config)
    expect(summary(payloads[parent]!)).toEqual({ time, origin: 2, sequence: 0, transactions: 1 })
  })
})

describe('epochs', () => {
  test('given a deposit on L1, the first block of its epoch holds it and the second does not', async () => {
    const { l1, config } = newChain()
    l1.mine({ logs: [noise(), depositLog()] })
    const transactions = [[], [], [], [], [], [TX], []]
    const batches = [spanOver(l1, config, [0, 0, 0, 0, 0, 1, 1], transactions)]
    l1.mine({ transactions: [await inbox(batches)] })
    const { payloads } = await derive(l1, config)
    const deposits = payloads.map(({ attributes }) => attributes.transactions.slice(1))
    expect(deposits.map((list) => list.length)).toEqual([0, 0, 0, 0, 0, 2, 0])
    expect(deposits[5]![1]).toEqual(TX)
    // OP spec, Deposits: domain 0, the L1 block and the log's index among all logs of the block.
    const inner = keccak256(concatHex([l1.at(1).hash, numberToHex(1, { size: 32 })]))
    expect(decodeTransaction(deposits[5]![0]!)).toMatchObject({
      type: 0x7e,
      sourceHash: keccak256(concatHex([numberToHex(0, { size: 32 }), inner])),
      from: `0x${'aa'.repeat(20)}`,
      to: `0x${'bb'.repeat(20)}`,
      mint: 5n,
      value: 4n,
      gas: 100_000n,
      isSystemTransaction: false,
      data: hexToBytes('0xc0ffee'),
    })
  })

  test('given a config update on L1, it holds from the first block of that epoch', async () => {
    const { l1, config } = newChain()
    l1.mine({ logs: [configUpdate(2, [40_000_000n])] })
    l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1, 1])])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(({ attributes }) => attributes.gasLimit)).toEqual([
      ...Array(5).fill(30_000_000n),
      ...Array(2).fill(40_000_000n),
    ])
  })

  test('given a new batcher on L1, from that block on only its batches count', async () => {
    const { l1, config } = newChain()
    const other = privateKeyToAccount(`0x${'cd'.repeat(32)}`)
    const mine = await inbox([span(l1, config, [[]])])
    const theirs = await inbox([span(l1, config, [[TX]])], other)
    l1.mine({ transactions: [theirs] })
    l1.mine({ transactions: [mine, theirs], logs: [configUpdate(0, [BigInt(other.address)])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(summary)).toEqual([{ time: 2, origin: 0, sequence: 1, transactions: 1 }])
    expect(payloads[0]!.l1InclusionNumber).toBe(2n)
  })
})

test('given that the receipts of an epoch could not be read, when it is tried again, then its batch is not lost', async () => {
  const { l1, config } = newChain()
  l1.mine({ logs: [depositLog()] })
  l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1, 1])])] })
  const source = silencedSource(l1)
  const derivation = await start(l1, config, { l1: source })
  for (let number = 1; number <= 5; number++)
    acceptAs(derivation, number, (await derivation.next())!)
  source.isSilent = true
  await expect(derivation.next()).rejects.toThrow('nobody answers')
  source.isSilent = false
  acceptAs(derivation, 6, (await derivation.next())!)
  expect(summary((await derivation.next())!)).toMatchObject({ time: 14, origin: 1, sequence: 1 })
})

test('given a batch whose epoch could not be read and a head on another branch, then it is not of the chain', async () => {
  const { l1, config } = newChain()
  l1.mine({ logs: [depositLog()] })
  l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1])])] })
  const source = silencedSource(l1)
  const derivation = await start(l1, config, { l1: source, reorgDepth: 3 })
  for (let number = 1; number <= 5; number++)
    acceptAs(derivation, number, (await derivation.next())!)
  source.isSilent = true
  await expect(derivation.next()).rejects.toThrow('nobody answers')
  source.isSilent = false
  l1.rewind(1)
  l1.mine({ timestamp: BigInt(GENESIS_TIME + 30) })
  expect(await derivation.moveTo(l1.head().hash)).toMatchObject({ number: 0n })
  expect(await derivation.next()).toBeUndefined()
})

describe('starting in the middle', () => {
  test.each([1, 2, 3, 6])(
    'given a start after block %i of a span, the rest is derived',
    async (first) => {
      const { l1, config } = newChain()
      l1.mine({ logs: [configUpdate(2, [40_000_000n])] })
      l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1, 1, 1])])] })
      l1.mine()
      const whole = await derive(l1, config)
      const rest = await derive(l1, config, whole.parents[first]!)
      expect(rest.payloads).toEqual(whole.payloads.slice(first))
    },
  )

  test('given a span whose start has another parent, it is dropped', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[], []])])] })
    const { parents } = await derive(l1, config)
    const derivation = await start(l1, config, {
      parent: parents[1]!,
      l2Ancestor: async () => ({ hash: blockHash(99), l1OriginNumber: 0n }),
    })
    expect(await derivation.next()).toBeUndefined()
  })

  test('given a channel opened before the origin, it is completed after it', async () => {
    const { l1, config } = newChain()
    const id = '0x01'
    // The first byte says brotli, whatever the channel holds: here of blocks that are yet to come.
    const opening = cut(Uint8Array.of(1), 1, id)[0]!
    l1.mine({ transactions: [await inbox([{ ...opening, isLast: false }])] })
    l1.mine()
    // Blocks 1 to 13: epoch 1 from 12 s on, epoch 2 from 24 s on.
    const origins = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2]
    const blocks = spanOver(l1, config, origins)
    const rest = cut(channel([blocks]).subarray(1), 1, id)[0]!
    l1.mine({ transactions: [await inbox([{ ...rest, number: 1 }])] })
    const whole = await derive(l1, config)
    expect(whole.payloads).toHaveLength(13)
    const part = await derive(l1, config, whole.parents[12]!)
    expect(part.payloads).toEqual(whole.payloads.slice(12))
  })
})

describe('the L1 head', () => {
  test('given a later head, derivation goes on where it ended', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config)
    acceptAs(derivation, 1, (await derivation.next())!)
    expect(await derivation.next()).toBeUndefined()
    l1.mine({ transactions: [await inbox([singular(l1, { time: 4, origin: 0, parent: 1 })])] })
    await derivation.moveTo(l1.head().hash)
    expect(summary((await derivation.next())!)).toMatchObject({ time: 4 })
  })

  test('given a head on another branch, derivation goes back and on as if it had only seen that', async () => {
    const { l1, config } = newChain()
    const frames = cut(channel([span(l1, config, [[], []])]), 2)
    l1.mine({ transactions: [await inbox([frames[0]!])] })
    l1.mine({ transactions: [await inbox([frames[1]!])] })
    const derivation = await start(l1, config, { reorgDepth: 3 })
    acceptAs(derivation, 1, (await derivation.next())!)
    acceptAs(derivation, 2, (await derivation.next())!)

    l1.rewind(1)
    l1.mine({ timestamp: BigInt(GENESIS_TIME + 30) })
    expect(await derivation.moveTo(l1.head().hash)).toMatchObject({ number: 0n })
    expect(await derivation.next()).toBeUndefined()
    // The first frame is still there.
    l1.mine({ transactions: [await inbox([frames[1]!])] })
    expect(await derivation.moveTo(l1.head().hash)).toBeUndefined()
    expect(summary((await derivation.next())!)).toMatchObject({ time: 2 })
  })

  test('given an earlier head of the same branch, nothing changes', async () => {
    const { l1, config } = newChain()
    const { hash } = l1.mine()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config, { reorgDepth: 3 })
    expect(await derivation.moveTo(hash)).toBeUndefined()
    expect(summary((await derivation.next())!)).toMatchObject({ time: 2 })
  })

  test.each([0, 1])(
    'given branches that part before the last %s blocks, going on is refused',
    async (reorgDepth) => {
      const { l1, config } = newChain()
      l1.mine()
      l1.mine()
      const derivation = await start(l1, config, { reorgDepth })
      expect(await derivation.next()).toBeUndefined()
      l1.rewind(0)
      l1.mine({ timestamp: BigInt(GENESIS_TIME + 13) })
      l1.mine()
      await expect(derivation.moveTo(l1.head().hash)).rejects.toMatchObject({ code: 'L1_REORGED' })
    },
  )

  test('given blocks that are taken back, they are derived again', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([singular(l1, { time: 2, origin: 0, parent: 0 })])] })
    l1.mine({ transactions: [await inbox([singular(l1, { time: 4, origin: 0, parent: 1 })])] })
    const derivation = await start(l1, config, { reorgDepth: 5 })
    acceptAs(derivation, 1, (await derivation.next())!)
    acceptAs(derivation, 2, (await derivation.next())!)
    expect(derivation.rewind(2n)).toMatchObject({ number: 2n })
    expect(derivation.rewind(1n)).toMatchObject({ number: 1n })
    expect(summary((await derivation.next())!)).toMatchObject({ time: 4 })
  })

  test('given a head that does not hold the origin, derivation is refused', async () => {
    const { l1, config } = newChain()
    l1.mine()
    const genesis = { ...config.genesis, l1: { number: 0, hash: blockHash(7) } }
    const derivation = await start(l1, { ...config, genesis })
    await expect(derivation.next()).rejects.toMatchObject({ code: 'L1_ORIGIN_NOT_CANONICAL' })
  })
})

/** L1 that gives no receipts while it is silent. */
function silencedSource(l1: ScriptedL1) {
  const source = l1Source(l1.oracle)
  const silenced = {
    ...source,
    isSilent: false,
    async receipts(hash: Hash) {
      if (silenced.isSilent) throw new Error('nobody answers')
      return source.receipts(hash)
    },
  }
  return silenced
}
