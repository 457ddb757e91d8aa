import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import type { OldNode } from './old-node.ts'

/** Blocks: the shortest there may be. */
const HISTORY = 256
const SCRIPT = join(import.meta.dirname, 'old-node.ts')

/** In a process of its own: what other tests hold in this one would be measured, too. */
async function oldNode(
  { perBlock, memory, history }: { perBlock: number; memory: number; history: number },
  ...ages: number[]
): Promise<OldNode[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    SCRIPT,
    ...[perBlock, memory, history, ...ages].map(String),
  ])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OldNode)
}

/** Old blocks that were read last, and what is under way. */
const MARGIN = 80

/** A commit is held to one of the two limits, the night to both. */
const drawn = drawShare(drawnBy, ['blocks', 'bytes'], 1 / 2)

const held = ({ heap, buffers }: OldNode) => heap + buffers

test.runIf(drawn.includes('blocks'))(
  'given a node whose history is full, when it gets twice as old, then its memory is as before',
  async () => {
    const ages = [2 * HISTORY, 4 * HISTORY]
    const [full, old] = await oldNode({ perBlock: 2, memory: 96, history: HISTORY }, ...ages)
    const said = JSON.stringify([full, old])
    expect(held(old!) / held(full!), said).toBeLessThan(1.25)
    for (const { heldBlocks, heldFlashblocks } of [full!, old!]) {
      expect(heldBlocks, said).toBeLessThan(HISTORY + MARGIN)
      expect(heldFlashblocks, said).toBeLessThan(MARGIN)
    }
  },
)

// 100 transactions in two seconds, as `npm run soak` sends them. Its 2,000 blocks would take 600 MB.
test.runIf(drawn.includes('bytes'))(
  'given a node that may keep 16 MiB of history, when blocks are large, then it is flat as soon as these are full',
  async () => {
    const load = { perBlock: 100, memory: 16, history: 2_000 }
    const [full, old] = await oldNode(load, 160, 320)
    const said = JSON.stringify([full, old])
    // 160 blocks more would take some 50 MB. What decoded trie nodes take goes up and down by itself.
    expect(held(old!) - held(full!), said).toBeLessThan(20 * 1024 ** 2)
    // Blocks have half of it, at some 200 kB each.
    expect(old!.heldBlocks, said).toBeLessThan(60 + MARGIN)
  },
)
