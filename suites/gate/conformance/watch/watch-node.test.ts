import { expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
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
