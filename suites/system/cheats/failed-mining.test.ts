import { expect, test } from 'vitest'
import type { Executor } from '#protocol/execution/executor'
import { unrulyExecutor } from '../sequencer/unruly-executor.ts'
import { startVirtualNode } from '../sequencer/virtual-node.ts'

test('given blocks that are mined a minute apart, when one of them fails, then those after it come in the time of blocks again', async () => {
  const whole = await unrulyExecutor(() => {})
  let fails = false
  const executor: Executor = {
    ...whole,
    async openBlock(options) {
      if (!fails) return await whole.openBlock(options)
      fails = false
      throw new Error('out of memory')
    },
  }
  const { node } = await startVirtualNode({ manual: true, executor })
  const forget = node.chain.on('sealed', () => {
    fails = true
  })
  await expect(node.cheats.mine({ blocks: 3, interval: 60n })).rejects.toThrow('out of memory')
  forget()
  const first = await node.seal()
  const second = await node.seal()
  expect(second.header.timestamp - first.header.timestamp).toBe(2n)
  await node.stop()
})
