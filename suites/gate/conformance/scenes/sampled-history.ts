import { notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectArray, type JsonObject } from '../matchers/expect-shape.ts'
import { getBlock, getTip } from '../reads/get-block.ts'
import type { Hex } from '../wire/hex.ts'
import { sealedHistory } from './sealed-history.ts'

/** A log as a receipt has it: what eth_getLogs says of it must agree. */
export interface SampledLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  blockTimestamp: unknown
  transactionHash: Hex
  transactionIndex: unknown
  logIndex: unknown
}

/** Blocks that the chain already has, and the logs that their receipts list, in chain order. */
export interface SampledHistory {
  from: bigint
  to: bigint
  logs: readonly SampledLog[]
}

const MOST_BLOCKS = 200n
/** Read side by side: one after the other took a slow machine longer than a case may take. */
const AT_ONCE = 10
const MOST_RECEIPTS = 400
/** So many logs of more than one contract are enough to tell filters apart. */
const ENOUGH_LOGS = 60
/** A public chain may still reorganize its newest blocks. */
const BEHIND_TIP = 2n

/** Walks back from the tip until it has seen enough logs. With a driver, those it causes are there. */
export const sampledHistory: Scene<SampledHistory> = {
  name: 'sampled history',
  kind: 'fact',
  async build(context) {
    const { driver, rpc } = context
    const newest = driver.onlyReads ? undefined : (await context.scene(sealedHistory)).third
    const tip = await getTip(rpc)
    const to = newest?.blockNumber ?? (tip > BEHIND_TIP ? tip - BEHIND_TIP : 0n)
    let logs: SampledLog[] = []
    let receipts = 0
    let from = to
    const last = to > MOST_BLOCKS ? to - MOST_BLOCKS : 0n
    while (from > last && receipts < MOST_RECEIPTS && !isEnough(logs)) {
      const numbers = countDown(from, last)
      const blocks = await Promise.all(numbers.map((number) => logsOfBlock(context, number)))
      logs = [...blocks.toReversed().flatMap((block) => block.logs), ...logs]
      receipts += blocks.reduce((sum, block) => sum + block.receipts, 0)
      from -= BigInt(numbers.length)
    }
    from += 1n
    if (!isVaried(logs)) {
      notApplicable(
        `Blocks ${from} to ${to} have logs of fewer than two contracts and two blocks to compare filters by.`,
      )
    }
    return { from, to, logs }
  },
}

/** Block numbers from `from` down, none of them `last`; at most as many as are read at once. */
function countDown(from: bigint, last: bigint): bigint[] {
  const count = Math.min(AT_ONCE, Number(from - last))
  return Array.from({ length: count }, (_, index) => from - BigInt(index))
}

function isVaried(logs: readonly SampledLog[]): boolean {
  const kinds = (of: (log: SampledLog) => unknown) => new Set(logs.map(of)).size
  return kinds((log) => log.address) > 1 && kinds((log) => log.blockNumber) > 1
}

function isEnough(logs: readonly SampledLog[]): boolean {
  return (
    logs.length >= ENOUGH_LOGS && isVaried(logs) && logs.some(({ topics }) => topics.length > 2)
  )
}

async function logsOfBlock({ rpc }: CaseContext, number: bigint) {
  const block = await getBlock(rpc, number)
  const hashes = expectArray(block.transactions, 'transactions') as Hex[]
  const receipts = await Promise.all(
    hashes.map((hash) => rpc.result('eth_getTransactionReceipt', [hash]) as Promise<JsonObject>),
  )
  const logs = receipts.flatMap((receipt) =>
    (expectArray(receipt?.logs, 'receipt.logs') as JsonObject[]).map(
      (log): SampledLog => ({
        address: String(log.address).toLowerCase() as Hex,
        topics: log.topics as Hex[],
        data: log.data as Hex,
        blockNumber: number,
        blockHash: block.hash as Hex,
        blockTimestamp: block.timestamp,
        transactionHash: receipt.transactionHash as Hex,
        transactionIndex: receipt.transactionIndex,
        logIndex: log.logIndex,
      }),
    ),
  )
  return { logs, receipts: receipts.length }
}
