import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Block } from '#protocol/types/block'
import { EventEmitter } from '../node/chain/event-emitter.ts'
import type { ChainEvents } from '../node/chain-view.ts'
import { watchFreshBlock } from './watch-fresh-block.ts'

test('given a sealed block, when time passes, then it is fresh for as long as was said, and the next one anew', async () => {
  const clock = new VirtualClock(1_000)
  const events = new EventEmitter<ChainEvents>((error) => {
    throw error
  })
  const on = events.on.bind(events)
  const fresh = watchFreshBlock({ on }, clock, 500)
  expect(fresh.remaining()).toBe(0)
  events.emit('sealed', {} as Block)
  expect(fresh.remaining()).toBe(500)
  await clock.advance(400)
  expect(fresh.remaining()).toBe(100)
  events.emit('sealed', {} as Block)
  await clock.advance(499)
  expect(fresh.remaining()).toBe(1)
  await clock.advance(1)
  expect(fresh.remaining()).toBe(0)
  fresh.stop()
  events.emit('sealed', {} as Block)
  expect(fresh.remaining()).toBe(0)
})
