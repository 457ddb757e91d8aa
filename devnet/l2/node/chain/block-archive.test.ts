import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { headerHash } from '#protocol/execution/header'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { LOGGER } from '../rpc/testing/contracts.ts'
import { createTestNode, word } from '../rpc/testing/test-node.ts'
import { BlockArchive } from './block-archive.ts'
import { blockMemory } from './block-memory.ts'
import { KeptChain } from './kept-chain.ts'

/** More than what is kept in memory. */
const LENGTH = 2_300
const LOGS_EVERY = 100

let empty: Block
let logging: Block
beforeAll(async () => {
  const { chain, sign } = await createTestNode()
  empty = await chain.mine(await sign({ to: LOGGER, data: '0x', value: 1n }))
  logging = await chain.mine(await sign({ to: LOGGER, data: `${word(1)}${word(2).slice(2)}ab` }))
})

const archives: BlockArchive[] = []
afterAll(() => {
  for (const archive of archives) archive.close()
})

/** Real blocks, but for their number; every hundredth has a log. A fork has other hashes. */
function block(number: number, fork = 0): Block {
  const kind = number % LOGS_EVERY === 0 ? logging : empty
  const header = { ...kind.header, number: BigInt(number), gasLimit: BigInt(fork) }
  return { ...kind, header, hash: headerHash(header) }
}

function archiveOf(length: number): BlockArchive {
  const archive = new BlockArchive()
  archives.push(archive)
  for (let number = 0; number < length; number++) archive.append(block(number))
  return archive
}

const withLogs = (archive: BlockArchive, first: number, last: number, mayHold = () => true) =>
  archive
    .withLogs(BigInt(first), BigInt(last), mayHold)
    .filter((number) => archive.byNumber(number)!.receipts.some(({ logs }) => logs.length > 0))
    .map(Number)

