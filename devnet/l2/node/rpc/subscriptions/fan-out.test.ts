import { expect, test } from 'vitest'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import type { ChainView } from '../../chain-view.ts'
import { FanOut } from './fan-out.ts'

/** Time passes only where a listener takes some: three milliseconds of a slice of ten. */
function scene(maxDue?: number) {
  const world = { now: 0, heard: [] as string[], cutOff: [] as string[] }
  const clock: Clock = { now: () => world.now, after: systemClock.after.bind(systemClock) }
  const fanOut = new FanOut(clock, maxDue)
  const listeners = new Set<(value: never) => void>()
  const on: ChainView['on'] = (_event, listener) => {
    listeners.add(listener as (value: never) => void)
    return () => listeners.delete(listener as (value: never) => void)
  }
  const connect = (name: string): RpcConnection => ({
    notify: () => {},
    onClose: () => {},
    cutOff: (reason) => world.cutOff.push(`${name}: ${reason}`),
  })
  const listen = (to: RpcConnection, name: string) =>
    fanOut.on({ on } as ChainView, to)('flashblock', (value) => {
      world.now += 3
      world.heard.push(`${name}${String(value)}`)
    })
  const fail = (to: RpcConnection) =>
    fanOut.on({ on } as ChainView, to)('flashblock', () => {
      throw new Error('a bug')
    })
  const emit = (value: string) => {
    for (const listener of listeners) listener(value as never)
  }
  return { world, connect, listen, emit, fail }
}
const turn = () => new Promise(setImmediate)

test('given few subscribers, then they are told at once', () => {
  const { world, connect, listen, emit } = scene()
  for (const name of ['a', 'b', 'c']) listen(connect(name), name)
  emit('1')
  expect(world.heard).toEqual(['a1', 'b1', 'c1'])
})

test('given many, when events come faster than they can be told, then others have their turn, and the order stays', async () => {
  const { world, connect, listen, emit } = scene()
  const names = Array.from('abcdefghij')
  for (const name of names) listen(connect(name), name)
  emit('1')
  expect(world.heard).toEqual(['a1', 'b1', 'c1', 'd1'])
  const stop = listen(connect('k'), 'k')
  emit('2')
  expect(world.heard).toHaveLength(4)
  stop()
  const wanted = ['1', '2'].flatMap((event) => names.map((name) => `${name}${event}`))
  const sizes: number[] = []
  while (world.heard.length < wanted.length) {
    const before = world.heard.length
    await turn()
    sizes.push(world.heard.length - before)
  }
  // Who unsubscribed meanwhile hears nothing.
  expect(world.heard).toEqual(wanted)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4)
})

test('given more than may be due, then the connection that most is due to is cut off alone', async () => {
  const { world, connect, listen, emit } = scene(6)
  const greedy = connect('greedy')
  listen(connect('modest'), 'm')
  for (const name of ['x', 'y', 'z']) listen(greedy, name)
  emit('1')
  emit('2')
  expect(world.cutOff).toEqual([])
  emit('3')
  expect(world.cutOff).toEqual(['greedy: Too much: 5 messages are due.'])
  while (world.heard.filter((heard) => heard.startsWith('m')).length < 3) await turn()
  expect(world.heard.filter((heard) => heard.startsWith('m'))).toEqual(['m1', 'm2', 'm3'])
})

test('given a subscriber that cannot be told, then its connection is cut off, at once as later, and the others hear all', async () => {
  const { world, connect, listen, emit, fail } = scene()
  listen(connect('first'), 'f')
  fail(connect('broken'))
  for (const name of 'abcd') listen(connect(name), name)
  fail(connect('broken later'))
  listen(connect('last'), 'l')
  emit('1')
  expect(world.cutOff).toEqual(['broken: Internal error'])
  while (world.heard.length < 6) await turn()
  expect(world.cutOff).toEqual(['broken: Internal error', 'broken later: Internal error'])
})
