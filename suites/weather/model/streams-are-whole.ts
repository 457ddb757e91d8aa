import type { Hex } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { faultTimes, GARBLING } from '../checkers/fault-times.ts'
import { firstFast } from './block-due.ts'
import type { LogSeen } from './events-of.ts'
import { type L2Tree, treeOf } from './l2-tree.ts'

/** Milliseconds that the last messages may be under way. */
const UNDER_WAY = 5_000
/** Messages are logs of blocks that were sealed. */
const OF_LOGS = new Set(['logFilter', 'logs of a contract', 'logs of a sender'])
/** The links that carry what is sent, and what makes other messages of it. */
const LINKS = new Set(['link:subscriber', 'link:client-l2'])

interface Due {
  t: number
  key: unknown
}

interface Message extends Due {
  header?: Readonly<Record<string, unknown>>
  receipts?: readonly object[]
  log?: object
}

/** What the node did, in its order, by the kind of who listens to it. */
function dueIn(
  events: readonly LoggedEvent[],
  logs: ReadonlyMap<Hex, readonly object[]>,
): Readonly<Record<string, readonly Due[]>> {
  const own = events.filter(({ who }) => who === 'node')
  const of = (word: string, keys: (data: LoggedEvent['data']) => readonly unknown[]) =>
    own
      .filter(({ what }) => what === word)
      .flatMap(({ t, data }) => keys(data).map((key) => ({ t, key })))
  const tree = treeOf(events)
  // Denim retires what tells of flashblocks; a reorganization may go back before it.
  const first = tree ? firstFast(tree.known) : Number.POSITIVE_INFINITY
  const sealed = of('sealed', ({ hash }) => [hash])
  return {
    newHeads: sealed,
    transactionReceipts: sealed,
    newPendingTransactions: of('pooled', ({ hash }) => [hash]),
    newFlashblockTransactions: of('flashblock', ({ number, added }) =>
      Number(number) < first ? (added as Hex[]) : [],
    ),
    // Each by the last transaction in it: a block that is begun anew may begin as it did.
    newFlashblocks: of('flashblock', ({ number, added }) =>
      Number(number) < first ? (added as Hex[]).slice(-1) : [],
    ).filter(({ key }, at, all) => key !== all[at - 1]?.key),
    pendingLogs: pendingLogsIn(own, first, logs),
  }
}

/** Of `eth_subscribe` and `eth_newFilter`: undefined is of everybody. */
interface Filter {
  address?: Hex
  /** By their places; null: any. */
  topics?: readonly (Hex | null)[]
}

/**
 * Of each transaction that came into a block; and again, as removed, where it was given up: not on a chain that
 * crosses, which answers as Base does (RPC-LOG-13; seed 44).
 */
function pendingLogsIn(
  own: readonly LoggedEvent[],
  first: number,
  logs: ReadonlyMap<Hex, readonly object[]>,
): Due[] {
  return own.flatMap(({ t, what, data }): Due[] => {
    if (Number(data.number) >= first) return []
    const isRemoved = what === 'dropped' && first === Number.POSITIVE_INFINITY
    const hashes = what === 'flashblock' ? data.added : isRemoved ? data.transactions : []
    return ((hashes ?? []) as Hex[]).flatMap((hash) =>
      (logs.get(hash) ?? []).map(() => ({ t, key: `${hash} ${isRemoved}` })),
    )
  })
}

/** What is told of chosen logs: of each block that is sealed, and again, as removed, where it is taken back. */
function filteredIn(events: readonly LoggedEvent[], filter: Filter): Due[] {
  const tree = treeOf(events)
  return events.flatMap(({ t, who, what, data }): Due[] => {
    if (who !== 'node') return []
    if (what !== 'sealed' && what !== 'reorg') return []
    const isRemoved = what === 'reorg'
    const hashes = (isRemoved ? data.removed : [data.hash]) as Hex[]
    return hashes.flatMap((hash) =>
      (tree?.blocks.get(hash)?.receipts ?? []).flatMap(({ logs }) =>
        logs
          .filter((log) => isChosen(log, filter))
          .map(({ logIndex }) => ({ t, key: `${hash} ${Number(logIndex)} ${isRemoved}` })),
      ),
    )
  })
}

function isChosen(log: LogSeen, { address, topics = [] }: Filter): boolean {
  const same = (one: Hex | undefined, other: Hex) => one?.toLowerCase() === other.toLowerCase()
  if (address && !same(log.address, address)) return false
  return topics.every((topic, at) => !topic || same(log.topics[at], topic))
}

