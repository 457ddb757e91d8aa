import { cannotJudge } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { getBlock, getTip } from '../reads/get-block.ts'
import { isOfToday } from '../spec/base-time.ts'

/** Milliseconds in which a chain that has none yet must come to blocks of 200 ms. */
const PATIENCE = 100_000
/** More than three seconds of the chain, so that each place within a second comes three times. */
const BLOCKS = 16n

/** Blocks in a row of 200 ms each. */
export interface TodaysBlocks {
  /** With whole transactions, the oldest first. */
  blocks: readonly JsonObject[]
  /** Of each block; undefined where the node does not serve eth_getBlockReceipts. */
  receipts: readonly (readonly JsonObject[])[] | undefined
}

/** Waits until the chain has blocks of 200 ms, and reads the newest. @throws CaseSetAside where none come */
export const todaysBlocks: Scene<TodaysBlocks> = {
  name: 'blocks of 200 ms',
  kind: 'observation',
  async build(context) {
    const { rpc, clock, signal } = context
    const last = await poll({ clock, signal, every: 250, within: PATIENCE }, () => newest(context))
    if (last === undefined)
      cannotJudge(
        `No block of 200 ms came within ${PATIENCE / 1000} s: this is not the chain of today, or its crossing is further ahead.`,
      )
    const heights = Array.from({ length: Number(BLOCKS) }, (_, i) => last - BLOCKS + 1n + BigInt(i))
    const blocks = await Promise.all(heights.map((height) => getBlock(rpc, height, true)))
    const served = await rpc.call('eth_getBlockReceipts', [blocks[0]!.number])
    if (!('result' in served.body)) return { blocks, receipts: undefined }
    const receipts = await Promise.all(
      blocks.map(async ({ number }) => {
        const list = expectArray(await rpc.result('eth_getBlockReceipts', [number]), 'receipts')
        return list.map((each) => expectObject(each, 'receipts[]'))
      }),
    )
    return { blocks, receipts }
  },
}

/** Height of the newest block once there are enough of 200 ms; undefined until then. */
async function newest({ rpc }: CaseContext): Promise<bigint | undefined> {
  const tip = await getTip(rpc)
  if (tip < BLOCKS + 1n) return undefined
  const oldest = await getBlock(rpc, tip - BLOCKS, true)
  return isOfToday(oldest) ? tip : undefined
}

/** The newest of them. */
export async function blockOfToday(t: CaseContext): Promise<JsonObject & { height: bigint }> {
  const { blocks } = await t.scene(todaysBlocks)
  const block = blocks.at(-1)!
  return { ...block, height: expectQuantity(block.number, 'number') }
}
