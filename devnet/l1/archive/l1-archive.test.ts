import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { L1Archive } from './l1-archive.ts'

let archive: L1Archive
afterEach(() => archive.close())

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const

/** A block with one transaction of 10,000 bytes that no packing makes smaller than half its digits. */
function block(number: number) {
  const input = randomBytes(10_000).toString('hex')
  const transactions = [{ hash: hash(number + 1_000_000), input }]
  return {
    block: {
      number: `0x${number.toString(16)}` as const,
      hash: hash(number),
      parentHash: hash(number - 1),
      timestamp: `0x${number.toString(16)}` as const,
      transactionsRoot: hash(7),
      transactions,
    },
    receipts: [{ transactionHash: transactions[0]!.hash, logs: [] }],
  }
}

test('given more than it may hold, then the oldest blocks go, and what it holds is whole', async () => {
  archive = new L1Archive({ maxBytes: 1_000_000 })
  const blocks = Array.from({ length: 500 }, (_, number) => block(number))
  for (const each of blocks) await archive.append(each)
  expect(archive.newest).toBe(499)
  const lowest = archive.lowest!
  expect(lowest).toBeGreaterThan(380)
  expect(lowest).toBeLessThan(420)
  expect(await archive.block(hash(lowest - 1))).toBeUndefined()
  expect(archive.place(hash(1_000_000 + lowest - 1))).toBeUndefined()
  expect(await archive.block(hash(lowest))).toEqual(blocks[lowest])
  expect(archive.place(hash(1_000_499))).toEqual({ number: 499, position: 0 })
})

test('given a newest block that L1 dropped, then another takes its place', async () => {
  archive = new L1Archive()
  await archive.append(block(0))
  await archive.append(block(1))
  archive.removeNewest()
  expect([archive.newest, archive.hashAt(1)]).toEqual([0, undefined])
  const other = { ...block(1), block: { ...block(1).block, hash: hash(99) } }
  await archive.append(other)
  expect(archive.hashAt(1)).toBe(hash(99))
  archive.removeNewest()
  archive.removeNewest()
  expect([archive.newest, archive.lowest]).toEqual([undefined, undefined])
})