/**
 * What each transaction logs, where any block has it. One that logs more in one block than in another is left out: on
 * another branch it may come where it fails, and what is given up before it is sealed has no receipts (seed 96004).
 */
function logsOf({ blocks }: L2Tree): ReadonlyMap<Hex, readonly object[]> {
  const receipts = [...blocks.values()].flatMap((block) => block.receipts)
  const first = new Map<Hex, readonly object[]>()
  const unsure = new Set<Hex>()
  for (const { transactionHash, logs } of receipts) {
    const before = first.get(transactionHash)
    if (before && before.length !== logs.length) unsure.add(transactionHash)
    else first.set(transactionHash, logs)
  }
  for (const hash of unsure) first.delete(hash)
  return first
}

export const streamsAreWhole: Checker = {
  name: 'streams-are-whole',
  says: 'A subscription tells of each head, receipt and transaction once, in order, as it is; or is closed and says so.',
  safety(events) {
    const tree = treeOf(events)
    const logs = tree ? logsOf(tree) : new Map<Hex, readonly object[]>()
    const due = dueIn(events, logs)
    const end = events.find(({ what }) => what === 'left')?.t ?? events.at(-1)?.t ?? 0
    const garbled = faultTimes(events).some(
      ({ target, fault }) => LINKS.has(target) && GARBLING.has(fault),
    )
    if (garbled) return []
    const givenUp = whenGivenUp(events)
    const logged = events.flatMap(({ t, who, what, data }): Found[] => {
      if (what !== 'log.delivered' || !data.log) return []
      const { block, index, log } = data as { block: Hex; index: number; log: object }
      const problem = tree && otherLog(tree, block, index, log)
      return problem ? [{ t, problem: `${who} ${problem}` }] : []
    })
    const streamed = events.flatMap(({ t, who, what, data }): Found[] => {
      if (what !== 'stream.opened') return []
      const kind = String(data.kind)
      const own = events.filter((event) => event.who === who)
      const messages = own
        .filter(({ what, data }) => what === 'stream.message' && data.kind === kind)
        .map(({ t, data }) => ({ ...(data as unknown as Message), t }))
        .filter((message, at, all) => isNews(kind, message, all[at - 1], tree, logs))
      const isOpen = !own.some((event) => event.what === 'stream.closed' && event.t < end)
      // Who polls has by then what came until then.
      const polled = own.findLast((event) => event.what === 'stream.polled')?.t
      const open = kind === 'logFilter' ? (polled ?? 0) - 1 : end - UNDER_WAY
      const until = isOpen || kind === 'logFilter' ? open : -1
      const listened = sinceDeath(
        events,
        t,
        messages,
        due[kind] ?? filteredIn(events, data.filter ?? {}),
      )
      const { heard, since } =
        kind === 'pendingLogs' ? withKnownLogs(givenUp, t, listened) : listened
      const first = wrongIn(heard, since, { from: t, until })
      const problems = first ? [first] : messages.flatMap((each) => contentsOf(each, events))
      return problems.map((problem) => ({
        t: messages[0]?.t ?? t,
        problem: `${who}'s ${kind} ${problem}`,
      }))
    })
    return [...logged, ...streamed]
  },
}

/**
 * Most flashblocks add nothing, and nobody is told what was in a block that was given up and never came again.
 * @param known what is in any block
 */
function isNews(
  kind: string,
  { key }: Message,
  before: Message | undefined,
  tree: L2Tree | undefined,
  known: ReadonlyMap<Hex, unknown>,
): boolean {
  if (kind === 'newFlashblocks') return key !== before?.key
  const of = hashIn(key)
  if (OF_LOGS.has(kind)) return tree?.blocks.has(of) === true
  return kind !== 'pendingLogs' || known.has(of)
}

/** A key names a block or a transaction first. */
const hashIn = (key: unknown) => String(key).split(' ')[0] as Hex

/** Nobody tells what a node that came back is building then: it may begin as what it built when it died (seed 50). */
function sinceDeath(
  events: readonly LoggedEvent[],
  opened: number,
  messages: readonly Message[],
  due: readonly Due[],
): Listened {
  const died = events.findLast(
    ({ t, who, what }) => who === 'node' && what === 'ended' && t <= opened,
  )
  if (!died) return { heard: messages, since: due }
  const since = due.filter(({ t }) => t > died.t)
  const known = messages.findIndex(({ key, t }) =>
    since.some((each) => each.key === key && each.t <= t),
  )
  return { heard: messages.slice(Math.max(0, known)), since }
}

