import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheatNode, request, startCheatNode } from './cheat-node.ts'

const anna = `0x${'a7'.repeat(20)}` as const
const ben = `0x${'b7'.repeat(20)}` as const

let node: CheatNode
beforeAll(async () => {
  node = await startCheatNode({ manual: true })
})
afterAll(() => node.stop())
const rpc = (method: string, ...params: unknown[]) => request(node.url, method, params)

test('given people without ether, when several ask at once, then each has it with the next flashblock, and the chain stays derivable', async () => {
  const hashes = await Promise.all([
    rpc('rollbed_faucet', anna),
    rpc('rollbed_faucet', ben, '0x5'),
    rpc('rollbed_faucet', ben, 2),
  ])
  await rpc('rollbed_flashblock')
  const balance = (address: `0x${string}`) =>
    node.client.getBalance({ address, blockTag: 'pending' })
  expect(await balance(anna)).toBe(parseEther('100'))
  expect(await balance(ben)).toBe(7n)
  expect(new Set(hashes).size).toBe(3)
  expect(await rpc('anvil_metadata')).toMatchObject({ divergence: null })
})

test('given a wrong address or more than the faucet holds, then the error says so', async () => {
  await expect(rpc('rollbed_faucet', '0x1234')).rejects.toMatchObject({ code: -32602 })
  await expect(rpc('rollbed_faucet', anna, `0x${'f'.repeat(30)}`)).rejects.toMatchObject({
    code: -32003,
    message: expect.stringContaining('insufficient funds'),
  })
})
