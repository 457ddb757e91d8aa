import { expect, it } from 'vitest'
import { EventEmitter } from './event-emitter.ts'

it('given a listener that fails, when an event is emitted, then the others get it and the failure is told', () => {
  const failures: unknown[] = []
  const heard: number[] = []
  const events = new EventEmitter<{ tick: number }>((error) => failures.push(error))
  const broken = new Error('broken')
  events.on('tick', () => {
    throw broken
  })
  events.on('tick', (value) => heard.push(value))
  events.emit('tick', 7)
  expect([heard, failures]).toEqual([[7], [broken]])
})

it('given one function subscribed twice, when one subscription ends, then the other goes on', () => {
  const heard: number[] = []
  const events = new EventEmitter<{ tick: number }>(() => {})
  const listener = (value: number) => heard.push(value)
  const end = events.on('tick', listener)
  events.on('tick', listener)
  end()
  events.emit('tick', 1)
  expect(heard).toEqual([1])
})
