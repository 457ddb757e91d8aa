import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Node } from '#devnet/l2/node/start-node'
import { startVirtualNode } from '#suites/system/sequencer/virtual-node'
import { type BenchResult, type Row, time } from './measurement.ts'

const BRANCHES = 4_000
/** Blocks of the chain that is branched off. */
const LENGTHS = [10, 1_000]
/** Of the branches, how many also build a block. */
const USED = 400

/** What a branch costs, made and used, on a short and on a long chain. */
export async function benchBranches(): Promise<BenchResult> {
  const rows: Row[] = []
  for (const length of LENGTHS) {
    const { node } = await startVirtualNode()
    await node.cheats.mine({ blocks: length })
    rows.push(await made(node, length), await used(node, length))
    await node.stop()
  }
  return {
    title: 'Branches',
    note: 'Per branch. Bytes are of the heap after a collection.',
    rows,
  }
}

async function made(node: Node, length: number): Promise<Row> {
  const { branches, chain } = node
  const before = heap()
  const ms = await time(() => {
    for (let made = 0; made < BRANCHES; made++) branches.create(chain.latest())
  })
  if (branches.size !== BRANCHES) throw new Error('Branches are missing.')
  const bytes = (heap() - before) / BRANCHES
  return { what: `made, ${length} blocks below`, values: { ms: ms / BRANCHES, bytes } }
}

async function used(node: Node, length: number): Promise<Row> {
  const { branches } = node
  const some = branches.all().slice(0, USED)
  const before = heap()
  const ms = await time(async () => {
    for (const branch of some) {
      const leave = await branches.use(branch.id)
      const block = await branch.cheats.mine({ blocks: 1 })
      leave()
      if (block?.header.parentHash !== branch.base.hash) {
        throw new Error('A branch does not stand on its base.')
      }
    }
  })
  const bytes = (heap() - before) / USED
  return { what: `opened, one block, ${length} below`, values: { ms: ms / USED, bytes } }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}