describe('the blocks on disk', () => {
  it('given more than memory holds, then each is there by number and hash, as it was', () => {
    const archive = archiveOf(LENGTH)
    for (const number of [0, 1, 99, 100, 250, 251, 252, 253, 2_000, LENGTH - 1]) {
      const wanted = block(number)
      expect(archive.byNumber(BigInt(number))).toEqual(wanted)
      expect(archive.byHash(wanted.hash)).toEqual(wanted)
    }
    for (const number of [-1n, BigInt(LENGTH), 1n << 70n]) {
      expect(archive.byNumber(number)).toBeUndefined()
    }
    expect(archive.byHash(word(7) as Hash)).toBeUndefined()
  })

  it('given an old block, then another object than what was given comes back: memory let it go', () => {
    const archive = new BlockArchive()
    archives.push(archive)
    const first = block(0)
    archive.append(first)
    for (let number = 1; number < 2_048; number++) archive.append(block(number))
    expect(archive.byNumber(0n)).toBe(first)
    archive.append(block(2_048))
    expect(archive.byNumber(0n)).not.toBe(first)
    expect(archive.byNumber(0n)).toEqual(first)
  })

  it('given a shorter memory, then it holds so many blocks, but never fewer than 256', () => {
    for (const [recentBlocks, held] of [
      [300, 300],
      [10, 256],
    ] as const) {
      const archive = new BlockArchive({ recentBlocks })
      archives.push(archive)
      const given = Array.from({ length: 400 }, (_, number) => block(number))
      for (const one of given) archive.append(one)
      expect(given.filter((one, number) => archive.byNumber(BigInt(number)) === one)).toHaveLength(
        held,
      )
    }
  })

  it('given blocks that take more memory than allowed, then it holds fewer of them, but 16', () => {
    const each = blockMemory(block(1))
    for (const [recentMemory, held] of [
      [40 * each, 40],
      [1, 16],
    ] as const) {
      const archive = new BlockArchive({ recentMemory })
      archives.push(archive)
      const given = Array.from({ length: 90 }, (_, number) => block(number + 1))
      for (const one of given) archive.append(one)
      const isInMemory = given.map((one) => archive.byNumber(one.header.number) === one)
      expect(isInMemory.indexOf(true)).toBe(90 - held)
      expect(isInMemory.lastIndexOf(false)).toBe(90 - held - 1)
    }
  })

  it('given a chain that outlives its process, then it, too, holds no more than it may', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollbed-kept-'))
    const { blocks } = new KeptChain(new KeptDatabase(join(folder, 'l2.sqlite')), 1)
    archives.push(blocks)
    rmSync(folder, { recursive: true })
    const given = Array.from({ length: 20 }, (_, number) => block(number + 1))
    for (const one of given) blocks.append(one)
    const held = given.filter((one) => blocks.byNumber(one.header.number) === one)
    expect(held).toEqual(given.slice(-16))
  })

  it('given a block that memory let go, then its hash is there as before', () => {
    const archive = archiveOf(LENGTH)
    for (const number of [0, 1, 2_000, LENGTH - 1]) {
      expect(archive.hashOf(BigInt(number))).toBe(block(number).hash)
    }
    for (const number of [-1n, BigInt(LENGTH), 1n << 70n]) {
      expect(archive.hashOf(number)).toBeUndefined()
    }
  })

  it('given a transaction, then its newest block and its place are found', () => {
    const archive = archiveOf(LENGTH)
    const found = archive.findTransaction(empty.transactions[0]!.hash)!
    expect([found.block.header.number, found.index]).toEqual([BigInt(LENGTH - 1), 0])
    archive.removeAbove(100n)
    const older = archive.findTransaction(empty.transactions[0]!.hash)!
    expect(older.block.header.number).toBe(99n)
    expect(archive.findTransaction(word(7) as Hash)).toBeUndefined()
  })

  it('given a range over disk and memory, then its blocks with logs come in order, and once', () => {
    const archive = archiveOf(LENGTH)
    const every = (first: number, last: number) =>
      Array.from({ length: last + 1 }, (_, number) => number).filter(
        (number) => number >= first && number % LOGS_EVERY === 0,
      )
    for (const [first, last] of [
      [0, LENGTH - 1],
      [0, 100],
      [101, 199],
      [150, 700],
      [2_000, 2_200],
      [300, 200],
    ] as const) {
      expect(withLogs(archive, first, last)).toEqual(every(first, last))
    }
    const blooms: string[] = []
    const mayHold = (bloom: string) => {
      blooms.push(bloom)
      return false
    }
    expect(archive.withLogs(0n, 250n, mayHold)).toEqual([])
    expect(new Set(blooms.filter((bloom) => /[1-9a-f]/.test(bloom.slice(2))))).toEqual(
      new Set([logging.header.logsBloom]),
    )
  })

  it.each([2_290, 200, 0])(
    'given the blocks above %i are removed, then others take their place',
    (kept) => {
      const archive = archiveOf(LENGTH)
      const removed = archive.removeAbove(BigInt(kept))
      expect(removed.map(({ header }) => Number(header.number))).toEqual(
        Array.from({ length: LENGTH - 1 - kept }, (_, index) => LENGTH - 1 - index),
      )
      expect(archive.byNumber(BigInt(kept + 1))).toBeUndefined()
      expect(archive.byHash(block(kept + 1).hash)).toBeUndefined()
      expect(withLogs(archive, kept + 1, LENGTH)).toEqual([])
      for (let number = kept + 1; number < LENGTH + 50; number++) archive.append(block(number, 1))
      for (const number of [0, kept, kept + 1, 2_295]) {
        const wanted = block(number, number > kept ? 1 : 0)
        expect(archive.byNumber(BigInt(number))).toEqual(wanted)
        expect(archive.byHash(wanted.hash)?.header.number).toBe(BigInt(number))
      }
      expect(withLogs(archive, kept + 1, LENGTH).at(-1)).toBe(LENGTH)
    },
  )

  it('given a block whose number is taken, then it is refused and nothing has changed', () => {
    const archive = archiveOf(10)
    expect(() => archive.append(block(9, 1))).toThrow('could not be written to disk')
    expect(archive.byNumber(9n)).toEqual(block(9))
    archive.append(block(10))
    expect(archive.byNumber(10n)).toEqual(block(10))
  })

  it('given blocks in memory, then they are on disk only where they must be at once', () => {
    for (const [options, rows] of [
      [{}, 0],
      [{ writesAtOnce: true }, 10],
      // Those that memory let go, and with them all that could be written together.
      [{ recentMemory: 1 }, 17],
    ] as const) {
      const archive = new BlockArchive(options)
      archives.push(archive)
      const length = rows === 17 ? 17 : 10
      for (let number = 0; number < length; number++) archive.append(block(number))
      expect(archive.database.prepare('SELECT count(*) AS rows FROM block').get()).toEqual({ rows })
    }
  })

  it('given blocks of many transactions, then they leave memory one by one, so that no flashblock waits for all', () => {
    const archive = new BlockArchive({ recentMemory: 1 })
    archives.push(archive)
    const rows = archive.database.prepare('SELECT count(*) AS rows FROM block')
    const written = Array.from({ length: 20 }, (_, number) => {
      const { transactions, ...rest } = block(number)
      archive.append({ ...rest, transactions: Array(200).fill(transactions[0]) })
      return rows.get()!.rows
    })
    expect(written).toEqual([...Array(16).fill(0), 1, 2, 3, 4])
  })

  it('given a full disk when a block has to leave memory, then the next one is refused and nothing has changed', () => {
    const archive = new BlockArchive({ recentMemory: 1 })
    archives.push(archive)
    for (let number = 0; number < 16; number++) archive.append(block(number))
    archive.database.exec('PRAGMA query_only = ON')
    for (let tries = 0; tries < 2; tries++) {
      expect(() => archive.append(block(16))).toThrow('could not be written to disk')
      expect(archive.newest).toEqual(block(15))
      expect(archive.byHash(block(16).hash)).toBeUndefined()
    }
    archive.database.exec('PRAGMA query_only = OFF')
    archive.append(block(16))
    expect([archive.newest, archive.byNumber(0n)]).toEqual([block(16), block(0)])
  })

  it('given blocks that come and go, then one that writes late reads as one that writes at once', () => {
    const step = fc.record({ back: fc.oneof(fc.constant(0), fc.nat(40)), more: fc.nat(30) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const late = new BlockArchive({ recentMemory: 1 })
        const prompt = new BlockArchive({ recentMemory: 1, writesAtOnce: true })
        let length = 0
        const hashes = new Set<Hash>()
        for (const [fork, { back, more }] of steps.entries()) {
          const kept = Math.max(0, length - back)
          const removed = [late, prompt].map((each) => each.removeAbove(BigInt(kept) - 1n))
          expect(removed[0]).toEqual(removed[1])
          for (length = kept; length < kept + more; length++) {
            const next = block(length, fork)
            hashes.add(next.hash)
            late.append(next)
            prompt.append(next)
          }
          const reads = (archive: BlockArchive) => ({
            newest: archive.newest?.hash,
            hashes: Array.from({ length: length + 2 }, (_, at) => archive.hashOf(BigInt(at))),
            blocks: Array.from(
              { length: length + 2 },
              (_, at) => archive.byNumber(BigInt(at))?.hash,
            ),
            byHash: [...hashes].map((hash) => archive.byHash(hash)?.header.number),
            transactions: [empty, logging].map(({ transactions }) => {
              const found = archive.findTransaction(transactions.at(-1)!.hash)
              return found && [found.block.hash, found.index]
            }),
            logs: withLogs(archive, 0, length),
          })
          expect(reads(late)).toEqual(reads(prompt))
        }
        late.close()
        prompt.close()
      }),
      { numRuns: 15 },
    )
  })
})
