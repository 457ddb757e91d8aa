import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { getBlock, getLastBlocks, getTip } from '../reads/get-block.ts'
import type { BlockReceipts } from '../seen/log-index.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import { preconfirmedWindow } from './preconfirmed-window.ts'

/** At least so many; all since the watch began, up to the most. */
const FEWEST_BLOCKS = 24
const MOST_BLOCKS = 200
const AT_ONCE = 8
const OLD_BLOCKS = 6n
/** The block under construction when a stream was confirmed, and what was sealed meanwhile. */
const AROUND = 4

/** The newest blocks with what eth_getBlockReceipts says of them. */
export interface RecentBlocks {
  /** Undefined where the node does not serve receipts. */
  receipts: readonly BlockReceipts[] | undefined
}

/**
 * Reads the newest blocks whole, so that all that was seen in a run can be held against them; and the
 * pending block before, so that a run of one case has seen it, too.
 */
export const recentBlocks: Scene<RecentBlocks> = {
  name: 'recent blocks',
  kind: 'observation',
  async build(context) {
    const { rpc, driver, profile } = context
    for (const full of [true, false]) await rpc.call('eth_getBlockByNumber', ['pending', full])
    // What goes wrong there is told by the cases of that scene.
    // On today's chain there is no such window.
    if (profile === 'today') await driver.blockStart()
    else if (!driver.onlyReads) await context.scene(preconfirmedWindow).catch(() => undefined)
    else await driver.blockStart()
    const blocks = await getLastBlocks(rpc, await blocksToRead(context), true)
    await readOldBlocks(context)
    const served = await rpc.call('eth_getBlockReceipts', ['latest'])
    if (!('result' in served.body)) return { receipts: undefined }
    const receipts: BlockReceipts[] = []
    for (let from = 0; from < blocks.length; from += AT_ONCE)
      receipts.push(...(await Promise.all(blocks.slice(from, from + AT_ONCE).map(withReceipts))))
    return { receipts: receipts.filter(isSameBlock) }

    async function withReceipts(block: JsonObject): Promise<BlockReceipts> {
      return { block, receipts: await receiptsOf(rpc, block) }
    }
  },
}

/** Some blocks from the first to the newest, in both forms: a node may keep old ones otherwise. */
async function readOldBlocks({ rpc }: CaseContext): Promise<void> {
  const tip = await getTip(rpc)
  for (let part = 0n; part < OLD_BLOCKS; part++)
    for (const full of [false, true]) await getBlock(rpc, (tip * part) / OLD_BLOCKS, full)
}

/** Back to the block that was being built when the first stream was opened. */
async function blocksToRead({ rpc, watched, profile }: CaseContext): Promise<number> {
  // Forty seconds of today's chain, where the watch wrote something to be found in them.
  if (profile === 'today' && watched.sent.length > 0) return MOST_BLOCKS
  const [first] = watched.streams
  const since = first ? Number((await getTip(rpc)) - first.from) + AROUND : 0
  return Math.min(MOST_BLOCKS, Math.max(FEWEST_BLOCKS, since))
}

async function receiptsOf(rpc: JsonRpcClient, { number }: JsonObject): Promise<JsonObject[]> {
  const list = expectArray(await rpc.result('eth_getBlockReceipts', [number]), 'receipts')
  return list.map((each, index) => expectObject(each, `receipts[${index}]`))
}

/** A reorganization may come between the two questions. */
function isSameBlock({ block, receipts }: BlockReceipts): boolean {
  return receipts.every(({ blockHash }) => blockHash === block.hash)
}
