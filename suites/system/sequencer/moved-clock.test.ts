import { afterEach, expect, test, vi } from 'vitest'
import { reportClockSteps } from '#devnet/base/process/report-clock-steps'
import { SteadyClock } from '#protocol/clock/steady-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { transfer } from './transfer.ts'
import { GENESIS_TIME, startVirtualNode, type VirtualNode } from './virtual-node.ts'

const HOUR = 3_600_000

let virtual: VirtualNode
afterEach(() => virtual.node.stop())

/** A node on a machine whose wall clock can be set. */
async function machine() {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  let shift = 0
  const nodeClock = new SteadyClock({
    wall: () => clock.now() + shift,
    monotonic: () => clock.now(),
    after: (delay, action) => clock.after(delay, action),
  })
  const warn = vi.fn()
  reportClockSteps(nodeClock, { warn } as never)
  virtual = await startVirtualNode({ clock, nodeClock })
  const put = (by: number) => {
    shift += by
  }
  const latest = () => {
    const { number, timestamp } = virtual.node.chain.latest().header
    return { number: Number(number), timestamp: Number(timestamp) - GENESIS_TIME }
  }
  return { clock, put, latest, said: () => warn.mock.calls.map(([, message]) => message) }
}

test('given a clock put back by an hour, then blocks and pre-confirmations go on, and it says so', async () => {
  const { clock, put, latest, said } = await machine()
  await clock.advance(10_000)
  put(-HOUR)
  const hash = await virtual.node.chain.submit(transfer(0, 0))
  await clock.advance(200)
  expect(virtual.node.chain.findTransaction(hash)).toBeDefined()
  await clock.advance(9_800)
  expect(latest()).toEqual({ number: 10, timestamp: 20 })
  expect(said()).toEqual([
    'The clock of this machine moved back by 3600 s. Blocks go on at their pace; their timestamps are 3600 s ahead of it.',
  ])
  put(HOUR)
  await clock.advance(10_000)
  expect(latest()).toEqual({ number: 15, timestamp: 30 })
  expect(said()).toHaveLength(2)
})

test('given a clock put forward by an hour, then the blocks in between are made, one for every two seconds', async () => {
  const { clock, put, latest, said } = await machine()
  await clock.advance(10_000)
  put(HOUR)
  await clock.advance(10_000)
  expect(latest()).toEqual({ number: 1810, timestamp: 3620 })
  expect(said()).toEqual([
    'The clock of this machine moved forward by 3600 s. Block timestamps follow it: L2 makes the blocks in between now.',
  ])
})
