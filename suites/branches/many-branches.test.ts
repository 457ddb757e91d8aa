import { afterAll, expect, test } from 'vitest'
import { ResourceStack } from '../../devnet/process/owned-resource.ts'
import { startVirtualNode } from '../sequencer/virtual-node.ts'

const resources = new ResourceStack()
afterAll(() => resources.stop())

test('given 5,000 branches, when nobody uses them, then they are gone after ten minutes, and no more are made before', async () => {
  const { node, clock } = await startVirtualNode()
  resources.add(node)
  const { branches, chain } = node
  for (let made = 0; made < 5_000; made++) branches.create(chain.latest())
  expect(() => branches.create(chain.latest())).toThrow(
    expect.objectContaining({ code: 'BRANCHES_FULL' }),
  )
  const leave = await branches.use('7')

  await clock.advance(599_000)
  expect(branches.size).toBe(5_000)
  await clock.advance(2_000)
  expect(branches.all().map(({ id }) => id)).toEqual(['7'])
  leave()
  await clock.advance(601_000)
  expect(branches.size).toBe(0)
  await expect(branches.use('7')).rejects.toMatchObject({ code: 'BRANCH_MISSING' })
})

test('given a branch, when nobody asks it, then its time stands still, and goes on with the next call', async () => {
  const { node, clock } = await startVirtualNode()
  resources.add(node)
  const branch = node.branches.create(node.chain.latest())
  const leave = await node.branches.use(branch.id)
  const head = () => branch.chain.latest().header

  await clock.advance(20_000)
  const awake = head()
  expect(awake.number - branch.base.header.number).toBe(10n)
  leave()
  await clock.advance(120_000)
  const asleep = head()
  expect(asleep.number - awake.number).toBeLessThanOrEqual(2n)

  const again = await node.branches.use(branch.id)
  await clock.advance(20_000)
  expect(head().number - asleep.number).toBe(10n)
  expect(head().timestamp - asleep.timestamp).toBe(20n)
  again()
})
