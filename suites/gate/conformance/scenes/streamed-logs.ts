import { isDeepStrictEqual } from 'node:util'
import { sleep } from '#protocol/clock/clock'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord } from '../reads/eth-call.ts'
import { toLogs } from '../reads/get-logs.ts'
import { isSealed } from '../reads/is-sealed.ts'
import type { Hex } from '../wire/hex.ts'
import { type Probes, probeContracts } from './probe-contracts.ts'
import { OTHER, TRANSFER } from './sealed-history.ts'

export const STREAM_MARKS: readonly Hex[] = [toWord(0x51), toWord(0x52), toWord(0x53)]
/**
 * How long a message may take after its block was sealed before it counts as missing; only where one is
 * missing is it waited for.
 */
const GRACE = 3_000

/** Between two looks at the pending logs, and for all of them, in milliseconds. */
const POLL_EVERY = 25
const POLL_WITHIN = 60_000

/** A block that was sealed before the gate polled it cannot be compared; another one follows. */
const MOST_STREAMS = 6

/** What pendingLogs sent while three transactions were pre-confirmed one after the other. */
export interface StreamedLogs {
  probes: Probes
  /** The reply to eth_subscribe. */
  subscribed: JsonObject
  /** Transactions in order; each emits one log with its mark as second topic. */
  sent: Hex[]
  /** Notifications of the address filter, with the time they came. */
  messages: { at: number; result: unknown }[]
  /** Notifications of the filter by topic OTHER, which none of the logs fits. */
  unfit: unknown[]
  /** When the driver first saw the transactions sealed. */
  sealedAt: number
  /** Logs of the same contract as pending to pending gave them before sealing, in order. */
  polled: JsonObject[]
  /** Transaction → when pending to pending was first seen to have its log. */
  shownAt: ReadonlyMap<Hex, number>
  /** Whether that was so when the stream had told all of them. */
  wasPolledInTime: boolean
  unsubscribed: JsonObject
}

/** Subscribes, then sends three logs at the start of a block. */
export const streamedLogs: Scene<StreamedLogs> = {
  name: 'streamed logs',
  kind: 'observation',
  async build(context) {
    for (let stream = 1; ; stream++) {
      const seen = await watchStream(context)
      // Another block follows only where the gate itself looked too late; what was wrong is judged.
      if (seen.wasPolledInTime || !isRight(seen) || stream >= MOST_STREAMS) return seen
    }
  },
}

/** Whether the stream told each log once, in order. */
function isRight({ messages, sent }: StreamedLogs): boolean {
  const hashes = messages.map(({ result }) => Object(result).transactionHash)
  return isDeepStrictEqual(hashes, sent)
}

async function watchStream(context: CaseContext): Promise<StreamedLogs> {
  const { driver, clock } = context
  const probes = await context.scene(probeContracts)
  const socket = await context.subscribeTo()
  const address = probes.logStream
  const subscribed = await socket.call('eth_subscribe', ['pendingLogs', { address }])
  const other = await socket.call('eth_subscribe', ['pendingLogs', { address, topics: [OTHER] }])
  const messagesOf = (id: unknown) =>
    socket.notifications.filter((each) => each.subscription === id)
  // Runs on one chain share the contract, so each looks at its own transactions only.
  const own = () => messagesOf(subscribed.result).filter(({ result }) => isFrom(sent, result))

  await driver.blockStart()
  const sent: Hex[] = []
  const arrived = () => sent.length === STREAM_MARKS.length && own().length >= sent.length
  const polling = pollPending(context, { address, sent, arrived })
  // It is awaited further down; what is thrown before that says more.
  polling.catch(() => {})
  for (const mark of STREAM_MARKS) {
    const data = encodeLogEntries([{ topics: [TRANSFER, mark], data: '0x' }])
    sent.push(await driver.send({ account: 4, to: address, data }))
  }
  const sealed = Promise.all(sent.map((hash) => driver.sealed(hash))).then(() => clock.now())
  await Promise.race([socket.until(arrived), sealed])
  const sealedAt = await sealed
  const pending = await polling
  await Promise.race([socket.until(arrived), sleep(clock, GRACE, context.signal)])
  const unsubscribed = await socket.call('eth_unsubscribe', [subscribed.result])
  const messages = own()
  const unfit = messagesOf(other.result)
  socket.close()
  return {
    ...pending,
    probes,
    subscribed,
    sent,
    messages,
    unfit,
    sealedAt,
    unsubscribed,
  }
}

/**
 * Reads the pending logs again and again until the first transaction is sealed, or all are there that the
 * stream has told: on a slow machine a block is over before a single look at its end.
 */
async function pollPending(
  { rpc, clock, signal }: CaseContext,
  { address, sent, arrived }: { address: Hex; sent: readonly Hex[]; arrived(): boolean },
): Promise<Pick<StreamedLogs, 'polled' | 'shownAt' | 'wasPolledInTime'>> {
  const seen = new Map<unknown, JsonObject>()
  const shownAt = new Map<Hex, number>()
  const filter = { address, fromBlock: 'pending', toBlock: 'pending' }
  const look = async () => {
    const first = sent[0]
    if (first === undefined) return undefined
    const isLast = arrived()
    const { body } = await rpc.call('eth_getLogs', [filter])
    const now = clock.now()
    // What was read after sealing may be of the sealed block.
    if (await isSealed(rpc, first)) return { wasPolledInTime: false }
    for (const log of 'result' in body ? toLogs(body.result) : [])
      if (isFrom(sent, log)) {
        seen.set(log.transactionHash, log)
        const hash = log.transactionHash as Hex
        if (!shownAt.has(hash)) shownAt.set(hash, now)
      }
    return isLast ? { wasPolledInTime: true } : undefined
  }
  const end = await poll({ clock, signal, every: POLL_EVERY, within: POLL_WITHIN }, look)
  const polled = sent.map((hash) => seen.get(hash)).filter((log) => log !== undefined)
  return { polled, shownAt, wasPolledInTime: end?.wasPolledInTime ?? false }
}

function isFrom(sent: readonly Hex[], log: unknown): log is JsonObject {
  const { transactionHash } = (log ?? {}) as { transactionHash?: Hex }
  return transactionHash !== undefined && sent.includes(transactionHash)
}
