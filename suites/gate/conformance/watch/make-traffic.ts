import { concat } from 'viem'
import { type Clock, sleep } from '#protocol/clock/clock'
import type { Driver, DriverTransaction } from '../drivers/driver.ts'
import { anyBytes } from '../probes/any-bytes.ts'
import { encodeLogEntries, type LogEntry } from '../probes/contracts.ts'
import { loggingCreation } from '../probes/logging-creation.ts'
import { toWord, words } from '../reads/eth-call.ts'
import type { Probes } from '../scenes/probe-contracts.ts'
import { TRANSFER } from '../scenes/sealed-history.ts'
import type { Watched } from '../seen/watched.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { LAST_MARK, WATCHED_MARK } from './listen-to-pending-logs.ts'

/** No case sends by it. */
const ACCOUNT = 9
/** Milliseconds from one pair of transactions to the next: more than one in each flashblock. */
const PACE = 150
const MOST_LOGS = 13
/** Of transactions, one after the other: none is left out, as seven are sent in three rounds. */
const FORMS = [undefined, 'legacy', undefined, 'access-list', 'set-code'] as const
/**
 * One round of so many creates a contract, whose logs come from the constructor and from what it calls, and
 * pays a new account.
 */
const CREATES_EACH = 3
/** Twice what most of its transactions use: of more, a block of some nodes would be full. */
const GAS = 300_000n
/** A code as ERC-8021 writes it behind calldata: bc_watch, its length, schema 0 and the marker. */
const SUFFIX: Hex = `0x62635f77617463680800${'8021'.repeat(8)}`
/** A slot of which nobody asks, beside the one that the watch counts in. */
const BESIDE = 1n
/** Bytes of data of the first log of a transaction: beside and beyond whole words. */
const LENGTHS = [33, 65, 96, 300, 2_100]

/**
 * Sends a transaction that logs and one that writes, again and again: what the watch looks at. Each log is
 * another one, in data and topics, so that none is taken for its neighbour.
 *
 * @returns once `isEnding`, with the last one that logged; it ends early where the node takes no more
 */
export async function makeTraffic(options: {
  driver: Driver
  probes: Probes
  clock: Clock
  signal: AbortSignal
  watched: Watched
  isEnding: () => boolean
}): Promise<Hex | undefined> {
  const { driver, probes, clock, signal, watched, isEnding } = options
  const account = Math.min(ACCOUNT, driver.accounts.length - 1)
  let takesSetCode = true
  const take = (transaction: Omit<DriverTransaction, 'account' | 'gas'>) =>
    driver.send({ account, gas: GAS, ...transaction })
  const sendAs = async (form: DriverTransaction['form'], to: Hex, data: Hex): Promise<Hex> => {
    if (form !== 'set-code') return take({ to, data, ...(form && { form }) })
    if (!takesSetCode) return sendAs(undefined, to, data)
    return take({ to, data, form }).catch(() => {
      // A chain that is older than EIP-7702.
      takesSetCode = false
      return sendAs(undefined, to, data)
    })
  }
  const note = (hash: Hex, wrote?: bigint) => {
    watched.sent.push({ hash, taken: clock.now(), wrote })
    return hash
  }
  const send = async (to: Hex, data: Hex, wrote?: bigint) =>
    note(await sendAs(FORMS[watched.sent.length % FORMS.length], to, data), wrote)
  let last: Hex | undefined
  try {
    watched.emitter = probes.logWatched
    watched.sender = driver.accounts[account]!
    for (let round = 1; !isEnding(); round++) {
      last = await send(...logging(round, probes))
      // Runs on one chain share the contract; the slot is this run's own.
      watched.slot ??= { store: probes.storeWatched, key: keccak256(last) }
      // By turns another slot of the same contract, by which the one before stays as it was.
      const count = BigInt(round)
      if (round % 2 === 1) await send(probes.storeWatched, words(watched.slot.key, count), count)
      else await send(probes.storeWatched, words(BESIDE, count))
      if (round % CREATES_EACH === 0) {
        note(await take({ data: concat([creationOf(round, probes), SUFFIX]) }))
        const to: Hex = `0x${keccak256(last).slice(-40)}`
        const value = BigInt(round)
        watched.paid.push({ hash: await take({ to, value }), to, value })
      }
      await sleep(clock, PACE, signal)
    }
    const topics = [TRANSFER, LAST_MARK]
    last = await send(probes.logWatched, encodeLogEntries([{ topics, data: LAST_MARK }]))
  } catch {
    // A node that refuses is told of by the cases that send.
    signal.throwIfAborted()
  }
  if (last) await driver.sealed(last)
  return last
}

/** Every other time by another contract that calls the one that logs. */
function logging(round: number, { forward, logWatched }: Probes): [to: Hex, data: Hex] {
  const data = encodeLogEntries(entriesOf(round))
  return round % 2 === 0 ? [forward, concat([toWord(logWatched), data])] : [logWatched, data]
}

/** Two logs, the first of an address that is not known before; a third that was undone is none. */
function creationOf(round: number, { logWatched: emitter }: Probes): Hex {
  const mark = (at: number) => toWord(round * 100 + at)
  const entry = (at: number) => ({ topics: [TRANSFER, WATCHED_MARK, mark(at)], data: mark(at) })
  return loggingCreation({ emitter, topic: mark(50), kept: [entry(51)], undone: [entry(52)] })
}

/** One to thirteen logs with no topic to four, some without data, the first with more than one word of it. */
function entriesOf(round: number): LogEntry[] {
  return Array.from({ length: 1 + ((round * 5) % MOST_LOGS) }, (_, index) => {
    const mark = toWord(round * 100 + index)
    const second = index % 4 === 1 ? WATCHED_MARK : mark
    const topics = [TRANSFER, second, mark, toWord(index)].slice(0, (index + round) % 5)
    if (index === 0) return { topics, data: anyBytes(LENGTHS[round % LENGTHS.length]!, mark) }
    return { topics, data: index % 3 === 2 ? '0x' : mark }
  })
}
