import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { EventRecorder } from './event-recorder.ts'
import { FaultEngine } from './fault-engine.ts'
import { parseFaultPlan } from './fault-plan.ts'
import { ToxicLink } from './toxic-link.ts'

function scene() {
  const clock = new VirtualClock(1_700_000_000_000)
  const recorder = new EventRecorder({ clock })
  const engine = new FaultEngine({ clock, recorder })
  engine.register('link:host-l1', new ToxicLink({ clock, rng: seededRng(1) }).effects)
  engine.register('process:l1', { kill: () => undefined })
  const recorded = () =>
    recorder.events.map(({ t, who, what, data }) =>
      `${t} ${who} ${what} ${data.fault ?? ''}`.trim(),
    )
  return { clock, recorder, engine, recorded }
}

test('given a plan, then each fault comes and goes in time, and the rest ends with the plan', async () => {
  const { clock, engine, recorded } = scene()
  const plan = parseFaultPlan({
    duration: 1_000,
    faults: [
      { at: 100, until: 300, target: 'link:host-l1', fault: 'down' },
      { at: 200, target: 'link:host-l1', fault: 'latency' },
      { at: 250, target: 'process:l1', fault: 'kill' },
      { at: 5_000, target: 'process:l1', fault: 'kill' },
    ],
  })
  const { done } = engine.play(plan)
  await clock.advance(10_000)
  await done
  expect(recorded()).toEqual([
    '100 link:host-l1 fault.on down',
    '200 link:host-l1 fault.on latency',
    '250 process:l1 fault.on kill',
    '250 process:l1 fault.off kill',
    '300 link:host-l1 fault.off down',
    '1000 link:host-l1 fault.off latency',
  ])
  expect(clock.nextAlarm()).toBeUndefined()
})

test('given a fault that waits for an event, then it begins with the first of them', async () => {
  const { clock, engine, recorder, recorded } = scene()
  const plan = parseFaultPlan({
    duration: 1_000,
    faults: [{ when: 'enclave.16 proving', at: 5, target: 'process:l1', fault: 'kill' }],
  })
  const { done } = engine.play(plan)
  await clock.advance(50)
  recorder.record('enclave.17', 'proving')
  await clock.advance(50)
  recorder.record('enclave.16', 'proving')
  recorder.record('enclave.16', 'proving')
  await clock.advance(1_000)
  await done
  expect(recorded().filter((line) => line.includes('fault'))).toEqual([
    '105 process:l1 fault.on kill',
    '105 process:l1 fault.off kill',
  ])
})

test('given a plan under way, when the engine stops, then its faults end and nothing of it comes later', async () => {
  const { clock, engine, recorder, recorded } = scene()
  const plan = parseFaultPlan({
    duration: 30_000,
    faults: [
      { at: 100, until: 9_000, target: 'link:host-l1', fault: 'latency' },
      { at: 2_000, target: 'link:host-l1', fault: 'down' },
      { when: 'enclave.16 proving', target: 'process:l1', fault: 'kill' },
    ],
  })
  const { done } = engine.play(plan)
  await clock.advance(200)
  await engine.stop()
  await done
  recorder.record('enclave.16', 'proving')
  // No timer is left that would keep the process.
  expect(clock.nextAlarm()).toBeUndefined()
  expect(engine.list()).toEqual([])
  expect(recorded().filter((line) => line.includes('fault'))).toEqual([
    '100 link:host-l1 fault.on latency',
    '200 link:host-l1 fault.off latency',
  ])
})

test('given faults by hand, then they are listed until cleared', async () => {
  const { engine } = scene()
  const { id } = await engine.inject('link:host-l1', 'latency', { latency: 5 })
  await engine.inject('link:host-l1', 'down')
  expect(engine.list()).toMatchObject([
    { id, fault: 'latency', with: { latency: 5, jitter: 0, direction: 'both', toxicity: 1 } },
    { fault: 'down' },
  ])
  expect(await engine.clear(id)).toBe(1)
  expect(await engine.clear(id)).toBe(0)
  expect(await engine.clear()).toBe(1)
  expect(engine.list()).toEqual([])
})

test('given a fault that cannot be taken back, when all are cleared, then the others end, and its failure is told', async () => {
  const { engine, recorded } = scene()
  engine.register('chain:l1', {
    gas_spike: async () => () => {
      throw new Error('L1 is gone')
    },
  })
  await engine.inject('chain:l1', 'gas_spike')
  await engine.inject('link:host-l1', 'down')
  await expect(engine.clear()).rejects.toThrow('L1 is gone')
  expect(engine.list()).toEqual([])
  expect(recorded().filter((line) => line.includes('fault.off'))).toEqual([
    '0 chain:l1 fault.off gas_spike',
    '0 link:host-l1 fault.off down',
  ])
})

test.each([
  ['link:moon', 'down', {}, 'TARGET_UNKNOWN', 'no target of faults'],
  ['link:host-l2', 'down', {}, 'TARGET_UNKNOWN', 'Nothing here answers'],
  ['process:l1', 'stop', {}, 'FAULT_UNKNOWN', "'stop' cannot be done to process:l1"],
  ['link:host-l1', 'latency', { latency: 'x' }, 'FAULT_INVALID', 'latency'],
])('given %s %s %j, then %s', async (target, fault, parameters, code, words) => {
  const { engine } = scene()
  await expect(engine.inject(target, fault, parameters)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  })
  expect(engine.list()).toEqual([])
})

test('given more events than are kept, then the log says how many are missing', () => {
  const recorder = new EventRecorder({ clock: new VirtualClock(0), limit: 2 })
  for (let number = 0; number < 5; number++) recorder.record('node', 'sealed', { number: 1n })
  const lines = recorder
    .toNdjson()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    { t: 0, who: 'node', what: 'sealed', data: { number: '1' } },
    { t: 0, who: 'node', what: 'sealed', data: { number: '1' } },
    { t: 0, who: 'log', what: 'cut', data: { dropped: 3 } },
  ])
})
