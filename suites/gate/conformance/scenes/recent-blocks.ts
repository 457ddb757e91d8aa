import type { Scene } from '../conformance-case.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { getLastBlocks } from '../reads/get-block.ts'
import type { BlockReceipts } from '../seen/log-index.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import { preconfirmedWindow } from './preconfirmed-window.ts'

/** Of the length of a run. */
const BLOCKS = 24
const AT_ONCE = 8

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
    const { rpc, driver } = context
    for (const full of [true, false]) await rpc.call('eth_getBlockByNumber', ['pending', full])
    // What goes wrong there is told by the cases of that scene.
    if (!driver.onlyReads) await context.scene(preconfirmedWindow).catch(() => undefined)
    else await driver.blockStart()
    const blocks = await getLastBlocks(rpc, BLOCKS, true)
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

async function receiptsOf(rpc: JsonRpcClient, { number }: JsonObject): Promise<JsonObject[]> {
  const list = expectArray(await rpc.result('eth_getBlockReceipts', [number]), 'receipts')
  return list.map((each, index) => expectObject(each, `receipts[${index}]`))
}

/** A reorganization may come between the two questions. */
function isSameBlock({ block, receipts }: BlockReceipts): boolean {
  return receipts.every(({ blockHash }) => blockHash === block.hash)
}
