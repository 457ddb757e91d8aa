import { expect, test } from 'vitest'
import { UnsentBytes } from './unsent-bytes.ts'

test('given callers at the limit of all together, then the greediest is cut off, and only that', () => {
  const cutOff: string[] = []
  const unsent = new UnsentBytes(100)
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

test('given what was sent, or waited for a caller that left, then it is free again', () => {
  const cutOff: string[] = []
  const unsent = new UnsentBytes(100)
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
