import type { Checker, Found, LoggedEvent } from './checker.ts'
import { enclaveGarblings, type FaultTime, faultTimes } from './fault-times.ts'

export const requestsEnd: Checker = {
  name: 'requests-end',
  says: 'Every request ends within its limit, with an answer or an error that says why.',
  safety(events) {
    const faults = faultTimes(events)
    const done = new Map(
      events.filter(({ what }) => what === 'request.done').map((each) => [each.data.id, each]),
    )
    const end = events.at(-1)?.t ?? 0
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (what !== 'request.sent') return []
      const { id, to, method } = data
      const limit = Number(data.limit)
      const answer = done.get(id)
      const name = `${who}'s ${method} to ${to}`
      // Whoever loses his own line cannot be told of it.
      const isCutOff = faults.some(
        ({ target, from, to: until }) =>
          (target === data.link || target === `process:${to}`) && from <= t + limit && t <= until,
      )
      if (!answer) {
        if (end - t <= limit || isCutOff) return []
        return [{ t, problem: `${name} never ended.` }]
      }
      const { outcome, message } = answer.data
      if (outcome === 'late' && !isCutOff) {
        return [{ t, problem: `${name} had no answer within ${limit} ms.` }]
      }
      if (outcome === 'error' && !/\w{4,}/.test(String(message))) {
        return [{ t: answer.t, problem: `${name} failed and did not say why.` }]
      }
      return []
    })
  },
}

export const nothingBreaksInside: Checker = {
  name: 'nothing-breaks-inside',
  says: 'No service answers that it broke, unless its disk did.',
  safety(events) {
    const disks = faultTimes(events).filter(({ target }) => target.startsWith('disk:'))
    return events
      .filter(({ what, t }) => {
        const isOfDisk = disks.some(({ from, to }) => from <= t && t <= to)
        return what === 'internal.error' && !isOfDisk
      })
      .map(({ t, who, data }) => ({ t, problem: `${who} broke in ${data.method}: ${data.why}` }))
  },
}

export const healthLatches: Checker = {
  name: 'health-latches',
  says: 'A host that was well once stays so as long as it lives.',
  safety(events) {
    let wasWell = false
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (who === 'process:host' && what === 'fault.on') wasWell = false
      if (what !== 'health.seen') return []
      const isWell = data.isWell === true
      const isBack = wasWell && !isWell
      wasWell ||= isWell
      return isBack ? [{ t, problem: 'The host was well and says that it is not.' }] : []
    })
  },
}

/** The links that carry what subscribers are sent. */
const SUBSCRIBED_BY = new Set(['link:subscriber', 'link:client-l2'])

function onSubscribers(events: readonly LoggedEvent[], faults: readonly string[]): FaultTime[] {
  return faultTimes(events).filter(
    ({ target, fault }) => faults.includes(fault) && SUBSCRIBED_BY.has(target),
  )
}

