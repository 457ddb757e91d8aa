import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { rlpLength } from '#protocol/bytes/encode-rlp'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { logsBloom } from '#protocol/execution/logs-bloom'
import { encodeReceipt } from '#protocol/execution/receipt'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Block, Log } from '#protocol/types/block'
import type { CallObject } from '../calls/call-object.ts'
import { toQuantity } from '../json/hex.ts'
import { logWriter } from '../json/log-json.ts'
import { SimulatedBlockWriter } from './simulated-block-writer.ts'
import { simulatedTransaction } from './simulated-transaction.ts'

// What goes through objects and the codecs of blocks is what is expected.

const TRANSFERS = `0x${'ee'.repeat(20)}` as const
const HASH = `0x${'5a'.repeat(32)}` as const
const PLACE = '"blockNumber":"0x7b","blockTimestamp":"0xffff"'
const block = { header: { number: 123n, timestamp: 65_535n }, hash: HASH } as Block

const bytesOf = (most: number) => fc.uint8Array({ maxLength: most, size: 'max' })
const fixed = (length: number) =>
  fc
    .oneof(
      fc.uint8Array({ minLength: length, maxLength: length }),
      // Few of them, which come again.
      fc.nat(3).map((byte) => new Uint8Array(length).fill(byte)),
    )
    .map(bytesToHex)
const number64 = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 1n))
const anyLog: fc.Arbitrary<Log> = fc.record({
  address: fc.oneof({ weight: 4, arbitrary: fixed(20) }, fc.constant(TRANSFERS)),
  topics: fc.array(fixed(32), { maxLength: 4 }),
  data: bytesOf(70),
})
const anyCall = fc.record({
  isEncoded: fc.boolean(),
  call: fc.record({
    from: fixed(20),
    to: fc.option(fixed(20)),
    value: number64,
    data: bytesOf(150),
    maxFeePerGas: fc.option(number64, { nil: undefined }),
    maxPriorityFeePerGas: fc.option(number64, { nil: undefined }),
    gasPrice: fc.constant(undefined),
    accessList: fc.constant(undefined),
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<CallObject>,
  place: fc.record({ gas: number64, nonce: number64, chainId: fc.constant(84_532n) }),
  status: fc.constantFrom(0 as const, 1 as const),
  gasUsed: fc.bigInt(0n, 30_000_000n),
  maxUsedGas: number64,
  output: bytesOf(100),
  logs: fc.array(anyLog, { maxLength: 4 }),
  error: fc.constantFrom('', '"out of gas"', '{"message":"zu wenig Grün 不"}'),
})
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never

/** As evm/assembly/log.ts keeps them: words have the lowest byte first. */
function rawLogs(logs: Log[]): Uint8Array {
  const records = logs.map(({ address, topics, data }) => {
    const length = 48 + 32 * topics.length + data.length
    const raw = new Uint8Array((length + 15) & ~15).fill(0xaa)
    const view = new DataView(raw.buffer)
    view.setUint32(0, topics.length, true)
    view.setUint32(4, data.length, true)
    raw.fill(0, 16, 48).set(hexToBytes(address).reverse(), 16)
    for (const [at, topic] of topics.entries()) raw.set(hexToBytes(topic).reverse(), 48 + 32 * at)
    raw.set(data, 48 + 32 * topics.length)
    return raw
  })
  return new Uint8Array(Buffer.concat(records))
}

function written(writer: SimulatedBlockWriter, calls: AnyCall[]) {
  writer.begin()
  for (const { isEncoded, call, place, output, error, logs, ...outcome } of calls) {
    if (isEncoded) writer.addTransaction(simulatedTransaction({ ...call, gasPrice: 7n }, place))
    else writer.addCall(call, place)
    const full = { ...outcome, output, logs: [], contractAddress: null, rawLogs: rawLogs(logs) }
    writer.addOutcome(full, { output, error })
  }
  return {
    ...writer.end(),
    hashes: writer.hashesText(),
    calls: writer.callsText({ hash: HASH, place: PLACE }, true),
  }
}

function expected(calls: AnyCall[]) {
  const transactions = calls.map(({ isEncoded, call, place }) =>
    simulatedTransaction(isEncoded ? { ...call, gasPrice: 7n } : call, place),
  )
  const write = logWriter({ ...block, transactions })
  let cumulativeGasUsed = 0n
  let logIndex = 0
  const real = calls.map(({ logs }) => logs.filter(({ address }) => address !== TRANSFERS))
  const receipts = calls.map(({ status, gasUsed }, index) => {
    cumulativeGasUsed += gasUsed
    const logs = real[index]!
    const bloom = logsBloom(logs)
    const { type } = transactions[index]!
    return encodeReceipt({ type, status, cumulativeGasUsed, logsBloom: bloom, logs })
  })
  const texts = calls.map(({ status, gasUsed, maxUsedGas, output, logs, error }, at) => {
    const logTexts = logs.map((log) => write({ log, transactionIndex: at, logIndex: logIndex++ }))
    const used = `"gasUsed":"${toQuantity(gasUsed)}","maxUsedGas":"${toQuantity(maxUsedGas)}"`
    const rest = error === '' ? '' : `,"error":${error}`
    return `{"status":"0x${status}",${used},"returnData":"${bytesToHex(output)}","logs":[${logTexts}]${rest}}`
  })
  return {
    transactionsRoot: orderedTrieRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: orderedTrieRoot(receipts),
    logsBloom: bytesToHex(logsBloom(real.flat())),
    transactionsLength: transactions.reduce(
      (sum, { type, raw }) => sum + (type === 0 ? raw.length : rlpLength(raw)),
      0,
    ),
    hashes: transactions.map(({ hash }) => `"${hash}"`).join(),
    calls: texts.join(),
  }
}

test('given any calls, then roots, bloom and text are those of the codecs', () => {
  const writer = new SimulatedBlockWriter()
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 1, maxLength: 20 }), (calls) => {
      expect(written(writer, calls)).toEqual(expected(calls))
    }),
    { numRuns: 150 },
  )
})

test.each([1, 2, 16, 127, 128, 129, 130, 255, 256, 257, 300, 1_000])(
  'given %i calls, then both roots are the same, too',
  (count) => {
    const [one] = fc.sample(anyCall, { numRuns: 1, seed: count })
    const calls = Array.from({ length: count }, (_, at) => ({
      ...one!,
      place: { ...one!.place, nonce: BigInt(at) },
    }))
    expect(written(new SimulatedBlockWriter(), calls)).toEqual(expected(calls))
  },
)

test('given megabytes of data, then its memory grows, and does not stay so large', () => {
  const [one] = fc.sample(anyCall, { numRuns: 1, seed: 1 })
  const large = { ...one!, isEncoded: false, output: new Uint8Array(12_000_000).fill(7) }
  const writer = new SimulatedBlockWriter()
  const text = written(writer, [large, one!]).calls
  const at = text.indexOf('"returnData":"0x') + 16
  expect(text.slice(at, at + 24_000_001) === `${'07'.repeat(12_000_000)}"`).toBe(true)
  expect(written(writer, [one!])).toEqual(expected([one!]))
})
