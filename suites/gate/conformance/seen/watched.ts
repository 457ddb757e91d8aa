import type { Exchange } from '#reports/model'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { KnownAnswers } from './known-answers.ts'

/** A log that a subscription was told, as it came. */
export interface StreamedLog {
  /** Milliseconds of the run's clock. */
  at: number
  log: JsonObject
  exchange: Exchange
}

/** One subscription to pendingLogs, from its first message to its last. */
export interface SeenStream {
  /** Client and filter, for the one who reads a failure. */
  name: string
  /** As it was subscribed; {} for all logs. */
  filter: { address?: Hex; topics?: readonly (readonly Hex[])[] }
  /** Blocks from `from` to `until` were begun and sealed while it listened. */
  from: bigint
  until: bigint
  /** When its end was confirmed; milliseconds. */
  ended: number
  messages: readonly StreamedLog[]
}

/** A transaction that the watch sent. */
export interface SentByWatch {
  hash: Hex
  /** When the node had taken it; milliseconds. */
  taken: number
  /** What it wrote into the slot; undefined where it logged. */
  wrote: bigint | undefined
}

/** Money of the watch for an account that nobody else knows. */
export interface PaidByWatch {
  hash: Hex
  to: Hex
  /** Wei. */
  value: bigint
}

/** What the watch brought about and was told beside the answers that `SeenAnswers` has. */
export interface Watched {
  /** Answers that the gate could tell before. */
  known: KnownAnswers
  streams: SeenStream[]
  sent: SentByWatch[]
  paid: PaidByWatch[]
  /** Who sends for it, in small letters; undefined while none was sent. */
  sender: Hex | undefined
  /** Where `wrote` is kept: the calls of `stateQuestions` read it. */
  slot: { store: Hex; key: Hex } | undefined
  /** Whose logs it makes; undefined while none was sent. */
  emitter: Hex | undefined
  /** What a part of the watch ended by, where no rule speaks of it. */
  brokenBy: string | undefined
}

export function nothingWatched(): Watched {
  const nothing = { slot: undefined, emitter: undefined, sender: undefined, brokenBy: undefined }
  return { known: new KnownAnswers(), streams: [], sent: [], paid: [], ...nothing }
}

/** Reads the slot by every method, at a selector: what one shows, the others show. */
export function stateQuestions(
  { store, key }: NonNullable<Watched['slot']>,
  selector: string,
): readonly (readonly [method: string, params: readonly unknown[]])[] {
  const read = { to: store, data: key }
  return [
    ['eth_call', [read, selector]],
    ['eth_getStorageAt', [store, key, selector]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [read] }] }, selector]],
  ]
}

/** Of the newest one pending need not know yet, and those before are soon sealed. */
const NEWEST_PAID = 3

/** Reads the sender's count and the balances of whom it paid last, at pending. */
export function accountQuestions({
  sender,
  paid,
}: Watched): readonly (readonly [method: string, params: readonly unknown[]])[] {
  const last = paid.slice(-NEWEST_PAID)
  return [
    ...(sender ? [['eth_getTransactionCount', [sender, 'pending']] as const] : []),
    ...last.map(({ to }) => ['eth_getBalance', [to, 'pending']] as const),
  ]
}