export const logsComeOnce: Checker = {
  name: 'logs-come-once',
  says: 'A subscription delivers each log once, or is closed and says so.',
  safety(events) {
    const has = new Map<string, Set<string>>()
    const copying = onSubscribers(events, ['duplicate', 'corrupt'])
    const opened = new Map(
      events.filter(({ what }) => what === 'subscription.opened').map(({ t, who }) => [who, t]),
    )
    return events.flatMap(({ t, who, what, data }): Found[] => {
      if (what !== 'log.delivered') return []
      const own = has.get(who) ?? new Set<string>()
      has.set(who, own)
      const key = `${data.block} ${data.index}`
      if (data.removed === true) {
        own.delete(key)
        return []
      }
      // A line that sends what it gets twice, or as another, is the plan's work, not the node's; so is one that
      // subscribed twice.
      const isCopied = copying.some(({ from, to }) =>
        [t, opened.get(who) ?? t].some((at) => at >= from && at <= to + 1_000),
      )
      if (own.has(key) && !isCopied) return [{ t, problem: `${who} got log ${key} twice.` }]
      own.add(key)
      return []
    })
  },
  liveness(events) {
    const end = leaving(events)?.t ?? events.at(-1)?.t ?? 0
    const canonical = canonicalBlocks(events)
    const gone = goneBlocks(events)
    const garbling = onSubscribers(events, ['corrupt'])
    return openSubscriptions(events).flatMap(({ who, after, has }): Found[] => [
      ...[...has].flatMap((key): Found[] => {
        const t = gone.get(key.split(' ')[0]!) ?? Number.POSITIVE_INFINITY
        if (t > end - 5_000) return []
        return [{ t, problem: `${who} was never told that log ${key} is gone.` }]
      }),
      ...events.flatMap(({ t, what, data }): Found[] => {
        const number = canonical.get(String(data.block))
        if (what !== 'logs.seen' || number === undefined) return []
        // Whoever looks at the newest block alone has not seen what took its place.
        if (gone.has(String(data.block))) return []
        // The last are still on their way.
        if (number <= after || t > end - 5_000) return []
        // A log is seen in its block some seconds after it came over the line.
        if (garbling.some(({ from, to }) => t >= from && t <= to + 5_000)) return []
        const missing = (data.indices as number[]).filter((at) => !has.has(`${data.block} ${at}`))
        return missing.length === 0
          ? []
          : [{ t, problem: `${who} never got log ${missing[0]} of block ${data.block}.` }]
      }),
    ])
  },
}

const leaving = (events: readonly LoggedEvent[]) => events.find(({ what }) => what === 'left')

function openSubscriptions(events: readonly LoggedEvent[]) {
  const open = new Map<string, { who: string; after: number; has: Set<string> }>()
  const delivered = new Map<string, Set<string>>()
  for (const { who, what, data } of events) {
    // Who goes home closes what was open to the end.
    if (what === 'left') break
    const has = delivered.get(who) ?? new Set()
    if (what === 'log.delivered') {
      const key = `${data.block} ${data.index}`
      if (data.removed === true) has.delete(key)
      else has.add(key)
      delivered.set(who, has)
    }
    if (what === 'subscription.opened') open.set(who, { who, after: Number(data.after), has })
    if (what === 'subscription.opened') delivered.set(who, has)
    if (what === 'subscription.closed') open.delete(who)
  }
  return [...open.values()]
}

/** When blocks were taken back that have not come again. */
function goneBlocks(events: readonly LoggedEvent[]): Map<string, number> {
  const gone = new Map<string, number>()
  for (const { t, who, what, data } of events) {
    if (who !== 'node') continue
    if (what === 'sealed') gone.delete(String(data.hash))
    if (what === 'reorg') for (const hash of data.removed as string[]) gone.set(hash, t)
  }
  return gone
}

/** The last block seen at each number, by its hash. */
function canonicalBlocks(events: readonly LoggedEvent[]): Map<string, number> {
  const byNumber = new Map(
    events
      .filter(({ what }) => what === 'block.seen')
      .map(({ data }) => [Number(data.number), String(data.hash)]),
  )
  return new Map([...byNumber].map(([number, hash]) => [hash, number]))
}

interface RecordedGame {
  address: string
  claimIsTrue: boolean
  status: string
  /** Whether a proof stood for it; absent in logs of before it was told. */
  isProven?: boolean
}

const games = (events: readonly LoggedEvent[]) =>
  events
    .filter(({ what }) => what === 'game')
    .map(({ t, data }) => ({ t, ...(data as unknown as RecordedGame) }))

/** LIM-06: milliseconds that an enclave waits for the rest of a frame. Whoever proposes or disputes waits with it. */
const FRAME_WAIT = 300_000

/** Whether an enclave may wait for the rest of a frame: a length that was garbled says that more is to come. */
function enclaveWaits(events: readonly LoggedEvent[]): (t: number) => boolean {
  const garbled = enclaveGarblings(events)
  return (t) => garbled.some(({ to }) => t < to + FRAME_WAIT)
}

