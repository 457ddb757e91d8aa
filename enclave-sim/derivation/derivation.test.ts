import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  numberToHex,
  pad,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Hash, Log } from '../execution/types.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { type Batch, encodeChannel } from './batch.ts'
import { createDerivation, type Derivation, type DerivedPayload } from './derivation.ts'
import type { Frame } from './frame.ts'
import { decodeL1Attributes } from './l1-attributes.ts'
import { l1Source } from './l1-source.ts'
import type { RollupConfig } from './rollup-config.ts'
import {
  batcherAccount,
  batcherTransaction,
  type ScriptedL1,
  scriptedL1,
} from './testing/scripted-l1.ts'

const GENESIS_TIME = 1_700_000_000
const INBOX = `0xff${'00'.repeat(19)}` as const
const PORTAL = `0x${'d0'.repeat(20)}` as const
const SYSTEM_CONFIG = `0x${'5c'.repeat(20)}` as const
const TX = await signedTransfer()

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
    l1.mine({ transactions: [await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1, 1])])] })
    const { payloads } = await derive(l1, config)
    const deposits = payloads.map(({ attributes }) => attributes.transactions.slice(1))
    expect(deposits.map((list) => list.length)).toEqual([0, 0, 0, 0, 0, 1, 0])
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

describe('frames and channels', () => {
  test('given a channel over several L1 blocks, the last frame completes it', async () => {
    const { l1, config } = newChain()
    const [a, b, c] = cut(channel([span(l1, config, [[TX]])]), 3)
    l1.mine({ transactions: [await inbox([a!])] })
    l1.mine({ transactions: [await inbox([b!]), await inbox([c!])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(({ l1InclusionNumber }) => l1InclusionNumber)).toEqual([2n])
  })

  test.each([
    ['one block too late', 4, 0],
    ['just in time', 3, 1],
  ])('given a last frame %s, the channel timeout decides', async (_name, blocks, derived) => {
    const { l1, config } = newChain({ channelTimeout: 3 })
    const [a, b] = cut(channel([span(l1, config, [[]])]), 2)
    l1.mine({ transactions: [await inbox([a!])] })
    for (let i = 1; i < blocks; i++) l1.mine()
    l1.mine({ transactions: [await inbox([b!])] })
    expect((await derive(l1, config)).payloads).toHaveLength(derived)
  })

  test('given frames out of order, the channel is never completed', async () => {
    const { l1, config } = newChain()
    const [a, b, c] = cut(channel([span(l1, config, [[]])]), 3)
    l1.mine({ transactions: [await inbox([a!, c!, b!])] })
    expect((await derive(l1, config)).payloads).toEqual([])
  })

  test('given an unclosed channel and then another, the other is read', async () => {
    const { l1, config } = newChain()
    const [a] = cut(channel([span(l1, config, [[]])]), 2)
    const whole = cut(channel([span(l1, config, [[TX]])]), 1, '0x02')
    l1.mine({ transactions: [await inbox([a!, ...whole])] })
    expect((await derive(l1, config)).payloads.map(summary)).toMatchObject([{ transactions: 1 }])
  })

  test('given garbage of every kind beside it, the good channel is read', async () => {
    const { l1, config } = newChain()
    const stranger = privateKeyToAccount(`0x${'ee'.repeat(32)}`)
    const good = await inbox([span(l1, config, [[]])])
    const garbage = [
      await inbox(new Uint8Array(0)),
      await inbox(Uint8Array.of(9, 9, 9)),
      await inbox(Uint8Array.of(0, 1, 2, 3)),
      await inbox(cut(Uint8Array.of(0x78, 0xda, 1, 2, 3), 1, '0x03')),
      await inbox(cut(hexToBytes('0x0000'), 1, '0x04')),
      await inbox([span(l1, config, [[TX]])], stranger),
      await batcherTransaction(`0x${'01'.repeat(20)}`, cut(channel([span(l1, config, [[TX]])]), 1)),
      Uint8Array.of(0x05, 0xc0),
      Uint8Array.of(0x02, 0xff),
    ]
    l1.mine({ transactions: [...garbage, good] })
    expect((await derive(l1, config)).payloads.map(summary)).toMatchObject([{ transactions: 0 }])
  })
})

describe('invalid batches', () => {
  test('given a batch from the future, it takes the rest of its channel with it', async () => {
    const { l1, config } = newChain()
    const early = singular(l1, { time: 4, origin: 0, parent: 1 })
    const due = singular(l1, { time: 2, origin: 0, parent: 0 })
    l1.mine({ transactions: [await inbox([early, due])] })
    expect((await derive(l1, config)).payloads).toEqual([])
    l1.mine({ transactions: [await inbox([due, due, early])] })
    // The second copy is of the past: it goes alone.
    expect((await derive(l1, config)).payloads).toHaveLength(2)
  })

  test('given a payload that cannot be executed, its deposits stay and the rest of the span goes', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[], [TX], [TX]])])] })
    const derivation = await start(l1, config)
    acceptAs(derivation, 1, (await derivation.next())!)
    expect((await derivation.next())!.attributes.transactions).toHaveLength(2)
    const replaced = derivation.rejectTransactions()
    expect(replaced.isDepositsOnly).toBe(true)
    expect(replaced.attributes.transactions).toHaveLength(1)
    acceptAs(derivation, 2, replaced)
    expect(await derivation.next()).toBeUndefined()
  })

  test('given deposits that cannot be executed, derivation stops with an error', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config)
    await derivation.next()
    expect(() => derivation.rejectTransactions()).toThrow(/deposits/)
  })

  test('given a block other than the derived one, accepting it is refused', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config)
    const { attributes } = (await derivation.next())!
    const block = { number: 2n, hash: blockHash(2), timestamp: attributes.timestamp }
    expect(() => derivation.accept(block)).toThrow(
      expect.objectContaining({ code: 'DERIVATION_OUT_OF_STEP' }),
    )
  })
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
    const derivation = await start(l1, config, parents[1], async () => ({
      hash: blockHash(99),
      l1OriginNumber: 0n,
    }))
    expect(await derivation.next()).toBeUndefined()
  })

  test('given a channel opened before the origin, it is completed after it', async () => {
    const { l1, config } = newChain()
    l1.mine()
    const [a, b] = cut(
      channel([singular(l1, { time: 14, origin: 1, parent: 6, transactions: [TX] })]),
      2,
    )
    // Frame a lies in block 2, which is later the origin of nothing that matters.
    const first = await inbox([spanOver(l1, config, [0, 0, 0, 0, 0, 1])])
    l1.mine({ transactions: [first, await inbox([a!])] })
    l1.mine({ transactions: [await inbox([b!])] })
    const whole = await derive(l1, config)
    expect(whole.payloads).toHaveLength(7)
    const rest = await derive(l1, config, whole.parents[6]!)
    expect(rest.payloads).toEqual(whole.payloads.slice(6))
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
    await derivation.extendL1(l1.head().hash)
    expect(summary((await derivation.next())!)).toMatchObject({ time: 4 })
  })

  test('given a head on another branch, going on is refused', async () => {
    const { l1, config } = newChain()
    l1.mine()
    const derivation = await start(l1, config)
    l1.rewind(0)
    l1.mine({ timestamp: BigInt(GENESIS_TIME + 13) })
    l1.mine()
    await expect(derivation.extendL1(l1.head().hash)).rejects.toMatchObject({ code: 'L1_REORGED' })
  })

  test('given a head that does not hold the origin, derivation is refused', async () => {
    const { l1, config } = newChain()
    l1.mine()
    const genesis = { ...config.genesis, l1: { number: 0, hash: blockHash(7) } }
    const derivation = await start(l1, { ...config, genesis })
    await expect(derivation.next()).rejects.toMatchObject({ code: 'L1_ORIGIN_NOT_CANONICAL' })
  })
})

