import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { Supervisor } from '#devnet/base/process/supervisor'
import { SteadyClock } from '#protocol/clock/steady-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { encodeL1Attributes } from '#protocol/derivation/l1-attributes'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import { devnetSystemConfig } from '../genesis/devnet-system-config.ts'
import { type HeartbeatOptions, startHeartbeat } from './start-heartbeat.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function scene(options: { l1BlockTime?: number; clock?: VirtualClock | SteadyClock } = {}) {
  const clock = options.clock ?? new VirtualClock(1_700_000_000_000)
  const supervisor = new Supervisor({ clock, logger: pino({ level: 'silent' }) })
  const world = { l1: 1, latest: 10, safe: 8, drift: 4, diverged: '' }
  const block = (number: number, drift: number): Block =>
    ({
      header: { number: BigInt(number), timestamp: BigInt(1_000_000) },
      transactions: [attributes(1_000_000 - drift)],
    }) as unknown as Block
  const chain: HeartbeatOptions['chain'] = {
    latest: () => block(world.latest, world.drift),
    safe: () => block(world.safe, world.drift),
    divergence: () => (world.diverged ? { since: 3n, cause: world.diverged } : undefined),
  }
  const heartbeat = startHeartbeat({
    supervisor,
    chain,
    config: { blockTime: 2, maxSequencerDrift: 1800 },
    l1: { request: async () => world.l1 },
    l1BlockTime: options.l1BlockTime ?? 2,
    clock,
  })
  stops.push(() => heartbeat.stop())
  const warned = () => supervisor.health().warnings.map(({ part }) => part)
  return { clock, supervisor, world, warned }
}

/** The first transaction of a block whose L1 origin has this timestamp. */
function attributes(timestamp: number) {
  const zero: `0x${string}` = `0x${'00'.repeat(32)}`
  const l1 = { number: 1n, timestamp: BigInt(timestamp), baseFee: 1n, blobBaseFee: 1n, hash: zero }
  const systemConfig = devnetSystemConfig
  return decodeTransaction(
    encodeL1Attributes({ fork: 'jovian', l1, sequenceNumber: 0n, systemConfig }),
  )
}

/** Beats with L2 and, unless it is silent, L1 going on. */
async function beats(
  { clock, world }: Pick<ReturnType<typeof scene>, 'clock' | 'world'>,
  count: number,
  going: { l1?: boolean; l2?: boolean; safe?: boolean } = {},
) {
  const { l1 = true, l2 = true, safe = true } = going
  for (let beat = 0; beat < count; beat++) {
    world.l1 += Number(l1 && beat % 2 === 0)
    world.latest += Number(l2)
    world.safe += Number(safe)
    await (clock as VirtualClock).advance(1_000)
  }
}

test('given a devnet that is well, then nothing warns in an hour', async () => {
  const it = scene()
  await beats(it, 3_600)
  expect(it.warned()).toEqual([])
})

test('given an L1 that is silent, then a warning comes after five seconds and more, and none once it goes on', async () => {
  const it = scene()
  await beats(it, 3)
  await beats(it, 5, { l1: false })
  expect(it.warned()).toEqual([])
  await beats(it, 2, { l1: false })
  expect(it.warned()).toEqual(['L1'])
  await beats(it, 2)
  expect(it.warned()).toEqual([])
})

test('given slow L1 blocks, then they are no silence', async () => {
  const it = scene({ l1BlockTime: 12 })
  for (let block = 0; block < 20; block++) {
    it.world.l1++
    await beats(it, 12, { l1: false })
    expect(it.warned()).toEqual([])
  }
  await beats(it, 30, { l1: false })
  expect(it.warned()).toEqual(['L1'])
})

test('given an L2 near the end of its drift, then a warning names both numbers', async () => {
  const it = scene()
  it.world.drift = 1_439
  await beats(it, 2)
  expect(it.warned()).toEqual([])
  it.world.drift = 1_440
  await beats(it, 1)
  expect(it.supervisor.health().warnings[0]!.problem).toMatch(/1440 s ahead .* 1800 s/)
  it.world.drift = 4
  await beats(it, 1)
  expect(it.warned()).toEqual([])
})

test('given a chain whose time a cheat has moved, then nobody hears of a drift that keeps no transaction out', async () => {
  const it = scene()
  it.world.drift = 3_604
  it.world.diverged = 'state'
  await beats(it, 1)
  expect(it.warned()).toEqual(['drift'])
  it.world.diverged = 'timestamp'
  await beats(it, 1)
  expect(it.warned()).toEqual([])
})

test('given a safe head that stands while L2 goes on, then a warning comes after a minute, not for what a cheat made', async () => {
  const it = scene()
  await beats(it, 60, { safe: false })
  expect(it.warned()).toEqual([])
  await beats(it, 1, { safe: false })
  expect(it.warned()).toEqual(['safe head'])
  it.world.diverged = 'state'
  await beats(it, 1, { safe: false })
  expect(it.warned()).toEqual([])
})

test('given --manual, when nothing moves, then nothing warns', async () => {
  const it = scene()
  await beats(it, 1)
  it.world.safe = it.world.latest
  await beats(it, 300, { l2: false, safe: false })
  expect(it.warned()).toEqual([])
})

test('given a clock that was put back, then a warning names the seconds, until it is put right', async () => {
  let wall = 1_700_000_000_000
  const virtual = new VirtualClock(wall)
  const steady = new SteadyClock({
    wall: () => wall,
    monotonic: () => virtual.now(),
    after: (delay, action) => virtual.after(delay, action),
  })
  const it = scene({ clock: steady })
  wall -= 3_600_000
  steady.now()
  expect(it.supervisor.health().warnings).toMatchObject([
    { part: 'clock', problem: expect.stringContaining('3600 s') },
  ])
  wall += 3_600_000
  steady.now()
  expect(it.warned()).toEqual([])
})
