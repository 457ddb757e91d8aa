import { expect, test } from 'vitest'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { CaseFailure } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { DriverError } from '../drivers/accounts-driver.ts'
import { nothingWatched } from '../seen/watched.ts'
import { watchNode } from './watch-node.ts'

/** What a node says to a batch that answers none. */
const noBatch = async () => ({ body: {}, http: { json: {} } })

test('given a driver that fails while the node is watched, then the watch goes on and ends', async () => {
  const asked: string[] = []
  const { signal } = new AbortController()
  const context = {
    ...{ clock: systemClock, signal, targets: { rpc: 'http://node', ws: 'ws://node' } },
    rpc: { call: async (method: string) => void asked.push(method), post: noBatch },
    driver: { accounts: [] },
    scene: () => Promise.reject(new DriverError('It was not sealed in time.')),
  } as unknown as CaseContext
  const watch = watchNode({ context, watched: nothingWatched(), atLeast: 1 })
  await watch.end()
  expect(asked).toContain('eth_getBlockByNumber')
})

test('given a run that is over before what is asked about was brought about, then each question is asked all the same', async () => {
  const { store, writes } = { store: '0x5701', writes: { first: 7n, second: 9n } }
  const asked: unknown[] = []
  const brought = Promise.withResolvers<unknown>()
  const context = {
    ...{
      clock: systemClock,
      signal: new AbortController().signal,
      targets: { rpc: 'http://node' },
    },
    rpc: {
      async call(method: string, [, slot, block]: unknown[]) {
        if (method === 'eth_getStorageAt') asked.push([slot, block])
        return { body: { result: '0x' }, http: { text: '' } }
      },
      post: noBatch,
    },
    driver: { onlyReads: true },
    scene: () => brought.promise,
  } as unknown as CaseContext
  const watched = nothingWatched()
  const watch = watchNode({ context, watched, atLeast: 1, kinds: ['slots'] })
  let isOver = false
  const over = watch.end().then(() => {
    isOver = true
  })
  await sleep(systemClock, 50)
  expect(isOver).toBe(false)
  brought.resolve({ probes: { store }, writes })
  await over
  expect(asked).toContainEqual([`0x${'5'.padStart(64, '0')}`, '0x6'])
  expect(watched.known.of('slots').count).toBe(1)
})

test('given a line that breaks at the first question, then the others are asked all the same', async () => {
  let asked = 0
  const context = {
    ...{
      clock: systemClock,
      signal: new AbortController().signal,
      targets: { rpc: 'http://node' },
    },
    driver: { onlyReads: true },
    rpc: {
      async call(method: string, [height]: string[]) {
        if (method !== 'eth_getBlockByNumber' || !height?.startsWith('0x1000000')) return {}
        asked += 1
        if (asked === 1) throw new CaseFailure({ at: 'it', expected: 'a reply', actual: 'reset' })
        return { body: { result: null }, http: { text: '' } }
      },
      post: noBatch,
    },
  } as unknown as CaseContext
  const watched = nothingWatched()
  await watchNode({ context, watched, atLeast: 1, kinds: ['absent-blocks'] }).end()
  expect(watched.known.of('absent-blocks').count).toBeGreaterThan(0)
})

test('given a node that answers nothing any more, then the end of the watch is not waited for for ever', async () => {
  const clock = new VirtualClock(0)
  const never = () => new Promise<never>(() => {})
  const context = {
    ...{ clock, signal: new AbortController().signal, targets: { rpc: 'http://node' } },
    rpc: { call: never, post: never },
    driver: { onlyReads: true },
  } as unknown as CaseContext
  const watched = nothingWatched()
  const ended = watchNode({ context, watched, atLeast: 3_000 }).end()
  await clock.advance(603_000)
  await ended
  expect(watched.brokenBy).toBe('an answer did not come')
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
      post: noBatch,
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

test('given logs of no block yet in a range to pending, then they are no wrong answer (OPEN-09)', async () => {
  const clock = systemClock
  const block = { number: '0x7', hash: '0xa7', parentHash: '0xa6' }
  const sealed = { blockNumber: '0x7', blockHash: '0xa7', transactionHash: '0x1', logIndex: '0x0' }
  const pending = { blockNumber: null, blockHash: null, transactionHash: '0x2', logIndex: null }
  const watched = nothingWatched()
  const context = {
    ...{ clock, signal: new AbortController().signal, targets: { rpc: 'http://node' } },
    driver: { onlyReads: true },
    rpc: {
      async call(method: string, [filter]: { toBlock?: string }[]) {
        const logs = filter?.toBlock === 'pending' ? [sealed, pending] : [sealed]
        return { body: { result: method === 'eth_getLogs' ? logs : block }, http: { text: '' } }
      },
      post: noBatch,
    },
  } as unknown as CaseContext
  await watchNode({ context, watched, atLeast: 1, kinds: ['ranges-past'] }).end()
  const { count, failure } = watched.known.of('ranges-past')
  expect(failure).toBeUndefined()
  expect(count).toBeGreaterThanOrEqual(6)
})

test('given answers of no shape that a question expects, then that is a failure of its kind, and the watch ends', async () => {
  const watched = nothingWatched()
  const context = {
    ...{
      clock: systemClock,
      signal: new AbortController().signal,
      targets: { rpc: 'http://node' },
    },
    driver: { onlyReads: true },
    // It has no body, by which each question would find its answer.
    rpc: { call: async () => ({}), post: noBatch },
  } as unknown as CaseContext
  await watchNode({ context, watched, atLeast: 1, kinds: ['tip-heights'] }).end()
  expect(watched.known.of('tip-heights').failure).toMatchObject({ at: 'answer' })
})