function newChain(changes: Partial<RollupConfig> = {}): { l1: ScriptedL1; config: RollupConfig } {
  const l1 = scriptedL1(BigInt(GENESIS_TIME))
  const config: RollupConfig = {
    l1ChainId: 1337,
    l2ChainId: 84_538_453,
    fork: 'jovian',
    genesis: {
      l1: { hash: l1.at(0).hash, number: 0 },
      l2: { hash: blockHash(0), number: 0 },
      l2Time: GENESIS_TIME,
      systemConfig: {
        batcherAddress: batcherAccount.address.toLowerCase() as Hash,
        gasLimit: 30_000_000n,
        scalar: `0x01${'00'.repeat(31)}`,
        eip1559Denominator: 50,
        eip1559Elasticity: 6,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        minBaseFee: 7n,
        daFootprintGasScalar: 0,
      },
    },
    blockTime: 2,
    maxSequencerDrift: 1800,
    sequencerWindowSize: 3600,
    channelTimeout: 50,
    batchInboxAddress: INBOX,
    depositContractAddress: PORTAL,
    l1SystemConfigAddress: SYSTEM_CONFIG,
    ...changes,
  }
  return { l1, config }
}

/** Nothing is executed here, so a block's hash is its number, in the bytes that spans check. */
function blockHash(number: number): Hash {
  return pad(numberToHex(number, { size: 4 }), { dir: 'right' })
}

type Parent = Parameters<typeof createDerivation>[0]['parent']

function genesisParent({ genesis }: RollupConfig): Parent {
  return {
    number: 0n,
    hash: blockHash(0),
    timestamp: BigInt(GENESIS_TIME),
    l1Origin: { number: BigInt(genesis.l1.number), hash: genesis.l1.hash },
    sequenceNumber: 0n,
    systemConfig: genesis.systemConfig,
  }
}

function start(
  l1: ScriptedL1,
  config: RollupConfig,
  parent = genesisParent(config),
  l2Ancestor: Parameters<typeof createDerivation>[0]['l2Ancestor'] = async (number) => ({
    hash: blockHash(Number(number)),
    l1OriginNumber: 0n,
  }),
): Promise<Derivation> {
  const l1Head = l1.head().hash
  return createDerivation({ config, l1: l1Source(l1.oracle), l1Head, parent, l2Ancestor })
}

