import { concat } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { LOGGER } from '../testing/contracts.ts'
import { createTestNode, errorOf, type TestNode, word } from '../testing/test-node.ts'
import { FILTER_LIFETIME, FilterRegistry, MAX_CHANGES, MAX_FILTERS } from './filter-registry.ts'

const NOT_FOUND = { code: -32000, message: 'filter not found' }
const [RED, BLUE] = [word(0xeed), word(0xb10e)]

describe('given a chain and filters on it', () => {
  let node: TestNode
  let clock: VirtualClock

  const log = (topic: `0x${string}`) =>
    node.sign({ to: LOGGER, data: concat([topic, word(0), word(1)]) })
  const changes = (id: string) => node.rpc('eth_getFilterChanges', id) as Promise<never[]>

  beforeEach(async () => {
    clock = new VirtualClock()
    node = await createTestNode({ clock })
  })

  test('when blocks are sealed, then a block filter tells their hashes, once', async () => {
    const id = await node.rpc('eth_newBlockFilter')
    const [first, second] = [await node.chain.mine(), await node.chain.mine()]
    expect(await changes(id)).toEqual([first.hash, second.hash])
    expect(await changes(id)).toEqual([])
  })

  test('when logs are sealed, then a log filter tells those that match', async () => {
    const id = await node.rpc('eth_newFilter', { topics: [RED] })
    await node.chain.flashblock(await log(RED), await log(BLUE))
    expect(await changes(id)).toEqual([])
    const { hash } = await node.chain.seal()
    expect(await changes(id)).toMatchObject([
      { address: LOGGER, topics: [RED, word(0)], blockHash: hash, logIndex: '0x0', removed: false },
    ])
  })

  test('when a reorganization takes a log out, then it comes again, removed', async () => {
    const id = await node.rpc('eth_newFilter', { address: LOGGER })
    const { hash } = await node.chain.mine(await log(RED))
    await changes(id)
    await node.chain.reorg(1)
    expect(await changes(id)).toMatchObject([{ blockHash: hash, removed: true }])
  })

  test('when a filter has numbers, then blocks beyond them do not count', async () => {
    const id = await node.rpc('eth_newFilter', { fromBlock: '0x2', toBlock: '0x2' })
    await node.chain.mine(await log(RED))
    const { hash } = await node.chain.mine(await log(RED))
    await node.chain.mine(await log(RED))
    expect(await changes(id)).toMatchObject([{ blockHash: hash }])
  })

  test('when its logs are asked for, then they are those of eth_getLogs', async () => {
    const filter = { fromBlock: '0x1', topics: [BLUE] }
    await node.chain.mine(await log(BLUE))
    const id = await node.rpc('eth_newFilter', filter)
    const logs = (await node.rpc('eth_getFilterLogs', id)) as unknown[]
    expect(logs).toHaveLength(1)
    expect(logs).toEqual(await node.rpc('eth_getLogs', filter))
    expect(await changes(id)).toEqual([])
  })

  test('when transactions are pooled, then their filter tells hashes, or all of them', async () => {
    const hashes = await node.rpc('eth_newPendingTransactionFilter')
    const full = await node.rpc('eth_newPendingTransactionFilter', true)
    const { hash } = await node.chain.addToPool(await log(RED))
    expect(await changes(hashes)).toEqual([hash])
    expect(await changes(full)).toMatchObject([{ hash, to: LOGGER, blockNumber: null }])
  })

  test('when it is uninstalled, then it is gone, and nothing listens any more', async () => {
    const before = node.chain.listenerCount
    const id = await node.rpc('eth_newFilter', {})
    expect(await node.rpc('eth_uninstallFilter', id)).toBe(true)
    expect(await node.rpc('eth_uninstallFilter', id)).toBe(false)
    expect(node.chain.listenerCount).toBe(before)
    expect(await errorOf(changes(id))).toMatchObject(NOT_FOUND)
  })

  test('when nobody asks for five minutes, then it is gone', async () => {
    const before = node.chain.listenerCount
    const [asked, forgotten] = [
      await node.rpc('eth_newBlockFilter'),
      await node.rpc('eth_newBlockFilter'),
    ]
    await clock.advance(FILTER_LIFETIME - 1)
    await changes(asked)
    await clock.advance(1)
    await node.chain.mine()
    expect(await changes(asked)).toHaveLength(1)
    expect(await errorOf(changes(forgotten))).toMatchObject(NOT_FOUND)
    expect(node.chain.listenerCount).toBe(before + 1)
  })

  test('when it is not of logs, then there are no logs to ask for', async () => {
    const id = await node.rpc('eth_newBlockFilter')
    expect(await errorOf(node.rpc('eth_getFilterLogs', id))).toMatchObject(NOT_FOUND)
  })

  test.each([
    ['eth_newFilter', [{ topic: [] }]],
    ['eth_newFilter', []],
    ['eth_getFilterChanges', ['latest']],
    ['eth_newPendingTransactionFilter', ['yes']],
  ])('when %s is called with %j, then it is -32602', async (method, params) => {
    expect(await errorOf(node.rpc(method, ...params))).toMatchObject({ code: -32602 })
  })
})

describe('given a registry', () => {
  const idle = () => () => {}

  test('when too many filters are installed, then one more is -32005 until some expire', async () => {
    const clock = new VirtualClock()
    const registry = new FilterRegistry(clock)
    for (let count = 0; count < MAX_FILTERS; count++) registry.install(idle)
    expect(() => registry.install(idle)).toThrow('too many filters')
    await clock.advance(FILTER_LIFETIME)
    expect(registry.install(idle)).toBe('0x3e9')
  })

  test('when a client falls too far behind, then its filter is gone', () => {
    const registry = new FilterRegistry(new VirtualClock())
    let push: (change: unknown) => void = () => {}
    let isStopped = false
    const id = registry.install((to) => {
      push = to
      return () => {
        isStopped = true
      }
    })
    for (let count = 0; count < MAX_CHANGES; count++) push(count)
    expect(isStopped).toBe(false)
    push('one more')
    expect(isStopped).toBe(true)
    expect(() => registry.takeChanges(id)).toThrow('filter not found')
  })
})
