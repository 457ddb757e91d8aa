import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Job } from './call-jobs.ts'
import { type PoolThread, WorkerPool } from './worker-pool.ts'

const never = new AbortController().signal
const job = (name: string) => ({ kind: 'call', request: name }) as unknown as Job

/** Threads whose jobs end when the test says so. */
function createPool(options: { size?: number; maxWaiting?: number; broken?: boolean } = {}) {
  const { size = 2, maxWaiting = 100, broken = false } = options
  const clock = new VirtualClock()
  /** Jobs that run now, by name, in the order in which they began. */
  const running = new Map<string, { finish(result: unknown): void; crash(): void }>()
  let started = 0
  let ended = 0
  const awaited: boolean[] = []
  const createThread = (isAwaited: boolean): PoolThread => {
    started++
    awaited.push(isAwaited)
    const death = Promise.withResolvers<Error>()
    const names = new Set<string>()
    if (broken) death.resolve(new Error('cannot start'))
    return {
      ready: broken ? new Promise(() => {}) : Promise.resolve(),
      ended: death.promise,
      run({ request }) {
        const name = request as unknown as string
        names.add(name)
        return new Promise((resolve) => {
          const endWith = (settle: () => void) => {
            running.delete(name)
            settle()
          }
          running.set(name, {
            finish: (result) => endWith(() => resolve(result)),
            crash: () => endWith(() => death.resolve(new Error('out of memory'))),
          })
        })
      },
      async stop() {
        ended++
        for (const name of names) running.delete(name)
      },
    }
  }
  const pool = new WorkerPool({ createThread, clock, size, maxWaiting })
  return {
    pool,
    clock,
    running,
    threads: () => started - ended,
    started: () => started,
    awaited: () => awaited,
    run: (name: string, signal = never) => pool.run(job(name), 5_000, signal),
    names: () => [...running.keys()],
  }
}

test('given nothing to run, then no thread starts before it is asked to warm up', () => {
  const { pool, threads } = createPool()
  expect(threads()).toBe(0)
  pool.warm()
  pool.warm()
  expect(threads()).toBe(1)
})

test('given a thread that can run and has nothing to do, then the pool is idle, and not before or meanwhile', async () => {
  const { pool, run, running } = createPool()
  pool.warm()
  expect(pool.isIdle).toBe(false)
  await pool.ready()
  expect(pool.isIdle).toBe(true)
  const answer = run('first')
  expect(pool.isIdle).toBe(false)
  running.get('first')!.finish('done')
  await answer
  expect(pool.isIdle).toBe(true)
})

test('given no thread yet, when it is asked to be ready, then one starts, and it is once that can run', async () => {
  const { pool, threads, clock } = createPool()
  await pool.ready()
  await clock.advance(0)
  await pool.ready()
  expect(threads()).toBe(1)
})

test('given threads that have nothing to do, then all but one end after a minute, and that one after ten', async () => {
  const { run, running, threads, clock } = createPool()
  const done = async (name: string, job: Promise<unknown>) => {
    await clock.advance(0)
    running.get(name)!.finish(name)
    expect(await job).toBe(name)
  }
  const [first, second] = [run('first'), run('second')]
  await done('first', first)
  await done('second', second)
  await clock.advance(59_999)
  expect(threads()).toBe(2)
  // One of them has something to do just then.
  const third = run('third')
  await clock.advance(1)
  expect(threads()).toBe(1)
  await done('third', third)
  await clock.advance(599_999)
  expect(threads()).toBe(1)
  await clock.advance(1)
  expect(threads()).toBe(0)
  await done('fourth', run('fourth'))
  expect(threads()).toBe(1)
})

test('given a thread that is started, then it is told whether it is the only one that can run what comes', async () => {
  const { pool, run, clock, awaited } = createPool()
  const killed = Promise.allSettled([run('first'), run('second')])
  await clock.advance(0)
  expect(awaited()).toEqual([true, false])
  pool.kill()
  await killed
  void run('third')
  expect(awaited()).toEqual([true, false, true])
})

test('given threads that cannot start, when it is asked to be ready, then nobody waits for ever', async () => {
  const { pool, run } = createPool({ broken: true })
  await pool.ready()
  await expect(run('a')).rejects.toThrow('cannot start')
})

test('given more jobs than threads, then they run in order as threads fall free', async () => {
  const { run, running, clock, names } = createPool()
  const results = ['a', 'b', 'c'].map((name) => run(name))
  await clock.advance(0)
  expect(names()).toEqual(['a', 'b'])
  running.get('a')!.finish('A')
  await clock.advance(0)
  expect(names()).toEqual(['b', 'c'])
  running.get('b')!.finish('B')
  running.get('c')!.finish('C')
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C'])
})

test('given long jobs on all threads, when a short one comes, then the youngest makes way and starts again later', async () => {
  const { run, running, clock, names, threads } = createPool()
  const oldest = run('long 1')
  await clock.advance(50)
  const youngest = run('long 2')
  await clock.advance(300)
  expect(names()).toEqual(['long 1', 'long 2'])
  const short = run('short')
  await clock.advance(0)
  expect(names()).toEqual(['long 1', 'short'])
  running.get('short')!.finish('S')
  expect(await short).toBe('S')
  await clock.advance(1_000)
  // The free thread stays free for what may come.
  expect(names()).toEqual(['long 1'])
  running.get('long 1')!.finish('L')
  await clock.advance(0)
  expect(names()).toEqual(['long 2'])
  running.get('long 2')!.finish('M')
  expect(await Promise.all([oldest, youngest])).toEqual(['L', 'M'])
  expect(threads()).toBe(2)
})

