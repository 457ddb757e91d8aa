import { expect, test } from 'vitest'
import { AnswerGate } from './answer-gate.ts'

/** Work that ends when the test says so. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return {
    run: () => promise,
    end: () => resolve('done'),
    fail: () => reject(new Error('no room')),
  }
}

/** Whether answers may go, as soon as all that can settle without new events has settled. */
async function isOpen(gate: AnswerGate): Promise<boolean> {
  let opened = false
  void gate.open().then(() => {
    opened = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return opened
}

test('given a gate, when nothing is under way, then answers go at once', async () => {
  expect(await isOpen(new AnswerGate())).toBe(true)
})

test('given two works at once, when one of them ends, then answers wait for the other', async () => {
  const gate = new AnswerGate()
  const [first, second] = [work(), work()]
  const done = [gate.during(first.run), gate.during(second.run)]
  expect(await isOpen(gate)).toBe(false)
  first.end()
  expect(await done[0]).toBe('done')
  expect(await isOpen(gate)).toBe(false)
  second.end()
  await done[1]
  expect(await isOpen(gate)).toBe(true)
})

test('given work that fails, then its caller hears of it and answers go', async () => {
  const gate = new AnswerGate()
  const failing = work()
  const done = gate.during(failing.run)
  failing.fail()
  await expect(done).rejects.toThrow('no room')
  expect(await isOpen(gate)).toBe(true)
})

test('given an answer that waits, when new work begins in the moment that the old one ends, then the answer waits for the new one, too', async () => {
  const gate = new AnswerGate()
  const [first, next] = [work(), work()]
  let answered = false
  const began = gate.during(first.run)
  const waiting = gate.open().then(() => {
    answered = true
  })
  // Heard after the gate has opened, and before anybody who waits at it goes on.
  const followed = first.run().then(() => gate.during(next.run))
  first.end()
  await began
  await new Promise((resolve) => setImmediate(resolve))
  expect(answered).toBe(false)
  next.end()
  await Promise.all([waiting, followed])
  expect(answered).toBe(true)
})
