import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { OpenWork } from './open-work.ts'

/** Tells whether a promise has resolved by now. */
function watch(promise: Promise<unknown>) {
  const seen = { isOver: false }
  promise.then(() => {
    seen.isOver = true
  })
  return seen
}

/** Lets everything go on that waits for nothing but a turn. */
async function turns() {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const enclave = {}

describe('given work of several parts', () => {
  test('when one of them is still at it, then nothing has settled', async () => {
    const work = new OpenWork(new VirtualClock())
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = work.during(promise, enclave)
    const settling = work.settled()
    const seen = watch(settling)
    await turns()
    expect(seen.isOver).toBe(false)
    resolve('done')
    await settling
    expect(await answer).toBe('done')
  })

  test('when the end of one begins another, then that is waited for too', async () => {
    const work = new OpenWork(new VirtualClock())
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    void work.during(first.promise, enclave).then(() => work.during(second.promise, {}))
    const settling = work.settled()
    const seen = watch(settling)
    first.resolve()
    await turns()
    expect(seen.isOver).toBe(false)
    second.resolve()
    await settling
  })

  test('when a request fails, then its caller hears of it and the rest settles', async () => {
    const work = new OpenWork(new VirtualClock())
    const client = work.client({ request: () => Promise.reject(new Error('no answer')) })
    await expect(client.request('eth_chainId', [])).rejects.toThrow('no answer')
    await work.settled()
  })

  test('when a part is asked whether it is idle, then it is waited for until it is', async () => {
    const work = new OpenWork(new VirtualClock())
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    work.include(() => {
      asked += 1
      return promise
    })
    const settling = work.settled()
    const seen = watch(settling)
    await turns()
    expect([seen.isOver, asked]).toEqual([false, 1])
    resolve()
    await settling
  })
})

describe('given somebody who does not answer', () => {
  test('when the machine was patient for 5 s, then time goes on without him, also the next time', async () => {
    const machine = new VirtualClock()
    const work = new OpenWork(machine)
    void work.during(new Promise(() => {}), enclave)
    const settling = work.settled()
    const seen = watch(settling)
    await turns()
    await machine.advance(4_999)
    expect(seen.isOver).toBe(false)
    await machine.advance(1)
    await settling
    void work.during(new Promise(() => {}), enclave)
    await work.settled()
  })

  test('when he answers again, then he is waited for again', async () => {
    const machine = new VirtualClock()
    const work = new OpenWork(machine)
    const { promise, resolve } = Promise.withResolvers<void>()
    void work.during(promise, enclave)
    const settling = work.settled()
    await turns()
    await machine.advance(5_000)
    await settling
    resolve()
    await promise
    void work.during(new Promise(() => {}), enclave)
    const seen = watch(work.settled())
    await turns()
    expect(seen.isOver).toBe(false)
  })
})