/** Lies on blocks of L1 from which nobody can prove what is true. */
const irrefutable = (events: readonly LoggedEvent[]): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ what, data }) => what === 'game.forged' && data.isRefutable === false)
      .map(({ data }) => String(data.address)),
  )

const isIn = (addresses: ReadonlySet<string>, address: string): boolean =>
  addresses.has(address.toLowerCase())

export const gamesEndInTruth: Checker = {
  name: 'games-end-in-truth',
  says: 'Each game ends as its truth demands, and only false ones lose their proof.',
  safety(events) {
    let isNullified = false
    const excused = irrefutable(events)
    return games(events).flatMap(({ t, address, claimIsTrue, status, isProven }): Found[] => {
      if (status !== 'IN_PROGRESS') {
        if ((status === 'DEFENDER_WINS') === claimIsTrue || isIn(excused, address)) return []
        const truth = claimIsTrue ? 'true' : 'false'
        return [{ t, problem: `Game ${address} is ${truth} and ended as ${status}.` }]
      }
      if (isProven !== false) return []
      // With the first lie the verifier itself is nullified, and with it every proof of it.
      if (!claimIsTrue) isNullified = true
      return isNullified ? [] : [{ t, problem: `Game ${address} is true and lost its proof.` }]
    })
  },
  liveness(events) {
    const end = events.at(-1)?.t ?? 0
    if (enclaveWaits(events)(end)) return []
    const excused = irrefutable(events)
    const last = new Map(games(events).map((game) => [game.address, game]))
    for (const { what, data } of events) if (what === 'game.gone') last.delete(String(data.address))
    return [...last.values()]
      .filter((game) => !game.claimIsTrue && game.isProven && game.status === 'IN_PROGRESS')
      .filter(({ address }) => !isIn(excused, address))
      .map(({ address }) => ({
        t: end,
        problem: `Game ${address} is false and keeps its proof.`,
      }))
  },
}

/** Handles by which a world may grow: threads are opened once and kept, and some connections. */
export const HANDLES_ROOM = 100

export const nothingIsLeft: Checker = {
  name: 'nothing-is-left',
  says: 'Files, handles and memory return to where they began, and every fault ends.',
  safety: () => [],
  liveness(events) {
    const end = events.at(-1)?.t ?? 0
    const lasting = faultTimes(events)
      .filter(({ to }) => to > end)
      .map(({ from, target, fault }) => ({
        t: from,
        problem: `${fault} of ${target} never ended.`,
      }))
    const seen = events.filter(({ what }) => what === 'resources.seen')
    const [first, last] = [seen[0], seen.at(-1)]
    if (!first || !last) return lasting
    const grown = Object.entries(first.data).flatMap(([name, before]): Found[] => {
      const after = Number(last.data[name])
      return after <= Number(before) + HANDLES_ROOM
        ? []
        : [{ t: last.t, problem: `${name} grew from ${before} to ${after} and did not come back.` }]
    })
    return [...lasting, ...grown]
  },
}

/** What is tried after the weather and takes a proof that an actor asks for. */
const OF_PROOFS = new Set(['the next game', 'a game'])

export const worksAgain: Checker = {
  name: 'works-again',
  says: 'Once the weather is over, everything works again within its time.',
  safety: () => [],
  liveness(events) {
    const over = events.find(({ what }) => what === 'weather.over')
    if (!over) return [{ t: events.at(-1)?.t ?? 0, problem: 'The log ends in the weather.' }]
    const probes = events.filter(({ what }) => what === 'probe.done')
    if (probes.length === 0) return [{ t: over.t, problem: 'Nothing was tried after the weather.' }]
    const waits = enclaveWaits(events)
    return probes
      .filter(({ data }) => data.isWell !== true)
      .filter(({ t, data }) => !OF_PROOFS.has(String(data.probe)) || !waits(t))
      .map(({ t, data }) => ({
        t,
        problem: `${data.probe} did not work again in ${data.limit} ms: ${data.problem}`,
      }))
  },
}