/** When each transaction was, the last time: with a block that was begun, or with one that was sealed. */
function whenGivenUp(events: readonly LoggedEvent[]): ReadonlyMap<Hex, number> {
  const own = events.filter(({ who }) => who === 'node')
  const sealed = new Map(
    own
      .filter(({ what }) => what === 'sealed')
      .map(({ data }) => [data.hash as Hex, data.transactions as Hex[]]),
  )
  const lost = ({ what, data }: LoggedEvent) => {
    if (what === 'dropped') return data.transactions as Hex[]
    if (what !== 'reorg') return []
    return (data.removed as Hex[]).flatMap((hash) => sealed.get(hash) ?? [])
  }
  return new Map(own.flatMap((event) => lost(event).map((hash) => [hash, event.t] as const)))
}

interface Listened {
  heard: readonly Message[]
  since: readonly Due[]
}

/**
 * Without what was given up and logged otherwise until then than where it stands now: nobody has the receipts of a
 * block that was never sealed, or that was gone before somebody looked (seeds 320243, 505278).
 * @param givenUp when it was, the last time
 */
function withKnownLogs(
  givenUp: ReadonlyMap<Hex, number>,
  opened: number,
  { heard, since }: Listened,
): Listened {
  const countUntil = (list: readonly Due[], hash: Hex, end: number) =>
    list.filter((each) => each.t > opened && each.t <= end && hashIn(each.key) === hash).length
  const otherwise = new Set(
    [...givenUp]
      .filter(([hash, t]) => countUntil(heard, hash, t) !== countUntil(since, hash, t))
      .map(([hash]) => hash),
  )
  const isKnown = (each: Due) => !otherwise.has(hashIn(each.key))
  return { heard: heard.filter(isKnown), since: since.filter(isKnown) }
}

/** They are what was due one after the other, from the first that must come to the last. */
function wrongIn(
  messages: readonly Message[],
  due: readonly Due[],
  { from, until }: { from: number; until: number },
): string | undefined {
  const must = due.findIndex(({ t }) => t > from)
  const last = due.findLastIndex(({ t }) => t <= until)
  const [first] = messages
  if (!first) return must >= 0 && must <= last ? `never came to ${due[must]!.key}.` : undefined
  // What came into a block, was given up and came again was due twice: who came in between may have heard either.
  const begins = due.flatMap(({ key, t }, at) =>
    key === first.key && t <= first.t && t >= from - UNDER_WAY ? [at] : [],
  )
  if (begins.length === 0) return `tells of ${first.key}, which was not then.`
  const problems = begins.map((began) => {
    if (must >= 0 && began > must) return `left out ${due[must]!.key}.`
    const wrong = messages.findIndex(({ key }, at) => due[began + at]?.key !== key)
    if (wrong >= 0) return `has ${messages[wrong]!.key} where ${due[began + wrong]?.key} was.`
    const next = began + messages.length
    return next <= last ? `never came to ${due[next]!.key}.` : undefined
  })
  return problems.includes(undefined) ? undefined : problems[0]
}

/** @returns the end of a sentence, where the block is known and has another log there */
function otherLog(tree: L2Tree, block: Hex, index: number, log: object): string | undefined {
  const known = tree.blocks.get(block)?.receipts.flatMap(({ logs }) => logs)
  if (!known) return undefined
  const right = known.find(({ logIndex }) => Number(logIndex) === index)
  const { address, topics, data } = right ?? {}
  const text = (value: object) => JSON.stringify(value).toLowerCase()
  return text({ address, topics, data }) === text(log)
    ? undefined
    : `was sent log ${index} of ${block} as ${text(log)}, not ${text({ address, topics, data })}.`
}

/** What a head and receipts are, as clients were told of them otherwise. */
function contentsOf({ key, header, receipts, log }: Message, events: readonly LoggedEvent[]) {
  const tree = treeOf(events)
  const [of = '', index] = String(key).split(' ')
  const wrongLog = log && tree && otherLog(tree, of as Hex, Number(index), log)
  const block = tree?.blocks.get(key as Hex)
  const known = block?.header as Readonly<Record<string, unknown>> | undefined
  const text = (value: unknown) => JSON.stringify(value)?.toLowerCase()
  const wrong = Object.keys(header ?? {}).filter(
    (name) => known && name in known && text(header![name]) !== text(known[name]),
  )
  const isOther = block && receipts && text(receipts) !== text(block.receipts)
  return [
    ...wrong.map((name) => `tells of ${key} with ${name} ${header![name]}, not ${known![name]}.`),
    ...(isOther ? [`tells of other receipts of ${key}.`] : []),
    ...(wrongLog ? [wrongLog] : []),
  ]
}
