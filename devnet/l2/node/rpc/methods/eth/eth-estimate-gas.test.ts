import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { LOOP, PROBE, REVERTER, STORAGE } from '../../testing/contracts.ts'
import {
  alice,
  bob,
  createTestNode,
  ETHER,
  errorOf,
  type TestNode,
  word,
} from '../../testing/test-node.ts'

let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
})

describe('eth_estimateGas', () => {
  test.each([
    ['a transfer', { from: alice, to: bob, value: `0x${ETHER.toString(16)}` }, 21_000],
    // EIP-7623: the floor, 10 per token and 4 tokens per non-zero byte.
    ['a transfer with data', { from: alice, to: bob, data: '0x0101' }, 21_080],
  ])('given %s, then exactly the gas of its form is needed', async (_name, transaction, gas) => {
    expect(Number(await node.rpc('eth_estimateGas', transaction))).toBe(gas)
  })

  test('given a call, then the estimate is enough and little more than what is used', async () => {
    for (const transaction of [
      { from: alice, to: STORAGE, data: `${word(5)}${word(5).slice(2)}` },
      { from: alice, to: PROBE, data: word(STORAGE) },
      { from: alice, data: `0x60${'5b'.repeat(100)}` },
    ]) {
      const gas: Hex = await node.rpc('eth_estimateGas', transaction)
      const [block] = (await node.rpc(
        'eth_simulateV1',
        { blockStateCalls: [{ calls: [{ ...transaction, gas }] }] },
        'pending',
      )) as [{ calls: [{ status: Hex; gasUsed: Hex }] }]
      expect(block.calls[0].status).toBe('0x1')
      expect(Number(gas)).toBeLessThan(Number(block.calls[0].gasUsed) * 1.1)
    }
  })

  test('given what fails with any gas, then it is refused with its reason', async () => {
    expect(
      await errorOf(node.rpc('eth_estimateGas', { to: REVERTER, data: '0x1234' })),
    ).toMatchObject({
      code: -32000,
      data: '0x1234',
    })
    expect(await errorOf(node.rpc('eth_estimateGas', { to: LOOP, gas: '0x186a0' }))).toMatchObject({
      code: -32000,
      message: 'gas required exceeds allowance (100000)',
    })
  })
})
