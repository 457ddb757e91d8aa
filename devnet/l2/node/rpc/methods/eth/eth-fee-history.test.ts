import { expect, test } from 'vitest'
import { BOB, bob, createTestNode, errorOf } from '../../testing/test-node.ts'

test('given a block with tips, then the rewards are those at percentiles of the gas used, without deposits', async () => {
  const { chain, rpc, sign } = await createTestNode()
  const tips = [5n, 9n]
  const [low, high] = await Promise.all([
    sign({ to: bob, maxPriorityFeePerGas: tips[0]! }),
    sign({ to: bob, maxPriorityFeePerGas: tips[1]! }, BOB),
  ])
  const { header } = await chain.mine(high, low)
  expect(await rpc('eth_feeHistory', '0x1', 'latest', [0, 50, 51, 100])).toMatchObject({
    oldestBlock: '0x1',
    gasUsedRatio: [42_000 / 60_000_000],
    reward: [['0x5', '0x5', '0x9', '0x9']],
  })
  const whole: { oldestBlock: string; baseFeePerGas: string[] } = await rpc(
    'eth_feeHistory',
    '0xff',
    '0x1',
  )
  expect(whole.oldestBlock).toBe('0x0')
  expect(whole).not.toHaveProperty('reward')
  expect(Number(whole.baseFeePerGas[1])).toBe(Number(header.baseFeePerGas))
})

test('given eth_gasPrice, then it is the coming base fee and the suggested tip', async () => {
  const { rpc } = await createTestNode()
  const { baseFeePerGas }: { baseFeePerGas: string[] } = await rpc(
    'eth_feeHistory',
    '0x1',
    'latest',
  )
  const tip = Number(await rpc('eth_maxPriorityFeePerGas'))
  expect(Number(await rpc('eth_gasPrice'))).toBe(Number(baseFeePerGas[1]) + tip)
})

test.each([
  [['0x1', 'latest', [50, 40]], 'rewardPercentiles[1]: must be a rising number from 0 to 100'],
  [['0x1', 'latest', [101]], 'rewardPercentiles[0]: must be a rising number from 0 to 100'],
  [[1.5, 'latest'], 'blockCount: must be a 0x hex string, not a JSON number'],
  [[-1, 'latest'], 'blockCount: must be a 0x hex string, not a JSON number'],
])('given params %j, then they are -32602', async (params, data) => {
  const { rpc } = await createTestNode()
  expect(await errorOf(rpc('eth_feeHistory', ...params))).toMatchObject({ code: -32602, data })
})
