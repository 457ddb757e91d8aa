import type { FaultPlan, FaultPlanInput } from '#devnet/faults/fault-plan'
import type { LoggedEvent } from '../checkers/checker.ts'
import type { FaultTime } from '../checkers/fault-times.ts'
import { firstFast } from '../model/block-due.ts'
import { eventsOf } from '../model/events-of.ts'

type PlannedFaultInput = NonNullable<FaultPlanInput['faults']>[number]

/** What should happen in some run: a swarm that never meets it proves less than it seems to. */
export interface Sometimes {
  name: string
  isIn(events: readonly LoggedEvent[], faults: readonly FaultTime[]): boolean
  /** What makes it likelier; times are milliseconds from the moment at which faults begin. */
  likelier: { faults?: readonly PlannedFaultInput[]; load?: Partial<FaultPlan['load']> }
  /** It needs a chain that crosses to blocks of 200 ms. */
  isOfCrossing?: true
}

const CUT_OFF = 'link:host-registry'
const DERIVED_BY = 'link:safe-head-l1'

export const SOMETIMES: readonly Sometimes[] = [
  {
    name: 'a proof was made under fault',
    isIn: (events, faults) => someUnderFault(events, faults, 'proof.made'),
    likelier: { load: { proofs: 60 } },
  },
  {
    name: 'a proof was refused under fault',
    isIn: (events, faults) => someUnderFault(events, faults, 'proof.refused'),
    likelier: { load: { proofs: 60 } },
  },
  {
    name: 'L1 was reorganised while a proof ran',
    isIn: (events) => whileProving(events, ({ who, what }) => who === 'l1' && what === 'reorg'),
    likelier: {
      faults: [{ when: 'prover.client proof.asked', at: 20, target: 'chain:l1', fault: 'reorg' }],
      load: { proofs: 60 },
    },
  },
  {
    name: 'the registry fell silent while a proof ran',
    isIn: (events) =>
      whileProving(events, ({ what, data }) => what === 'fault.on' && data.fault === 'silent'),
    likelier: {
      faults: [
        {
          ...{ when: 'prover.client proof.asked', at: 10, until: 4_000 },
          ...{ target: 'registry:l1', fault: 'silent' },
        },
      ],
      load: { proofs: 60 },
    },
  },
  {
    name: 'an enclave died between comparing and signing',
    isIn: (events) =>
      events.some(({ who, what }, at) => {
        if (what !== 'compared') return false
        const next = events.slice(at + 1).find((each) => each.who === who)
        return next?.what === 'ended'
      }),
    likelier: {
      faults: [{ when: 'enclave.16 compared', at: 0, target: 'process:enclave.16', fault: 'kill' }],
      load: { proofs: 60 },
    },
  },
  {
    name: 'an enclave came back and proved with a new key',
    isIn(events) {
      const ended = events.findIndex(({ who, what }) => isEnclave(who) && what === 'ended')
      return ended >= 0 && events.slice(ended).some(({ what }) => what === 'proof.made')
    },
    likelier: {
      faults: [{ at: 0, target: 'process:enclave.16', fault: 'restart' }],
      load: { proofs: 60 },
    },
  },
  {
    name: 'a host was gone for the registrar while its enclave ran',
    isIn: (events, faults) =>
      events.some(({ what }) => what === 'booted') &&
      faults.some(
        ({ target, fault }) =>
          (target === 'link:actor-host' && fault === 'down') ||
          (target === 'process:host' && fault === 'slow_start'),
      ),
    likelier: {
      faults: [{ at: 0, until: 5_000, target: 'link:actor-host', fault: 'down' }],
    },
  },
  {
    name: 'a host began cut off from the registry',
    isIn: (events, faults) =>
      events.some(
        ({ t, who, what }) =>
          who === 'host' &&
          what === 'started' &&
          faults.some(({ target, from, to }) => target === CUT_OFF && from < t && t < to),
      ),
    likelier: {
      faults: [
        { at: 0, until: 8_000, target: CUT_OFF, fault: 'down' },
        { at: 500, target: 'process:host', fault: 'restart' },
      ],
    },
  },
  {
    name: 'an enclave came back with what nobody attests',
    isIn: (events, faults) =>
      events.some(
        ({ t, what }) =>
          what === 'booted' &&
          faults.some(({ fault, from, to }) => fault === 'foreign_root' && from <= t && t < to),
      ),
    likelier: {
      faults: [{ at: 0, until: 8_000, target: 'enclave:16', fault: 'foreign_root' }],
    },
  },
  {
    name: 'two faults were in force at once',
    isIn: (_, faults) =>
      faults.some((one, at) => faults.slice(at + 1).some(({ from }) => from < one.to)),
    likelier: {},
  },
  {
    name: 'a request failed and the next was answered',
    isIn(events) {
      const done = events.filter(({ what }) => what === 'request.done')
      const failed = done.findIndex(({ data }) => data.outcome !== 'answer')
      return failed >= 0 && done.slice(failed + 1).some(({ data }) => data.outcome === 'answer')
    },
    likelier: { faults: [{ at: 0, until: 1_000, target: 'link:client-l2', fault: 'down' }] },
  },
  {
    name: 'a wallet was registered twice at one moment',
    isIn(events) {
      const answered = events.filter(({ what }) => what === 'code.told')
      return answered.some(({ t, data }, at) => {
        const next = answered[at + 1]
        return next?.t === t && next.data.wallet === data.wallet
      })
    },
    likelier: {
      faults: [{ at: 0, until: 2_000, target: 'process:api', fault: 'stop' }],
      load: { registrations: 1_200 },
    },
  },
  {
    name: 'a code was asked for again after a crash',
    isIn(events) {
      const ended = events.findIndex(({ who, what }) => who === 'api' && what === 'ended')
      const walletsIn = (some: readonly LoggedEvent[]) =>
        some.filter(({ what }) => what === 'code.told').map(({ data }) => data.wallet)
      if (ended < 0) return false
      const before = new Set(walletsIn(events.slice(0, ended)))
      return walletsIn(events.slice(ended)).some((wallet) => before.has(wallet))
    },
    likelier: {
      faults: [{ at: 0, target: 'process:api', fault: 'kill' }],
      load: { registrations: 240 },
    },
  },
  {
    name: 'a registration was refused by its disk and asked for again',
    isIn(events, faults) {
      const isOnDisk = (t: number) =>
        faults.some(({ target, from, to }) => target === 'disk:api' && from <= t && t <= to)
      const asked = new Set<unknown>()
      const refused = events.findIndex(({ t, what, data }) => {
        if (what === 'request.sent' && data.to === 'api') asked.add(data.id)
        return (
          what === 'request.done' && data.outcome === 'error' && asked.has(data.id) && isOnDisk(t)
        )
      })
      return refused >= 0 && events.slice(refused).some(({ what }) => what === 'code.told')
    },
    likelier: {
      faults: [{ at: 0, until: 3_000, target: 'disk:api', fault: 'read_only' }],
      load: { registrations: 600 },
    },
  },
  {
    name: 'a start was refused for what a disk had damaged',
    isIn: (events) =>
      events.some(({ what, data }) => what === 'start.failed' && /^STATE_/.test(String(data.code))),
    likelier: { faults: [{ at: 0, until: 3_000, target: 'disk:api', fault: 'flipped' }] },
  },
  {
    name: 'a node came back after a loss of power',
    isIn: (events, faults) =>
      faults.some(
        ({ target, fault, from }) =>
          target === 'disk:state' &&
          fault === 'power_off' &&
          events.some(({ t, who, what }) => t > from && who === 'node' && what === 'started'),
      ),
    likelier: { faults: [{ at: 0, target: 'disk:state', fault: 'power_off' }] },
  },
  {
    name: 'a subscriber was cut off and came back',
    isIn(events) {
      const closed = events.findIndex(({ what }) => what === 'subscription.closed')
      return closed >= 0 && events.slice(closed).some(({ what }) => what === 'subscription.opened')
    },
    likelier: {
      faults: [{ at: 0, until: 1_000, target: 'link:subscriber', fault: 'down' }],
      load: { subscribers: 2, tokens: 240 },
    },
  },
  {
    name: 'L2 was reorganised',
    isIn: (events) => events.some(({ who, what }) => who === 'node' && what === 'reorg'),
    likelier: {
      faults: [{ at: 0, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  {
    name: 'a pre-confirmed block was given up',
    isIn: (events) => events.some(({ who, what }) => who === 'node' && what === 'dropped'),
    likelier: {
      faults: [{ at: 0, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  {
    name: 'a batch was lost with its L1 block',
    isIn(events) {
      const removed = new Set(
        events
          .filter(({ who, what }) => who === 'l1' && what === 'reorg')
          .flatMap(({ data }) => data.removed as string[]),
      )
      return events.some(
        ({ who, what, data }) =>
          who === 'l1' &&
          what === 'block' &&
          removed.has(String(data.hash)) &&
          (data.transactions as string[]).length > 0,
      )
    },
    likelier: {
      faults: [{ at: 0, target: 'chain:l1', fault: 'reorg', with: { depth: 2, keep: false } }],
    },
  },
  {
    name: 'what was posted waited to be derived',
    isIn: (events, faults) =>
      events.some(
        ({ t, who, what }) =>
          who === 'batcher' &&
          what === 'posted' &&
          faults.some(({ target, from, to }) => target === DERIVED_BY && from <= t && t <= to),
      ),
    likelier: {
      faults: [{ at: 0, until: 4_000, target: DERIVED_BY, fault: 'latency' }],
    },
  },
  {
    name: 'the first block of 200 ms was taken back',
    isOfCrossing: true,
    isIn(events) {
      const first = firstFastIn(events)
      const hashes = new Set(
        events
          .filter(
            ({ who, what, data }) => who === 'node' && what === 'sealed' && data.number === first,
          )
          .map(({ data }) => data.hash),
      )
      return events.some(
        ({ who, what, data }) =>
          who === 'node' &&
          what === 'reorg' &&
          (data.removed as string[]).some((hash) => hashes.has(hash)),
      )
    },
    likelier: {
      faults: [{ at: 2_500, target: 'chain:l1', fault: 'reorg', with: { depth: 3, keep: false } }],
    },
  },
  {
    name: 'one posting held blocks of 2 s and of 200 ms',
    isOfCrossing: true,
    isIn(events) {
      const first = firstFastIn(events)
      return events.some(
        ({ who, what, data }) =>
          who === 'batcher' &&
          what === 'posted' &&
          Number(data.from) < first &&
          Number(data.to) >= first,
      )
    },
    likelier: {
      faults: [{ at: 0, until: 6_000, target: 'chain:l2', fault: 'batcher_silent' }],
    },
  },
  {
    name: 'an image of before the crossing refused a block',
    isOfCrossing: true,
    isIn: (events, faults) =>
      events.some(
        ({ t, who, what }) =>
          isEnclave(who) &&
          what === 'refused' &&
          faults.some(({ fault, from, to }) => fault === 'old_image' && from <= t && t <= to),
      ),
    likelier: {
      faults: [{ at: 0, until: 9_000, target: 'enclave:16', fault: 'old_image' }],
      load: { proofs: 60 },
    },
  },
]

/** Number of the first block of 200 ms; Infinity where none comes. */
function firstFastIn(events: readonly LoggedEvent[]): number {
  const [known] = eventsOf(events, 'chain.known')
  return known ? firstFast(known) : Number.POSITIVE_INFINITY
}

const isEnclave = (who: string) => who.startsWith('enclave.')

function someUnderFault(
  events: readonly LoggedEvent[],
  faults: readonly FaultTime[],
  what: string,
): boolean {
  return events.some(
    (event) =>
      event.what === what && faults.some(({ from, to }) => from <= event.t && event.t <= to),
  )
}

function whileProving(
  events: readonly LoggedEvent[],
  happens: (event: LoggedEvent) => boolean,
): boolean {
  const open = new Set<unknown>()
  return events.some((event) => {
    if (event.what === 'proof.asked') open.add(event.data.id)
    if (event.what === 'proof.made' || event.what === 'proof.refused') open.delete(event.data.id)
    return open.size > 0 && happens(event)
  })
}
