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

test('given a case that waits by one question, then what it asked before is kept, and the last of the answers', () => {
  const recorder = new ExchangeRecorder(systemClock)
  const ask = (request: string, response: string) =>
    recorder.begin('http', 'http://node', request)(response, 200)
  ask('{"id":1,"method":"prover_prove"}', 'a proof')
  for (let id = 2; id < 100; id += 1) ask(`{"id":${id},"method":"eth_blockNumber"}`, String(id))
  const { kept, left } = lastOf(recorder.exchanges)
  expect(kept.map(({ response }) => response)).toEqual(['a proof', '99'])
  expect(left).toBe(97)
})
