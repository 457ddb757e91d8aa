import type { Timeline, TimelineLane } from '#reports/model'
import type { LoggedEvent, Violation } from './checkers/checker.ts'
import { faultTimes } from './checkers/fault-times.ts'

/** Requests that one picture shows; of more every so many. */
const MOST_REQUESTS = 1_500
const MOST_EVENTS = 300

/** What a part does that is worth a dot; the rest would hide it. */
const SHOWN = new Set([
  ...['started', 'ended', 'stopped', 'continued', 'start.failed', 'internal.error'],
  ...['reorg', 'dropped', 'posted', 'block', 'sealed', 'safe', 'finalized'],
  ...['proving', 'compared', 'signed', 'refused', 'outcome'],
  ...['proof.asked', 'proof.made', 'proof.refused', 'subscription.opened', 'subscription.closed'],
  ...['weather.over', 'probe.done', 'code.told', 'health.seen'],
])

/** A log as a picture: a lane for each part that did something, or that a fault befell. */
export function timelineOf(
  name: string,
  events: readonly LoggedEvent[],
  violations: readonly Violation[],
): Timeline {
  const duration = events.at(-1)?.t ?? 0
  return {
    name,
    duration,
    lanes: lanesOf(events, duration),
    requests: requestsOf(events),
    heads: ['latest', 'safe', 'finalized'].map((head) => headOf(head, events)),
    problems: violations.map(({ t, checker, problem }) => ({
      at: t,
      says: `${checker}: ${problem}`,
    })),
  }
}

function lanesOf(events: readonly LoggedEvent[], duration: number): TimelineLane[] {
  const faults = faultTimes(events)
  const shown = events.filter(({ what }) => SHOWN.has(what))
  const laneOfClient = (who: string) => who.replace(/^(client|subscriber)\..*/, '$1s')
  const names = [
    ...new Set(faults.map(({ target }) => target)),
    ...new Set(shown.map(({ who }) => laneOfClient(who))),
  ]
  return names.map((name) => ({
    name,
    faults: faults
      .filter(({ target }) => target === name)
      .map(({ fault, from, to, with: parameters }) => ({
        from,
        to: Math.min(to, duration),
        says: `${fault} ${JSON.stringify(parameters)}`,
      })),
    events: thinned(
      shown.filter(({ who }) => laneOfClient(who) === name),
      MOST_EVENTS,
    ).map(({ t, what, data }) => ({ at: t, says: `${what} ${inShort(data)}` })),
  }))
}

function requestsOf(events: readonly LoggedEvent[]): Timeline['requests'] {
  const sent = new Map(
    events.filter(({ what }) => what === 'request.sent').map((each) => [each.data.id, each]),
  )
  const done = events.filter(({ what }) => what === 'request.done')
  // Those that failed are what one looks for: only the others are thinned out.
  const failed = done.filter(({ data }) => data.outcome !== 'answer')
  const answered = done.filter(({ data }) => data.outcome === 'answer')
  return [...thinned(answered, MOST_REQUESTS), ...thinned(failed, MOST_REQUESTS)].map(
    ({ t, data }) => {
      const request = sent.get(data.id)
      return {
        at: request?.t ?? t,
        duration: Number(data.ms ?? 0),
        isAnswered: data.outcome === 'answer',
        says: `${request?.data.method} to ${request?.data.to}`,
      }
    },
  )
}

function headOf(name: string, events: readonly LoggedEvent[]): Timeline['heads'][number] {
  const what = name === 'latest' ? 'block.seen' : `${name}.seen`
  const points = events
    .filter((each) => each.what === what)
    .map(({ t, data }): readonly [number, number] => [t, Number(data.number)])
  return { name, points }
}

function thinned<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_, index) => index % step === 0)
}

const inShort = (data: LoggedEvent['data']) => JSON.stringify(data).slice(0, 120)