test('given a job beyond its time, then it is -32016 and a new thread takes over', async () => {
  const { run, clock, names, started } = createPool({ size: 1 })
  const late = run('late').catch((error) => error)
  await clock.advance(4_999)
  expect(names()).toEqual(['late'])
  void run('next')
  await clock.advance(1)
  expect(await late).toMatchObject({ rpcCode: -32016 })
  expect([names(), started()]).toEqual([['next'], 2])
})

test('given a caller that leaves, then a waiting job never runs and a running one soon stops', async () => {
  const { run, clock, names, started } = createPool({ size: 1 })
  const [first, second] = [new AbortController(), new AbortController()]
  const abandoned = [run('first', first.signal), run('second', second.signal)].map((work) =>
    work.catch((error) => error.message),
  )
  await clock.advance(0)
  first.abort(new Error('gone'))
  second.abort(new Error('gone, too'))
  expect(await Promise.all(abandoned)).toEqual(['gone', 'gone, too'])
  expect(names()).toEqual(['first'])
  await clock.advance(200)
  expect([names(), started()]).toEqual([[], 2])
})

test('given a long job whose caller has left, when it makes way for a short one, then it never starts again', async () => {
  const { run, running, clock, names } = createPool()
  void run('long 1')
  await clock.advance(50)
  const caller = new AbortController()
  const abandoned = run('long 2', caller.signal).catch((error) => error.message)
  await clock.advance(300)
  caller.abort(new Error('gone'))
  expect(await abandoned).toBe('gone')
  void run('short')
  await clock.advance(0)
  expect(names()).toEqual(['long 1', 'short'])
  for (const name of ['long 1', 'short']) running.get(name)!.finish('done')
  await clock.advance(0)
  expect(names()).toEqual([])
})

test('given a thread that dies of its job, then the job fails and the others go on', async () => {
  const { run, running, clock, names } = createPool({ size: 1 })
  const fatal = run('fatal').catch((error) => error.message)
  const next = run('next')
  await clock.advance(0)
  running.get('fatal')!.crash()
  expect(await fatal).toBe('out of memory')
  await clock.advance(0)
  expect(names()).toEqual(['next'])
  running.get('next')!.finish(1)
  expect(await next).toBe(1)
})

test('given threads that cannot start, then jobs fail instead of waiting for ever', async () => {
  const { run } = createPool({ broken: true })
  await expect(run('any')).rejects.toThrow('cannot start')
})

test('given too many waiting jobs, then one more is -32005', async () => {
  const { run, clock } = createPool({ size: 1, maxWaiting: 1 })
  void run('a')
  await clock.advance(0)
  void run('b')
  await expect(run('c')).rejects.toMatchObject({ rpcCode: -32005 })
})

test('given it is stopped, then all jobs fail and all threads end', async () => {
  const { pool, run, clock, threads } = createPool({ size: 1 })
  const jobs = ['runs', 'waits'].map((name) => run(name).catch((error) => error.rpcCode))
  await clock.advance(0)
  await pool.stop()
  expect(await Promise.all(jobs)).toEqual([-32603, -32603])
  expect(threads()).toBe(0)
  await expect(run('later')).rejects.toMatchObject({ rpcCode: -32603 })
})

test('given many jobs of one caller, when another comes, then its job is the next to begin', async () => {
  const { run, running, clock, names } = createPool({ size: 1 })
  const greedy = new AbortController().signal
  const modest = new AbortController().signal
  const all = Array.from({ length: 50 }, (_, index) => run(`greedy ${index}`, greedy))
  await clock.advance(0)
  all.push(run('modest', modest))
  running.get('greedy 0')!.finish(0)
  await clock.advance(0)
  expect(names()).toEqual(['modest'])
  running.get('modest')!.finish(0)
  for (let index = 1; index < 50; index++) {
    await clock.advance(0)
    expect(names()).toEqual([`greedy ${index}`])
    running.get(`greedy ${index}`)!.finish(0)
  }
  await Promise.all(all)
})

test('given no room for more jobs, then the caller with most of them makes room, and is told', async () => {
  const { run, clock, running, names } = createPool({ size: 1, maxWaiting: 4 })
  const greedy = new AbortController().signal
  const modest = new AbortController().signal
  const first = run('runs', greedy)
  const waiting = ['a', 'b', 'c', 'd'].map((name) => run(name, greedy))
  const outcomes = Promise.allSettled(waiting)
  await expect(run('e', greedy)).rejects.toMatchObject({ rpcCode: -32005 })
  await clock.advance(0)
  const other = run('modest', modest)
  running.get('runs')!.finish(0)
  await clock.advance(0)
  expect(names()).toEqual(['modest'])
  running.get('modest')!.finish('M')
  expect(await other).toBe('M')
  for (const name of ['a', 'b', 'c']) {
    await clock.advance(0)
    running.get(name)!.finish(0)
  }
  await first
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
})

test('given a caller whose many calls do not end, then another that was cut short is not passed by them for ever', async () => {
  const { pool, run, clock, names } = createPool({ size: 2, maxWaiting: 1_000 })
  const greedy = new AbortController().signal
  const modest = new AbortController().signal
  const outcomes = Array.from({ length: 200 }, (_, index) => run(`greedy ${index}`, greedy))
  await clock.advance(1_000)
  outcomes.push(run('modest', modest))
  const settled = Promise.allSettled(outcomes)
  let share = 0
  // It takes 300 ms itself, longer than a slice.
  for (let step = 0; step < 40 && share < 6; step++) {
    await clock.advance(50)
    share = names().includes('modest') ? share + 1 : 0
  }
  expect(share).toBe(6)
  await pool.stop()
  await settled
})
