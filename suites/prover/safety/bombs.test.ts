import { PassThrough } from 'node:stream'
import { brotliCompressSync, constants, deflateSync } from 'node:zlib'
import { encode } from '@ethereumjs/rlp'
import { concatBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { onlineOracle } from '#devnet/proving/prover/online-oracle'
import { FRAME_LIMIT, readFrame } from '#enclave/wire/frame'
import { decodeRequest } from '#enclave/wire/messages'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { readChannel } from '#protocol/derivation/batch'
import { batcherInputs } from '#protocol/derivation/batcher-inputs'
import { encodeUvarint } from '#protocol/derivation/byte-reader'
import { createChannelAssembler } from '#protocol/derivation/channel-assembler'
import { decompressChannel } from '#protocol/derivation/channel-compression'
import { decodeBatcherData } from '#protocol/derivation/frame'
import { MAX_SPAN_BATCH_ELEMENTS } from '#protocol/derivation/protocol-parameters'
import { readRlpItem } from '#protocol/derivation/rlp-item'
import { decodeSpanBatch } from '#protocol/derivation/span-batch'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'

/** Bytes that node:zlib gave out, call by call; what it refused to give counts as nothing. */
const produced: number[] = vi.hoisted(() => [])
vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof import('node:zlib')>()
  const counting = <A extends unknown[]>(run: (...args: A) => Uint8Array) => {
    return (...args: A) => {
      const output = run(...args)
      produced.push(output.length)
      return output
    }
  }
  return {
    ...zlib,
    inflateSync: counting(zlib.inflateSync),
    brotliDecompressSync: counting(zlib.brotliDecompressSync),
  }
})
beforeEach(() => {
  produced.length = 0
})

const GIB = 1 << 30
const CHAIN_ID = 8453n

describe('compression bombs', () => {
  const zeros = new Uint8Array(140_000_000)
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

  test.each([
    // How far the output may pass the limit before it is noticed, at most (see the code).
    ['zlib', deflateSync(zeros.subarray(0, 20_000_000)), 4_000],
    ['brotli', concatBytes(Uint8Array.of(1), brotliCompressSync(zeros, quick)), 64 << 20],
  ])('given one of %s, no call gives more than limit and slack', (_name, bomb, slack) => {
    const limit = 60_000
    expect(bomb.length).toBeLessThan(50_000)
    expect(decompressChannel(Uint8Array.from(bomb), limit)).toHaveLength(limit)
    expect(produced.length).toBeGreaterThan(0)
    expect(Math.max(...produced)).toBeLessThanOrEqual(limit + slack)
    // One call for each halving of the input.
    expect(produced.length).toBeLessThanOrEqual(Math.ceil(Math.log2(bomb.length)) + 1)
  })

  test('given frames without end, a channel holds no more than its limit', () => {
    const assembler = createChannelAssembler(50, 100_000)
    const frame = { channelId: '0x01', data: new Uint8Array(30_000) } as const
    const add = (number: number, isLast: boolean) => assembler.add({ ...frame, number, isLast }, 1n)
    for (let number = 0; number < 4; number++) expect(add(number, false)).toBeUndefined()
    expect(add(4, true)).toBeUndefined()
    expect(add(0, true)).toHaveLength(30_000)
  })
})

describe('counts', () => {
  /** A span batch up to and with its block count. */
  const span = (blocks: number | bigint, ...rest: Uint8Array[]) =>
    concatBytes(
      ...[encodeUvarint(2n), encodeUvarint(1n), new Uint8Array(40)],
      ...[encodeUvarint(BigInt(blocks)), ...rest],
    )
  const tooMany = `at most ${MAX_SPAN_BATCH_ELEMENTS} blocks`

  test('given one span block more than there may be, all there in bytes, it is refused', () => {
    const blocks = MAX_SPAN_BATCH_ELEMENTS + 1
    const body = new Uint8Array(Math.ceil(blocks / 8) + blocks)
    expect(() => decodeSpanBatch(span(blocks, body), CHAIN_ID)).toThrow(tooMany)
  })

  test('given 2^64 - 1 span blocks, it is refused', () => {
    expect(() => decodeSpanBatch(span(2n ** 64n - 1n), CHAIN_ID)).toThrow(tooMany)
  })

  test('given blocks that together have too many transactions, the span is refused', () => {
    const each = encodeUvarint(6_000_000n)
    const body = [Uint8Array.of(0), each, each]
    expect(() => decodeSpanBatch(span(2, ...body), CHAIN_ID)).toThrow(tooMany)
  })

  test('given as many transactions as there may be and none of their bytes, it ends at once', () => {
    const body = [Uint8Array.of(0), encodeUvarint(BigInt(MAX_SPAN_BATCH_ELEMENTS))]
    expect(() => decodeSpanBatch(span(1, ...body), CHAIN_ID)).toThrow('ends too early')
  })
})

