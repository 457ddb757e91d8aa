import { getAddress } from 'viem'
import { type Clock, sleep } from '#protocol/clock/clock'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { toWord } from '../reads/eth-call.ts'
import { ABSENT, QUIET } from '../scenes/asked-filters.ts'
import type { Probes } from '../scenes/probe-contracts.ts'
import type { SeenStream, StreamedLog } from '../seen/watched.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import {
  NOTIFICATION,
  type Notification,
  type SubscriptionClient,
} from '../wire/subscription-client.ts'

/** Second topic of one in four logs of the watch, by which a stream filters. */
export const WATCHED_MARK = toWord(0x3a7c4)
/** Second topic of the last log of the watch alone: who filters by it hears nothing until then. */
export const LAST_MARK = toWord(0x3a7c5)
/** Of logs with four topics that of some. */
const FOURTH = toWord(3)
const LAST_LOG: SeenStream['filter'] = { topics: [[], [LAST_MARK]] }
/** Milliseconds that the last log may take to every stream, before it counts as lost. */
const GRACE = 5_000
const CLIENTS = 2
/** More than a long watch brings. */
const MOST_MESSAGES = 100_000

export interface Listening {
  /** Unsubscribes one stream now, what comes there later is foreign; and begins another on its line. */
  endOne(): Promise<void>
  /** Waits for the last log of the watch, then unsubscribes all. */
  end(last: Hex | undefined): Promise<readonly SeenStream[]>
}

interface OpenStream extends Omit<SeenStream, 'until' | 'ended' | 'messages'> {
  socket: SubscriptionClient
  id: unknown
  until?: bigint
  ended?: number
  messages: StreamedLog[]
}

/**
 * Two clients that listen to pendingLogs by several filters, and keep every message.
 *
 * @returns undefined where the node confirms no such subscription, which a case of its own tells
 */
export async function listenToPendingLogs(options: {
  open(onNotification: (notification: Notification) => void): Promise<SubscriptionClient>
  rpc: JsonRpcClient
  url: string
  probes: Probes
  clock: Clock
  signal: AbortSignal
}): Promise<Listening | undefined> {
  const { open, rpc, url, probes, clock, signal } = options
  const height = async () =>
    expectQuantity(await rpc.result('eth_blockNumber', []), 'eth_blockNumber')
  const streams: OpenStream[] = []
  let listenAgain = async (): Promise<void> => {}
  const filters: Readonly<Record<string, SeenStream['filter']>> = {
    'all logs': {},
    'an address': { address: probes.logWatched },
    'a topic': { topics: [[], [ABSENT, WATCHED_MARK]] },
    'a fourth topic': { topics: [[], [], [], [FOURTH]] },
    'the last log': LAST_LOG,
  }
  for (let client = 1; client <= CLIENTS; client++) {
    const bySubscription = new Map<unknown, StreamedLog[]>()
    const messagesOf = (id: unknown) => {
      const known = bySubscription.get(id) ?? []
      bySubscription.set(id, known)
      return known
    }
    const socket = await open(({ at, subscription, result }) => {
      const messages = messagesOf(subscription)
      const response = JSON.stringify({ subscription, result })
      const request = NOTIFICATION
      const exchange = { transport: 'ws' as const, at, duration: 0, url, request, response }
      if (messages.length < MOST_MESSAGES)
        messages.push({ at, log: result as StreamedLog['log'], exchange })
    })
    const listen = async (name: string, filter: SeenStream['filter']) => {
      // A list of no topics means any: what the absence of one means is not stated everywhere.
      const places = filter.topics?.map((list) => (list.length > 0 ? list : null))
      const { address } = filter
      // The second client spells the same in another way.
      const isOther = client > 1
      const spelt = isOther && address ? [QUIET, getAddress(address)] : address
      const topics = isOther ? places?.map((list) => list?.map(inCapitals) ?? null) : places
      const written = { ...(spelt && { address: spelt }), ...(topics && { topics }) }
      const asked = Object.keys(filter).length > 0 ? [written] : []
      const { result: id } = await socket.call('eth_subscribe', ['pendingLogs', ...asked])
      if (id === undefined) return
      const from = (await height()) + 2n
      const of = `${name} by client ${client}`
      streams.push({ name: of, filter, from, socket, id, messages: messagesOf(id) })
    }
    for (const [name, filter] of Object.entries(filters)) await listen(name, filter)
    // What a client asks in vain is no reason to tell it nothing more.
    await socket.call('eth_noSuchMethod')
    if (client < CLIENTS) continue
    await listen('all logs, for a while,', {})
    listenAgain = () => listen('all logs, after another stream has ended,', {})
  }
  if (streams.length === 0) return undefined

  const endStream = async (stream: OpenStream, until: bigint) => {
    if (stream.ended !== undefined) return
    stream.until = until
    await stream.socket.call('eth_unsubscribe', [stream.id])
    stream.ended = clock.now()
  }
  return {
    async endOne() {
      // Of the newest block the last messages may be on their way.
      await endStream(streams.at(-1)!, (await height()) - 1n)
      await listenAgain()
    },
    async end(last) {
      const listening = streams.filter(({ ended }) => ended === undefined)
      // The last transaction has a log of no other topic.
      const arrived = ({ socket, messages, filter }: OpenStream) =>
        (filter.topics && filter !== LAST_LOG) ||
        socket.until(() => messages.some(({ log }) => log?.transactionHash === last))
      if (last)
        await Promise.race([Promise.all(listening.map(arrived)), sleep(clock, GRACE, signal)])
      const until = await height()
      for (const stream of listening) await endStream(stream, until)
      return streams.map(({ name, filter, from, until, ended, messages }) => ({
        name,
        filter,
        from,
        until: until!,
        ended: ended!,
        messages,
      }))
    },
  }
}
