import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectForm } from '../matchers/expect-form.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { recentBlocks } from '../scenes/recent-blocks.ts'
import { indexLogs, type LogIndex } from '../seen/log-index.ts'
import type { SeenStream, StreamedLog } from '../seen/watched.ts'
import { LOG_FIELDS } from '../spec/block-fields.ts'

/** Members of which no document says what they are before the block is sealed (OPEN-09). */
const OPEN_WHEN_PENDING = [
  ...['blockNumber', 'blockHash', 'blockTimestamp'],
  ...['transactionIndex', 'logIndex'],
]

/** A stream, with the logs of the blocks that were begun and sealed while it listened. */
export interface JudgedStream extends SeenStream {
  index: LogIndex
  /** Those that its filter fits, in chain order. */
  expected: readonly JsonObject[]
  /** Its messages of these blocks, in the order in which they came. */
  known: readonly StreamedLog[]
}

/**
 * Each stream beside the receipts of the same blocks.
 *
 * @throws CaseSetAside where nothing was heard, or no receipts are served
 */
export async function streamedAndSealed(t: CaseContext): Promise<JudgedStream[]> {
  const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
    await t.scene(recentBlocks)
  const { streams, brokenBy } = t.watched
  if (streams.length === 0 && brokenBy) cannotJudge(`The watch of the node broke: ${brokenBy}.`)
  if (streams.length === 0) notApplicable('No stream was listened to.')
  const index = indexLogs(receipts)
  return streams.map((stream) => {
    const isWhole = ({ blockNumber }: JsonObject) => {
      const height = BigInt(String(blockNumber))
      return height >= stream.from && height <= stream.until
    }
    const whole = index.logs.filter(isWhole)
    const hashes = new Set(whole.map(({ transactionHash }) => transactionHash))
    return {
      ...stream,
      index,
      expected: whole.filter((log) => fits(log, stream)),
      known: stream.messages.filter(({ log }) => hashes.has(log?.transactionHash)),
    }
  })
}

/** Whether a log is one that the stream asked for. */
export function fits(log: JsonObject, { filter }: Pick<SeenStream, 'filter'>): boolean {
  const { address, topics = [] } = filter
  if (address && String(log.address).toLowerCase() !== address) return false
  const own = Array.isArray(log.topics) ? log.topics : []
  return topics.every((wanted, at) =>
    wanted.length === 0 ? at < own.length : wanted.includes(own[at]),
  )
}

/** What of a log does not change when it is sealed. */
export function contentOf({
  address,
  topics,
  data,
  transactionHash,
  transactionIndex,
  logIndex,
}: JsonObject): JsonObject {
  const place = { transactionHash, transactionIndex, logIndex }
  return { address: String(address).toLowerCase(), topics, data, ...place }
}

/** The ten members in their forms, of a log that was not taken out. @throws CaseFailure */
export function expectStreamedForm(log: JsonObject): void {
  for (const [member, form] of Object.entries(LOG_FIELDS)) {
    expectThat(member in log, 'there', '(absent)', `log.${member}`)
    const isFree = OPEN_WHEN_PENDING.includes(member) && log[member] === null
    if (!isFree) expectForm(log[member], form, `log.${member}`)
  }
  expectEqual(log.removed, false, 'log.removed')
}