describe('deep nesting', () => {
  /** A list in a list, `depth` times, that fills half a megabyte. */
  function nested(depth: number): Uint8Array {
    const bytes = new Uint8Array(500_000)
    const view = new DataView(bytes.buffer)
    let at = 0
    for (let level = 0; level <= depth; level++, at += 4) {
      const left = bytes.length - at - 4
      view.setUint32(at, left)
      bytes[at] = level < depth ? 0xfa : 0xba
    }
    return bytes
  }
  const bomb = nested(5_000)
  const copied = { bytes: 0 }
  /** Bytes that slices of typed arrays copy while `run` runs. */
  const countCopies = (run: () => void): number => {
    const slice = vi.spyOn(Uint8Array.prototype, 'slice')
    copied.bytes = 0
    // A view in place of the copy: only counted, so that a failing test does not fill the memory.
    slice.mockImplementation(function (this: unknown, start = 0, end) {
      const part = (this as Uint8Array<ArrayBuffer>).subarray(start, end)
      copied.bytes += part.length
      return part
    })
    try {
      run()
    } finally {
      slice.mockRestore()
    }
    return copied.bytes
  }

  test.each([
    ['a legacy transaction', bomb],
    ['a typed transaction', concatBytes(Uint8Array.of(2), bomb)],
    ['a set-code transaction', concatBytes(Uint8Array.of(4), bomb)],
  ])('given one as %s, it is refused before it is copied even ten times', (_name, raw) => {
    const copies = countCopies(() => expect(() => decodeTransaction(raw)).toThrow())
    expect(copies).toBeLessThan(10 * bomb.length)
  })

  test('given one sent to the inbox on L1, it is no input', () => {
    const to = `0x${'00'.repeat(20)}` as const
    expect(batcherInputs([bomb, concatBytes(Uint8Array.of(2), bomb)], to, to)).toEqual([])
  })

  test('given one as a batch, or inside one, the channel has no batch', () => {
    const channel = (rlp: Uint8Array) => Uint8Array.from(deflateSync(rlp))
    expect([...readChannel(channel(bomb), CHAIN_ID)]).toEqual([])
    const singular = encode(concatBytes(Uint8Array.of(0), bomb))
    expect([...readChannel(channel(singular), CHAIN_ID)]).toEqual([])
  })
})

describe('length prefixes of a gibibyte', () => {
  const header = Uint8Array.of(0x40, 0, 0, 0)

  test('given one on a request frame, it is refused by its header; below the cap, nothing is allocated for it', async () => {
    const clock = new VirtualClock()
    const allocated: number[] = []
    const allocate = vi.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => {
      allocated.push(size)
      return Buffer.alloc(size)
    })
    try {
      const refused = new PassThrough()
      refused.write(header)
      await expect(readFrame(refused, { clock })).rejects.toThrow(`limit of ${FRAME_LIMIT}`)
      const short = new PassThrough()
      short.end(Uint8Array.of(0x1f, 0xff, 0xff, 0xff, 1))
      await expect(readFrame(short, { clock })).rejects.toThrow('closed after')
    } finally {
      allocate.mockRestore()
    }
    expect(allocated.length).toBeGreaterThan(0)
    expect(allocated.reduce((sum, size) => sum + size, 0)).toBeLessThan(1 << 20)
  })

  test('given one on a list or on bytes of a request, it is refused', () => {
    // bincode: 0xfc, then u32 little endian.
    const length = Uint8Array.of(0xfc, 0, 0, 0, 0x40)
    const list = concatBytes(Uint8Array.of(0), length)
    expect(() => decodeRequest(list)).toThrow(`length ${GIB} is more`)
    const key = new Uint8Array(32)
    expect(() => decodeRequest(concatBytes(Uint8Array.of(0, 1), key, length))).toThrow(`${GIB}`)
  })

  test('given one on a batcher frame or an RLP item, it is refused', () => {
    const frame = concatBytes(Uint8Array.of(0), new Uint8Array(18), header, new Uint8Array(40))
    expect(decodeBatcherData(frame)).toEqual([])
    expect(() => readRlpItem(concatBytes(Uint8Array.of(0xfb), header))).toThrow('canonical')
  })
})

test('given a flood of hints for one value, a host asks its nodes for it once', async () => {
  const calls: string[] = []
  const value = encode([Uint8Array.of(7)])
  const hash = keccak256(value)
  const hex = `0x${Buffer.from(value).toString('hex')}` as const
  const rpc = {
    async request(method: string) {
      calls.push(method)
      return hex
    },
  }
  const zero = `0x${'00'.repeat(32)}` as const
  const oracle = onlineOracle({
    request: {
      ...{ l1Head: zero, l1HeadNumber: 0n, agreedL2HeadHash: zero, agreedL2OutputRoot: zero },
      ...{ claimedL2OutputRoot: zero, claimedL2BlockNumber: 1n, imageHash: zero },
      ...{ proposer: `0x${'00'.repeat(20)}`, intermediateBlockInterval: 1n },
    },
    ...{ chainId: 1n, l1: rpc, l2: rpc, head: () => zero },
  })
  const hint = { type: 'l2-state-node', data: Buffer.from(hash.slice(2), 'hex') } as const
  for (let i = 0; i < 1_000; i++) await oracle.keccak(hash, hint)
  expect(calls).toEqual(['debug_dbGet'])
})
