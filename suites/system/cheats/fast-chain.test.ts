import { expect, test } from 'vitest'
import { timestampMs } from '#protocol/derivation/base-time'
import { startVirtualNode } from '../sequencer/virtual-node.ts'

/** Seconds and milliseconds of the blocks since the first. */
async function fastNode() {
  const virtual = await startVirtualNode({ manual: true, upgrades: { denim: 'genesis' } })
  const { chain, cheats } = virtual.node
  const start = timestampMs(chain.latest())
  return { ...virtual, cheats, sinceStart: () => Number(timestampMs(chain.latest()) - start) }
}

test('given blocks of 200 ms, when time is increased by nothing or by a second, then the next block comes that much later, to the millisecond', async () => {
  const { node, cheats, sinceStart } = await fastNode()
  await cheats.seal()
  expect(sinceStart()).toBe(200)
  await cheats.increaseTime(0n)
  await cheats.seal()
  expect(sinceStart()).toBe(400)
  await cheats.increaseTime(1n)
  await cheats.seal()
  expect(sinceStart()).toBe(1_600)
  await cheats.seal()
  expect(sinceStart()).toBe(1_800)
  await node.stop()
})

test('given a block in the middle of a second, when the next is to be at that second, then it is refused, and the one after it is taken', async () => {
  const { node, cheats, sinceStart } = await fastNode()
  await cheats.seal()
  const { timestamp } = node.chain.latest().header
  await expect(cheats.setNextTimestamp(timestamp)).rejects.toMatchObject({
    code: 'TIMESTAMP_TOO_LOW',
  })
  await cheats.setNextTimestamp(timestamp + 1n)
  await cheats.seal()
  expect(sinceStart()).toBe(1_000)
  await node.stop()
})
