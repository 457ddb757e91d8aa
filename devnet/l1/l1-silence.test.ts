import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { L1Silence } from './l1-silence.ts'

/** Who watches for ten seconds, and what they were told. */
function start(clock = new VirtualClock(0)) {
  const silence = new L1Silence(clock, 10_000)
  const errors: string[] = []
  silence.watch(({ message }) => errors.push(message))
  return { clock, silence, errors }
}

test('given an L1 that says nothing, then that is known after the limit, once', async () => {
  const { clock, errors } = start()
  await clock.advance(9_999)
  expect(errors).toEqual([])
  await clock.advance(1)
  expect(errors).toEqual(['anvil has said nothing for 10 s.'])
  await clock.advance(60_000)
  expect(errors).toHaveLength(1)
})

test('given a word in the middle of a second, then the limit begins anew with it', async () => {
  const { clock, silence, errors } = start()
  await clock.advance(9_400)
  silence.heard()
  await clock.advance(9_999)
  expect(errors).toEqual([])
  await clock.advance(1)
  expect(errors).toHaveLength(1)
})

test('given somebody who is kept from looking for a minute, then that is no silence', async () => {
  const looks: (() => void)[] = []
  let now = 0
  const silence = new L1Silence(
    {
      now: () => now,
      after(_delay, look) {
        looks.push(look)
        return { cancel() {} }
      },
    },
    10_000,
  )
  const errors: Error[] = []
  silence.watch((error) => errors.push(error))
  now += 60_000
  looks.shift()!()
  expect(errors).toEqual([])
  // What came meanwhile is read before the next look.
  silence.heard()
  for (let look = 0; look < 9; look++) {
    now += 1_000
    looks.shift()!()
  }
  expect(errors).toEqual([])
})
