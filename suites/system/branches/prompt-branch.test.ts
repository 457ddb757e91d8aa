import { afterAll, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { transfer } from '#suites/system/sequencer/transfer'
import { startVirtualNode } from '#suites/system/sequencer/virtual-node'

const resources = new ResourceStack()
afterAll(() => resources.stop())

async function branchWith(options: { isPrompt: boolean }) {
  const { node, clock } = await startVirtualNode()
  resources.add(node)
  const branch = node.branches.create('pending', options)
  await branch.open()
  const seen: { number: bigint; index: number; added: number }[] = []
  branch.chain.on('flashblock', ({ header, flashblockIndex: index, ...rest }) => {
    const added = rest.transactions.length - rest.firstNewTransaction
    seen.push({ number: header.number, index, added })
  })
  return { node, clock, branch, seen }
}

test('given a prompt branch, when transactions come one by one, then each has its flashblock at once, with indices, order and blocks as ever', async () => {
  const { clock, branch, seen } = await branchWith({ isPrompt: true })
  const began = clock.now()
  for (let nonce = 0; nonce < 12; nonce++) {
    const hash = await branch.chain.submit(transfer(0, nonce))
    await clock.advance(1)
    expect(branch.chain.findTransaction(hash)?.index).toBe(1 + (nonce % 10))
  }
  expect(clock.now() - began).toBe(12)
  expect(seen.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2])
  expect(seen.map(({ added }) => added)).toEqual([...Array(13)].map(() => 1))
  // Ten flashblocks are a block; its deposits are what flashblock 0 adds.
  const [first, second] = [branch.chain.latest(), branch.chain.pending()!]
  expect(first.transactions).toHaveLength(11)
  expect(second.header.timestamp - first.header.timestamp).toBe(2n)
})

test('given more gas than one share holds, when it waits, then no part of it waits for the beat', async () => {
  const { clock, branch } = await branchWith({ isPrompt: true })
  // The block has 60M gas: this one fits from the fifth flashblock on.
  const hash = await branch.chain.submit(transfer(0, 0, { gas: 25_000_000n }))
  await clock.advance(10)
  expect(branch.chain.findTransaction(hash)?.block).toBe(branch.chain.pending())
  expect(branch.chain.pending()!.flashblockIndex).toBe(5)
})

test('given a transaction that waits for the nonce before it, then no time passes for it', async () => {
  const { clock, branch, seen } = await branchWith({ isPrompt: true })
  await branch.chain.submit(transfer(0, 1))
  await clock.advance(150)
  expect(seen).toEqual([])
  await branch.chain.submit(transfer(0, 0))
  await clock.advance(1)
  expect(seen).toEqual([{ number: branch.base.header.number + 1n, index: 1, added: 2 }])
})

test('given a branch with the beat, when a transaction comes, then it waits for the beat', async () => {
  const { clock, branch, seen } = await branchWith({ isPrompt: false })
  await branch.chain.submit(transfer(0, 0))
  await clock.advance(199)
  expect(seen).toEqual([])
  await clock.advance(1)
  expect(seen).toMatchObject([{ index: 1, added: 1 }])
})

test('given a branch of a prompt branch, then it is prompt, too, unless told', async () => {
  const { node, branch } = await branchWith({ isPrompt: true })
  expect(node.branches.create('pending', { from: branch }).isPrompt).toBe(true)
  expect(node.branches.create('pending', { from: branch, isPrompt: false }).isPrompt).toBe(false)
  expect(node.branches.create('pending').isPrompt).toBe(false)
})
