import { expect, test } from 'vitest'
import { EventRecorder } from '#devnet/faults/event-recorder'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { GarbledLinks } from './garbled-links.ts'

test('given a line that turns bytes over for a time, then what overlaps with it is touched, and nothing else', async () => {
  const clock = new VirtualClock()
  const recorder = new EventRecorder({ clock })
  const garbled = new GarbledLinks(recorder)
  const touched = (since: number) => garbled.touched('link:client-api', since)

  await clock.advance(100)
  expect(touched(0)).toBe(false)
  recorder.record('link:client-api', 'fault.on', { id: 1, fault: 'corrupt' })
  recorder.record('link:client-api', 'fault.on', { id: 2, fault: 'latency' })
  expect(touched(100)).toBe(true)
  expect(garbled.touched('link:client-l2', 100)).toBe(false)

  await clock.advance(100)
  recorder.record('link:client-api', 'fault.off', { id: 1, fault: 'corrupt' })
  expect([touched(150), touched(200), touched(201)]).toEqual([true, true, false])
})
