import { describe, expect, it } from 'vitest'
import { ProofQueue } from './proof-queue.ts'

const never = new AbortController().signal

function deferred() {
  let finish!: () => void
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { work: () => work, finish }
}

describe('ProofQueue (OPEN-91)', () => {
  it('given work that runs, when more is asked for, then it begins after the first, in order', async () => {
    const queue = new ProofQueue()
    const first = deferred()
    const begun: number[] = []
    const runs = [
      queue.run(first.work, never),
      queue.run(async () => void begun.push(2), never),
      queue.run(async () => void begun.push(3), never),
    ]
    await Promise.resolve()
    expect(begun).toEqual([])
    first.finish()
    await Promise.all(runs)
    expect(begun).toEqual([2, 3])
  })

  it('given work that fails, when more waits, then the next begins all the same', async () => {
    const queue = new ProofQueue()
    const failed = queue.run(() => Promise.reject(new Error('no')), never)
    const next = queue.run(async () => 'done', never)
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('done')
  })

  it('given eight waiting, when a ninth comes, then -32002 enclave busy', async () => {
    const queue = new ProofQueue()
    const first = deferred()
    const runs = Array.from({ length: 9 }, () => queue.run(first.work, never))
    await expect(queue.run(first.work, never)).rejects.toMatchObject({
      rpcCode: -32002,
      message: expect.stringContaining('enclave busy'),
    })
    first.finish()
    await Promise.all(runs)
  })

  it('given one that waits, when it is aborted, then it leaves the queue and never runs', async () => {
    const queue = new ProofQueue()
    const first = deferred()
    const abort = new AbortController()
    const running = queue.run(first.work, never)
    let ran = false
    const waiting = queue.run(async () => {
      ran = true
    }, abort.signal)
    abort.abort(new Error('caller left'))
    await expect(waiting).rejects.toThrow('caller left')
    first.finish()
    await running
    await queue.run(async () => undefined, never)
    expect(ran).toBe(false)
  })

  it('given a signal that is aborted already, when it would wait, then it is refused', async () => {
    const queue = new ProofQueue()
    const first = deferred()
    const running = queue.run(first.work, never)
    await expect(
      queue.run(first.work, AbortSignal.abort(new Error('caller left'))),
    ).rejects.toThrow('caller left')
    first.finish()
    await running
  })
})
