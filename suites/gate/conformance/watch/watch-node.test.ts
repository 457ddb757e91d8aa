import { expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { CaseContext } from '../conformance-case.ts'
import { DriverError } from '../drivers/accounts-driver.ts'
import { nothingWatched } from '../seen/watched.ts'
import { watchNode } from './watch-node.ts'

test('given a driver that fails while the node is watched, then the watch goes on and ends', async () => {
  const asked: string[] = []
  const { signal } = new AbortController()
  const context = {
    ...{ clock: systemClock, signal, targets: { rpc: 'http://node', ws: 'ws://node' } },
    rpc: { call: async (method: string) => void asked.push(method) },
    driver: { accounts: [] },
    scene: () => Promise.reject(new DriverError('It was not sealed in time.')),
  } as unknown as CaseContext
  const watch = watchNode({ context, watched: nothingWatched(), atLeast: 1 })
  await watch.end()
  expect(asked).toContain('eth_getBlockByNumber')
})

test('given a run that takes long, then the node is looked at less often after the first 20 s', async () => {
  const clock = new VirtualClock(0)
  let looks = 0
  const end = new AbortController()
  const context = {
    ...{ clock, signal: end.signal, targets: { rpc: 'http://node' } },
    rpc: {
      async call() {
        looks += 1
      },
    },
  } as unknown as CaseContext
  watchNode({ context, watched: nothingWatched(), atLeast: 3_000 })
  const looksIn = async (seconds: number) => {
    const before = looks
    for (let step = 0; step < seconds * 100; step++) await clock.advance(10)
    return looks - before
  }
  const often = await looksIn(20)
  const later = await looksIn(20)
  end.abort()
  expect(often).toBeGreaterThan(5_000)
  expect(often / later).toBeGreaterThan(5)
})
