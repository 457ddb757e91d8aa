import { expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { ExchangeRecorder, lastOf } from './exchange-recorder.ts'

test('given a long case, then all of its exchanges are kept for when it fails, and the last for when not', () => {
  const recorder = new ExchangeRecorder(systemClock)
  for (let index = 0; index < 300; index += 1) {
    recorder.begin('http', 'http://node', String(index))('answer', 200)
  }
  expect(recorder.exchanges.length + recorder.dropped).toBe(300)
  expect(recorder.dropped).toBe(0)
  const { kept, left } = lastOf(recorder.exchanges)
  expect(kept.length + left).toBe(300)
  expect(kept.at(-1)?.request).toBe('299')
  expect(left).toBe(260)
})
