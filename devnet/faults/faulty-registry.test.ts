import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Address } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { FaultyRegistry } from './faulty-registry.ts'

/** Bytes of the write-ahead log's head, and of each page in it (SQLite's file format). */
const WAL_HEAD = 32
const WAL_FRAME = 24 + 4_096

const wallet = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`

let directory: string
let path: string
let clock: VirtualClock
let registry: FaultyRegistry
let kills: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faulty-registry-'))
  path = join(directory, 'codes.sqlite')
  clock = new VirtualClock()
  kills = 0
  const kill = async () => {
    kills += 1
    registry.recover()
  }
  registry = new FaultyRegistry({
    path,
    rng: seededRng('torn'),
    diskRng: seededRng('disk'),
    clock,
    kill,
  })
})
afterEach(() => {
  registry.close()
  rmSync(directory, { recursive: true })
})

test('given a write that is torn, then its owner is killed, what was told is there, and the half of it is not (BC-12)', async () => {
  const registered = [1, 2, 3].map((index) => registry.register(wallet(index)))
  await registry.effects.torn_write()
  expect(kills).toBe(1)
  // The log does end in the middle of a page.
  expect((statSync(`${path}-wal`).size - WAL_HEAD) % WAL_FRAME).toBeGreaterThan(0)
  expect([1, 2, 3].map((index) => registry.register(wallet(index)))).toEqual(
    (await Promise.all(registered)).map((each) => ({ ...each, created: false })),
  )
  expect(await registry.register(wallet(4))).toMatchObject({ created: true })
  const other = new DatabaseSync(path)
  expect(other.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(other.prepare('SELECT count(*) AS count FROM registration').get()).toEqual({ count: 4 })
  other.close()
  const left = readdirSync(directory).filter((name) => !/^codes\.sqlite(-wal|-shm)?$/.test(name))
  expect(left).toEqual([])
})

test('given it starts anew without a crash, then nothing is torn', () => {
  registry.register(wallet(1))
  registry.recover()
  expect((statSync(`${path}-wal`).size - WAL_HEAD) % WAL_FRAME).toBe(0)
})

test('given a slow disk, then a registration is late, and at once again when that is over', async () => {
  const end = await registry.effects.slow({ delay: 500 })
  let isDone = false
  const late = Promise.resolve(registry.register(wallet(1))).finally(() => {
    isDone = true
  })
  await clock.advance(499)
  expect(isDone).toBe(false)
  await clock.advance(1)
  expect(await late).toMatchObject({ created: true })
  await end?.()
  expect(registry.register(wallet(1))).toMatchObject({ created: false })
})
