import { setImmediate as turnEnds } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { CorkedWrites } from './corked-writes.ts'

function corked() {
  const clock = new VirtualClock(0)
  const writes = new CorkedWrites(clock)
  const written: string[] = []
  return {
    clock,
    written,
    add: (name: string, asked: number) => writes.add(() => void written.push(name), asked),
  }
}

test('given answers of one turn, then none is written before it ends, and then all are, in their order', async () => {
  const { add, written } = corked()
  add('first', 0)
  add('second', 0)
  expect(written).toEqual([])
  await turnEnds()
  expect(written).toEqual(['first', 'second'])
  add('third', 0)
  expect(written).toHaveLength(2)
  await turnEnds()
  expect(written).toEqual(['first', 'second', 'third'])
})

test('given one that took long, then it goes at once, and those that wait go before it', async () => {
  const { add, clock, written } = corked()
  add('short', 0)
  await clock.advance(1)
  add('long', 0)
  expect(written).toEqual(['short', 'long'])
  add('next', 1)
  expect(written).toHaveLength(2)
  await turnEnds()
  expect(written).toEqual(['short', 'long', 'next'])
})

test('given a write that answers what its caller sent ahead, then that waits for the turn after', async () => {
  const clock = new VirtualClock(0)
  const writes = new CorkedWrites(clock)
  const written: string[] = []
  writes.add(() => {
    written.push('first')
    writes.add(() => void written.push('ahead'), 0)
  }, 0)
  await turnEnds()
  expect(written).toEqual(['first'])
  await turnEnds()
  expect(written).toEqual(['first', 'ahead'])
})
