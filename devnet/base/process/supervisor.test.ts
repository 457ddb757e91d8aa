import { pino } from 'pino'
import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { needParts } from '../supervisor/need-parts.ts'
import { type RunningPart, Supervisor } from './supervisor.ts'

function scene() {
  const lines: string[] = []
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const clock = new VirtualClock(1_000_000)
  const supervisor = new Supervisor({ clock, logger })
  return { lines, clock, supervisor }
}

function part(pid = 1) {
  const { promise: exited, resolve: die } = Promise.withResolvers<string>()
  return { running: { pid, exited } satisfies RunningPart, die }
}

/** All that is due without time passing. */
const settled = () => new Promise(setImmediate)
const signal = new AbortController().signal

test('given a part that cannot come back, when it dies, then one line tells it, with code and what to do', async () => {
  const { lines, supervisor } = scene()
  const l1 = part(7)
  supervisor.watch({ part: 'L1', running: l1.running })
  l1.die('anvil ended with SIGKILL.')
  const lost = await supervisor.lost
  expect(lost.code).toBe('PART_LOST')
  expect(lost.message).toContain('L1 (process 7) is dead: anvil ended with SIGKILL.')
  expect(lost.hint).toMatch(/Start the devnet again/)
  expect(supervisor.health().dead).toEqual([
    { part: 'L1', problem: 'anvil ended with SIGKILL.', since: 1_000_000 },
  ])
  expect(lines).toEqual(['L1 (process 7) is dead: anvil ended with SIGKILL.'])
})

test('given a part that can come back, when it keeps dying, then it does after pauses that grow', async () => {
  const { clock, supervisor } = scene()
  let current = part()
  const starts: number[] = []
  const restart = async () => {
    starts.push(clock.now() - 1_000_000)
    current = part()
    return current.running
  }
  supervisor.watch({ part: 'enclave 16', running: current.running, restart })
  for (let death = 0; death < 7; death++) {
    current.die('it ended with SIGKILL.')
    await settled()
    expect(supervisor.deathOf('enclave 16')).toBeDefined()
    const before = starts.length
    while (starts.length === before) await clock.advance(500)
    await settled()
    expect(supervisor.health().dead).toEqual([])
  }
  const pauses = starts.map((at, index) => at - (starts[index - 1] ?? 0))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1000))

  // One that held for a minute begins anew.
  await clock.advance(60_000)
  const dies = clock.now()
  current.die('it ended with code 1.')
  await settled()
  await clock.advance(1_000)
  expect(starts.at(-1)).toBe(dies - 1_000_000 + 1_000)
})

test('given a start that fails, then it is tried again, and a devnet that stops is left alone', async () => {
  const { lines, clock, supervisor } = scene()
  const first = part()
  const restart = async () => {
    throw new Error('no memory')
  }
  supervisor.watch({ part: 'enclave 16', running: first.running, restart })
  first.die('it ended with SIGKILL.')
  await settled()
  await clock.advance(3_000)
  await settled()
  expect(lines.filter((line) => line.includes('did not start'))).toHaveLength(2)
  supervisor.stop()
  await clock.advance(100_000)
  expect(lines).toHaveLength(3)
  expect(supervisor.deathOf('enclave 16')).toBeDefined()
})

test('given a dead part, then a method that needs it fails with its name, at once and while it runs', async () => {
  const { supervisor } = scene()
  const l1 = part()
  const enclaves = [part(), part()]
  supervisor.watch({ part: 'L1', running: l1.running })
  const restart = () => new Promise<RunningPart>(() => {})
  enclaves.forEach(({ running }, index) => {
    supervisor.watch({ part: `enclave ${index}`, running, restart })
  })
  let given: AbortSignal | undefined
  const methods = needParts(
    {
      prove: (_params, context) => {
        given = context.signal
        return new Promise(() => {})
      },
      send: () => 'sent',
      read: () => 'read',
    },
    [
      { methods: /^prove$/, allOf: ['L1'], anyOf: ['enclave 0', 'enclave 1'] },
      { methods: /^send$/, allOf: ['L1'] },
    ],
    supervisor,
  )
  const ask = (name: string) => methods[name]!(undefined, { signal })
  const running = ask('prove')
  expect(ask('send')).toBe('sent')
  enclaves[0]!.die('it ended.')
  await settled()
  expect(given!.aborted).toBe(false)
  enclaves[1]!.die('it ended.')
  await expect(running).rejects.toMatchObject({
    rpcCode: -32000,
    message: expect.stringContaining('enclave 0 is dead'),
  })
  expect(given!.aborted).toBe(true)
  expect(() => ask('prove')).toThrow('enclave 0 is dead')
  expect(ask('send')).toBe('sent')
  l1.die('anvil ended with SIGKILL.')
  await settled()
  expect(() => ask('send')).toThrow('L1 is dead')
  expect(ask('read')).toBe('read')
})
