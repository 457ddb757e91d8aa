import { expect, test } from 'vitest'
import { buildChannel } from '#devnet/l2/batcher/build-channel'
import { readChannel } from '#protocol/derivation/batch'
import { transfer } from '../sequencer/transfer.ts'
import { GENESIS_TIME, startVirtualNode } from '../sequencer/virtual-node.ts'

test('given blocks that cross Denim, when the batcher makes a channel of them, then one span holds those before, and each of 200 ms is a batch of whole seconds upon its parent', async () => {
  const upgrades = { azul: 'genesis', denim: 'block 3' } as const
  const { node, config } = await startVirtualNode({ upgrades, manual: true })
  for (let number = 1; number <= 9; number++) {
    if (number === 5) await node.chain.submit(transfer(0, 0))
    if (number === 5) await node.flashblock()
    await node.seal()
  }
  const blocks = Array.from(
    { length: 9 },
    (_, index) => node.chain.blockByNumber(BigInt(index + 1))!,
  )
  const format = { config, batchType: 'span', compression: 'zlib' } as const
  const batches = [...readChannel(await buildChannel(blocks, format), BigInt(config.l2ChainId))]
  await node.stop()
  expect(batches.map(({ type }) => type)).toEqual(['span', ...Array(7).fill('singular')])
  expect(batches[0]).toMatchObject({ batch: { blocks: [{}, {}], relativeTimestamp: 2n } })
  const singular = batches.flatMap((each) => (each.type === 'singular' ? [each.batch] : []))
  expect(singular.map(({ timestamp }) => Number(timestamp) - GENESIS_TIME)).toEqual([
    6, 6, 6, 6, 6, 7, 7,
  ])
  expect(singular.map(({ parentHash }) => parentHash)).toEqual(
    blocks.slice(1, 8).map(({ hash }) => hash),
  )
  // Neither deposit is posted, only what users sent.
  expect(singular.map(({ transactions }) => transactions.length)).toEqual([0, 0, 1, 0, 0, 0, 0])

  const [last] = blocks.slice(-1)
  const alone = [...readChannel(await buildChannel([last!], format), BigInt(config.l2ChainId))]
  expect(alone.map(({ type }) => type)).toEqual(['singular'])
})
