import { expect, test } from 'vitest'
import { HeldBytes } from './held-bytes.ts'

test('given callers at the limit of all together, then the greediest is cut off, and only that', () => {
  const cutOff: string[] = []
  const unsent = new HeldBytes(100)
  const [modest, greedy, third] = ['modest', 'greedy', 'third'].map((name) =>
    unsent.open(() => cutOff.push(name)),
  )
  modest!.add(30)
  greedy!.add(60)
  third!.add(10)
  expect(cutOff).toEqual([])
  third!.add(1)
  expect(cutOff).toEqual(['greedy'])
  // What was its is free again, and it counts no more.
  greedy!.add(1_000)
  third!.add(59)
  expect(cutOff).toEqual(['greedy'])
})

test('given many callers with a long answer each, then fewer bytes may wait than for one', () => {
  const cutOff: number[] = []
  const unsent = new HeldBytes(100, 30)
  const long = unsent.open(() => cutOff.push(0))
  long.add(60)
  const others = [1, 2, 3, 4].map((name) => unsent.open(() => cutOff.push(name)))
  others[0]!.add(20)
  others[1]!.add(10)
  expect(cutOff).toEqual([])
  others[2]!.add(15)
  expect(cutOff).toEqual([0])
  // Now 20 is the most, and 25 wait beside it.
  others[3]!.add(6)
  expect(cutOff).toEqual([0, 1])
})

test('given what was sent, or waited for a caller that left, then it is free again', () => {
  const cutOff: string[] = []
  const unsent = new HeldBytes(100)
  const one = unsent.open(() => cutOff.push('one'))
  for (let answer = 0; answer < 50; answer++) {
    one.add(90)
    one.add(-90)
  }
  one.add(90)
  one.end()
  one.end()
  unsent.open(() => cutOff.push('two')).add(100)
  expect(cutOff).toEqual([])
})
