import type { Receipt } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { PendingBlock } from '../../chain-view.ts'
import type { PlacedLog } from '../json/log-json.ts'
import { type LogMatcher, matchesLog } from './log-matcher.ts'

/**
 * The logs of the block being built by address and topic. Its snapshots are beginnings of each other,
 * so one index serves them all and takes in only what a new one adds: what a question costs does not
 * grow with the block.
 */
export class PendingLogIndex {
  #receipts: Receipt[] = []
  #logs: PlacedLog[] = []
  /** Positions in `#logs`, in order; of a topic by where it stands in its log. */
  readonly #positions = new Map<string, number[]>()

  /** The logs of a snapshot that match, in order. */
  matching(block: PendingBlock, matcher: LogMatcher): PlacedLog[] {
    const { receipts } = block
    if (!this.#isOneLine(receipts)) this.#clear()
    for (let index = this.#receipts.length; index < receipts.length; index++) {
      this.#add(receipts[index]!, index)
    }
    const found: PlacedLog[] = []
    for (const position of this.#candidates(matcher)) {
      const placed = this.#logs[position]!
      if (placed.transactionIndex >= receipts.length) break
      if (matchesLog(matcher, placed.log)) found.push(placed)
    }
    return found
  }

  /** Whether the snapshot begins as what is indexed, or goes on from it. */
  #isOneLine(receipts: readonly Receipt[]): boolean {
    const last = Math.min(receipts.length, this.#receipts.length) - 1
    return last < 0 || receipts[last] === this.#receipts[last]
  }

  #clear(): void {
    this.#receipts = []
    this.#logs = []
    this.#positions.clear()
  }

  #add(receipt: Receipt, transactionIndex: number): void {
    this.#receipts.push(receipt)
    for (const log of receipt.logs) {
      const position = this.#logs.length
      this.#logs.push({ log, transactionIndex, logIndex: position })
      this.#note(log.address, position)
      for (const [at, topic] of log.topics.entries()) this.#note(topicKey(at, topic), position)
    }
  }

  #note(key: string, position: number): void {
    const positions = this.#positions.get(key)
    if (positions) positions.push(position)
    else this.#positions.set(key, [position])
  }

  /** Positions that may match, in order: by the clause that leaves fewest. */
  #candidates({ addresses, topics }: LogMatcher): Iterable<number> {
    const clauses = [
      addresses && [...addresses],
      ...topics.map((wanted, at) => wanted && [...wanted].map((topic) => topicKey(at, topic))),
    ].filter((keys) => keys !== undefined)
    if (clauses.length === 0) return this.#logs.keys()
    const lists = clauses.map((keys) => keys.flatMap((key) => this.#positions.get(key) ?? []))
    const fewest = lists.reduce((a, b) => (b.length < a.length ? b : a))
    return fewest.sort((a, b) => a - b)
  }
}

function topicKey(at: number, topic: Hash): `${number}${Hex}` {
  return `${at}${topic}`
}
