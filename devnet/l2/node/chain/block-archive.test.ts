import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
})
