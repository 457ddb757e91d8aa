import { type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
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

test('given branches that build at the same moment, then each block is as if it had been alone', async () => {
  const { node } = await startVirtualNode()
  resources.add(node)
  const pairs = Array.from({ length: 8 }, (_, index) => ({
    raw: transfer(index),
    together: node.branches.create(node.chain.latest()),
    alone: node.branches.create(node.chain.latest()),
  }))
  for (const { together, alone, raw } of pairs) {
    for (const branch of [together, alone]) {
      await branch.open()
      await branch.chain.submit(hexToBytes(await raw))
    }
  }

  const step = ({ cheats }: { cheats: (typeof pairs)[0]['alone']['cheats'] }) =>
    cheats.mine({ blocks: 2 })
  const blocks = await Promise.all(pairs.map(({ together }) => step(together)))

  for (const [index, { alone }] of pairs.entries()) {
    expect((await step(alone))?.hash).toBe(blocks[index]?.hash)
    expect(
      alone.chain.findTransaction(alone.chain.blockByNumber(1n)!.transactions[1]!.hash),
    ).toBeDefined()
  }
  expect(new Set(blocks.map((block) => block?.hash)).size).toBe(pairs.length)
})

/** Value to another address from another account in each. */
function transfer(index: number): Promise<Hex> {
  return privateKeyToAccount(userKeys[index]!.privateKey).signTransaction({
    chainId: l2ChainId,
    type: 'eip1559',
    nonce: 0,
    gas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    to: `0x${`${index + 1}`.repeat(40)}`,
    value: BigInt(index + 1),
  })
}
