import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { generatedL1 } from '#suites/system/sequencer/generated-l1'
import { transfer } from '#suites/system/sequencer/transfer'
import {
  GENESIS_TIME,
  L1_BLOCK_TIME,
  startVirtualNode,
} from '#suites/system/sequencer/virtual-node'

test('given an L1 that failed when a branch was opened, when the branch is opened again, then it is as if it had not', async () => {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  const l1 = generatedL1(clock, GENESIS_TIME, L1_BLOCK_TIME)
  let isAway = false
  const block: typeof l1.block = (number) => {
    if (isAway) throw new Error('L1 is away')
    return l1.block(number)
  }
  const { node } = await startVirtualNode({ clock, l1View: { ...l1, block } })
  const hash = await node.chain.submit(transfer(0, 0))
  await node.flashblock()
  const branch = node.branches.create('pending')
  isAway = true
  await expect(branch.open()).rejects.toThrow('L1 is away')
  isAway = false
  await branch.open()
  expect(branch.chain.findTransaction(hash)?.block).toBe(branch.chain.pending())
  await node.stop()
})
