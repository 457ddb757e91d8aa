import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { OldNode } from './old-node.ts'

/** Blocks: the shortest there may be. */
const HISTORY = 256
const SCRIPT = join(import.meta.dirname, 'old-node.ts')

/** In a process of its own: what other tests hold in this one would be measured, too. */
async function oldNode(history: number, ...times: number[]): Promise<OldNode[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    SCRIPT,
    ...[history, ...times].map(String),
  ])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OldNode)
}

/** Old blocks that were read last, and what is under way. */
const MARGIN = 80

test('given a node whose history is full, when it gets twice as old, then its memory is as before', async () => {
  const [full, old] = await oldNode(HISTORY, 2, 4)
  const held = ({ heap, buffers }: OldNode) => heap + buffers
  const said = JSON.stringify([full, old])
  expect(held(old!) / held(full!), said).toBeLessThan(1.25)
  for (const { heldBlocks, heldFlashblocks } of [full!, old!]) {
    expect(heldBlocks, said).toBeLessThan(HISTORY + MARGIN)
    expect(heldFlashblocks, said).toBeLessThan(MARGIN)
  }
})
