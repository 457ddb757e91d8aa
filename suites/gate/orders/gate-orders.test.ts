import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetTargets } from '#devnet/cli/devnet-targets'
import { type Devnet, startDevnet } from '#devnet/index'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import { summarise } from '#reports/index'
import { createTestMnemonicDriver, runConformance, selectCases } from '../conformance/index.ts'
import { again, eachAlone, inRandomOrder, inShards } from './gate-orders.ts'
import { judgeOrders } from './judge-orders.ts'
import { slowdown } from './slowdown.ts'

const cases = selectCases()
const idsOf = (order: { cases: readonly { id: string }[] }) => order.cases.map(({ id }) => id)
const ids = idsOf({ cases })

describe('the orders', () => {
  test('given random ones, then each is another order of all cases', () => {
    const orders = inRandomOrder(cases, { count: 3, rng: seededRng(1) }).map(idsOf)
    expect(new Set(orders.map(String)).size).toBe(3)
    for (const order of orders) expect(order.toSorted()).toEqual(ids.toSorted())
  })

  test('given one order again, then each run has all cases in it', () => {
    expect(again(cases, 2).map(idsOf)).toEqual([ids, ids])
  })

  test('given shards, then together they are all cases', () => {
    expect(inShards(cases, 5).flatMap(idsOf).toSorted()).toEqual(ids.toSorted())
  })
})

describe('what runs took, one after the other', () => {
  const seconds = (...runs: number[]) => runs.map((run) => run * 1_000)

  test('given some that were held up by something else, then that is no slowdown', () => {
    expect(slowdown(seconds(120, 300, 30, 31, 33, 32, 31, 90, 30))).toBe(1)
  })

  test('given each longer than the one before, then it is', () => {
    expect(slowdown(seconds(120, 20, 22, 24, 26, 28, 30, 32, 34))).toBe(1.6)
  })

  test('given those before the chain has its whole window, then they are not counted', () => {
    expect(slowdown(seconds(30, 30, 40, 50, 52, 51, 53, 52))).toBe(1)
  })

  test('given too few since, then nobody can tell', () => {
    expect(slowdown(seconds(30, 30, 30, 29, 90, 90, 90))).toBeUndefined()
  })
})

describe('given the devnet', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ enclaves: 0 })
  })
  afterAll(() => devnet?.stop())

  const judge = async (orders: Parameters<typeof judgeOrders>[0]) => {
    const { targets, driver } = await driven(devnet)
    const failures = await judgeOrders(orders, {
      targets,
      driver,
      clock: systemClock,
      concurrency: 2,
    })
    return failures.map(({ order, result }) => `${order}: ${result.id} ${result.reason}`)
  }

  test('then cases that look at the tip pass alone, though nothing was deployed before', async () => {
    const atTip =
      /priority-fee|sealed-context|genesis-links|default-end-not-pending|pending-base-fee/
    expect(await judge(eachAlone(cases.filter(({ id }) => atTip.test(id))))).toEqual([])
  })

  test('when the newest block is replaced though L1 may know it, then the case tells since when no block becomes safe, and no case before it does', async () => {
    const { targets, driver } = await driven(devnet)
    expect(await driver.damage?.()).toBe(undefined)
    // As if a batch with all blocks to come were on its way to L1.
    devnet.node.chain.markSent(1_000_000n)
    const run = await runConformance({ targets, driver, only: 'ws.logs.removed.01' })
    const since = devnet.node.chain.divergence()?.since
    expect(run.cases).toMatchObject([{ verdict: 'pass', note: expect.stringContaining('L1') }])
    expect(summarise(run)).toContain(`since block ${since} (rollback)`)
  })
})

test('given a devnet whose batches go out seldom, when the gate replaces its newest block three times, then nothing diverged and all becomes safe', async () => {
  const devnet = await startDevnet({ enclaves: 0, batchInterval: 600_000 })
  try {
    const { targets, driver } = await driven(devnet)
    const { chain } = devnet.node
    const untilAllIsSafe = async () => {
      await devnet.batcher.flush()
      // A block that was sealed meanwhile may be on L1 too: replaced before it is safe, it would be lost.
      const number = devnet.batcher.posted()
      const isSafe = new Promise<void>((resolve) =>
        chain.on('safe', ({ header }) => header.number >= number && resolve()),
      )
      if (chain.safe().header.number < number) await isSafe
    }
    // What is there at its start it posts at once: on a slow machine that is more than the first blocks.
    await untilAllIsSafe()
    for (let run = 0; run < 3; run++) {
      const { cases } = await runConformance({ targets, driver, only: 'ws.logs.removed.01' })
      expect(cases).toMatchObject([{ verdict: 'pass' }])
      expect([cases[0]?.note, chain.divergence()]).toEqual([undefined, undefined])
    }
    await untilAllIsSafe()
  } finally {
    await devnet.stop()
  }
})

async function driven(devnet: Devnet) {
  const targets = devnetTargets(devnet.description)
  const { signal } = new AbortController()
  const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
  return { targets, driver }
}