/** Derives to the end and takes every payload. */
async function derive(l1: ScriptedL1, config: RollupConfig, from = genesisParent(config)) {
  const derivation = await start(l1, config, from)
  const payloads: DerivedPayload[] = []
  const parents: Parent[] = [from]
  for (;;) {
    const payload = await derivation.next()
    if (!payload) return { payloads, parents }
    const number = Number(from.number) + payloads.push(payload)
    parents.push(acceptAs(derivation, number, payload))
  }
}

function acceptAs(derivation: Derivation, number: number, payload: DerivedPayload): Parent {
  const { attributes, l1Origin, sequenceNumber } = payload
  const block = {
    number: BigInt(number),
    hash: blockHash(number),
    timestamp: attributes.timestamp,
  }
  derivation.accept(block)
  const { systemConfig } = payload as DerivedPayload & Pick<Parent, 'systemConfig'>
  return { ...block, l1Origin, sequenceNumber, systemConfig }
}

function summary({ attributes, l1Origin, sequenceNumber }: DerivedPayload) {
  return {
    time: Number(attributes.timestamp) - GENESIS_TIME,
    origin: Number(l1Origin.number),
    sequence: Number(sequenceNumber),
    transactions: attributes.transactions.filter((raw) => raw[0] !== 0x7e).length,
  }
}

/** A span of blocks in epoch 0 from genesis on. */
function span(l1: ScriptedL1, config: RollupConfig, blocks: Uint8Array[][]): Batch {
  return spanOver(
    l1,
    config,
    blocks.map(() => 0),
    blocks,
  )
}

/** A span from genesis on over blocks with these L1 origins. */
function spanOver(
  l1: ScriptedL1,
  config: RollupConfig,
  origins: number[],
  transactions: Uint8Array[][] = [],
): Batch {
  const last = origins.at(-1)!
  return {
    type: 'span',
    batch: {
      relativeTimestamp: BigInt(config.blockTime),
      l1OriginNumber: BigInt(last),
      parentCheck: hexToBytes(blockHash(0)).subarray(0, 20),
      l1OriginCheck: hexToBytes(l1.at(last).hash).subarray(0, 20),
      blocks: origins.map((origin, i) => ({
        originChanged: origin !== (origins[i - 1] ?? 0),
        transactions: transactions[i] ?? [],
      })),
    },
  }
}

function singular(
  l1: ScriptedL1,
  block: { time: number; origin: number; parent: number; transactions?: Uint8Array[] },
): Batch {
  return {
    type: 'singular',
    batch: {
      parentHash: blockHash(block.parent),
      epochNumber: BigInt(block.origin),
      epochHash: l1.at(block.origin).hash,
      timestamp: BigInt(GENESIS_TIME + block.time),
      transactions: block.transactions ?? [],
    },
  }
}

function channel(batches: Batch[]): Uint8Array {
  return encodeChannel(batches, 'brotli')
}

function cut(data: Uint8Array, count: number, id: `0x${string}` = '0x01'): Frame[] {
  const size = Math.ceil(data.length / count)
  return Array.from({ length: count }, (_, number) => ({
    channelId: pad(id, { size: 16 }),
    number,
    data: data.subarray(number * size, (number + 1) * size),
    isLast: number === count - 1,
  }))
}

/** A batcher transaction with frames, with a channel of batches, or with any bytes. */
function inbox(content: Batch[] | Frame[] | Uint8Array, account = batcherAccount) {
  const isBatches = Array.isArray(content) && content.some((item) => 'type' in item)
  const frames = isBatches ? cut(channel(content as Batch[]), 1) : (content as Frame[] | Uint8Array)
  return batcherTransaction(INBOX, frames, account)
}

async function signedTransfer(): Promise<Uint8Array> {
  const signed = await privateKeyToAccount(`0x${'11'.repeat(32)}`).signTransaction({
    type: 'eip1559',
    chainId: 84_538_453,
    nonce: 3,
    to: `0x${'77'.repeat(20)}`,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  })
  return hexToBytes(signed)
}

function depositLog(): Log {
  const opaque = encodePacked(
    ['uint256', 'uint256', 'uint64', 'bool', 'bytes'],
    [5n, 4n, 100_000n, false, '0xc0ffee'],
  )
  return {
    address: PORTAL,
    topics: [
      keccak256(toHex('TransactionDeposited(address,address,uint256,bytes)')),
      pad(`0x${'aa'.repeat(20)}`),
      pad(`0x${'bb'.repeat(20)}`),
      pad('0x00'),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [opaque])),
  }
}

function configUpdate(type: number, words: bigint[]): Log {
  const content = concatHex(words.map((word) => numberToHex(word, { size: 32 })))
  return {
    address: SYSTEM_CONFIG,
    topics: [
      keccak256(toHex('ConfigUpdate(uint256,uint8,bytes)')),
      pad('0x00'),
      numberToHex(type, { size: 32 }),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [content])),
  }
}

function noise(): Log {
  return { address: PORTAL, topics: [bytesToHex(new Uint8Array(32))], data: new Uint8Array(0) }
}
