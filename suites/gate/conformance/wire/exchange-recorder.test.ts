import { describe, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
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

describe('given a target whose answers take ten seconds each', () => {
  async function ask(times: number, { pause, answer }: { pause: number; answer: string | null }) {
    const clock = new VirtualClock(0)
    const recorder = new ExchangeRecorder(clock)
    for (let time = 0; time < times; time += 1) {
      const end = recorder.begin('http', 'http://node', String(time))
      await clock.advance(10_000)
      end(answer, 200)
      await clock.advance(pause)
    }
    return { clock, recorder }
  }

  test('when they come one after the other, then it is answered, though slowly', async () => {
    const { recorder } = await ask(4, { pause: 0, answer: '{}' })
    expect(recorder.isAnswered(40_000)).toBe(true)
  })

  test('when the next one does not come, then it is not', async () => {
    const { clock, recorder } = await ask(4, { pause: 0, answer: '{}' })
    recorder.begin('http', 'http://node', 'last')
    await clock.advance(14_999)
    expect(recorder.isAnswered(55_000)).toBe(true)
    await clock.advance(1)
    expect(recorder.isAnswered(55_000)).toBe(false)
  })

  test('when who asks mostly waits for something else, then it is not', async () => {
    const { recorder } = await ask(4, { pause: 11_000, answer: '{}' })
    expect(recorder.isAnswered(84_000)).toBe(false)
  })

  test('when lines break instead, then it is not', async () => {
    const { recorder } = await ask(4, { pause: 0, answer: null })
    expect(recorder.isAnswered(40_000)).toBe(false)
  })
})
