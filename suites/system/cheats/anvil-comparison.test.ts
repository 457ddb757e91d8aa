import { numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { type CheatNode, request, startCheatNode } from './cheat-node.ts'

const someone = `0x${'5a'.repeat(20)}`
const contract = `0x${'c0'.repeat(20)}`
const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

let node: CheatNode
let anvil: AnvilProcess
beforeAll(async () => {
  node = await startCheatNode({ manual: true })
  anvil = new AnvilProcess({ port: 0, chainId: node.client.chain.id, network: 'optimism' })
  await anvil.start()
})
afterAll(async () => {
  await anvil.stop()
  await node.stop()
})

type Step = [method: string, ...params: unknown[]]

/**
 * Runs the same steps on both; errors come out as their code. Left out is where we differ on
 * purpose: two blocks never have one time here, and a snapshot that an earlier one outlived is `false`
 * as in Hardhat.
 */
async function onBoth(steps: readonly Step[]) {
  const run = async (url: string) => {
    const results: unknown[] = []
    for (const [method, ...params] of steps) {
      const result = await request(url, method, params).catch(({ code }) => ({ code }))
      results.push([method, result ?? null])
    }
    return results
  }
  const [ours, theirs] = await Promise.all([run(node.url), run(`http://127.0.0.1:${anvil.port}`)])
  return { ours, theirs }
}

test.each<[string, Step[]]>([
  [
    'accounts',
    [
      ['anvil_setBalance', someone, '0xde0b6b3a7640000'],
      ['hardhat_setBalance', someone, '0xde0b6b3a7640005'],
      ['anvil_addBalance', someone, '0x1'],
      ['eth_getBalance', someone, 'latest'],
      ['anvil_setCode', contract, '0x5f545f5260205ff3'],
      ['anvil_setNonce', someone, '0x5'],
      ['evm_setAccountNonce', someone, '0x6'],
      ['anvil_setStorageAt', contract, '0x0', pad('0x4d')],
      ['eth_getCode', contract, 'latest'],
      ['eth_getStorageAt', contract, '0x0', 'latest'],
      ['eth_getTransactionCount', someone, 'latest'],
      ['eth_call', { to: contract }, 'latest'],
      ['anvil_setBalance', '0x12', '0x1'],
    ],
  ],
  [
    'signing',
    [
      ['eth_accounts'],
      ['personal_sign', '0x1234', alice],
      ['eth_sign', alice, '0x1234'],
      [
        'eth_signTypedData_v4',
        alice,
        {
          types: {
            EIP712Domain: [{ name: 'name', type: 'string' }],
            A: [{ name: 'x', type: 'uint256' }],
          },
          primaryType: 'A',
          domain: { name: 'n' },
          message: { x: 1 },
        },
      ],
      ['eth_sign', someone, '0x12'],
      ['eth_sendTransaction', { from: someone, to: bob, gas: '0x5208' }],
    ],
  ],
  [
    'impersonation',
    [
      ['anvil_impersonateAccount', contract],
      ['anvil_setBalance', contract, '0xde0b6b3a7640000'],
      ['evm_mine'],
      ['anvil_stopImpersonatingAccount', contract],
      ['eth_sendTransaction', { from: contract, to: bob, gas: '0x5208' }],
      ['anvil_autoImpersonateAccount', true],
      ['anvil_autoImpersonateAccount', false],
    ],
  ],
  [
    'snapshots',
    [
      ['evm_snapshot'],
      ['anvil_setBalance', someone, '0x7'],
      ['evm_mine'],
      ['evm_snapshot'],
      ['evm_revert', '0x0'],
      ['eth_getBalance', someone, 'latest'],
      ['evm_revert', '0x0'],
      ['evm_revert', '0x63'],
    ],
  ],
  [
    'time',
    [
      ['evm_setNextBlockTimestamp', numberToHex(3_000_000_000)],
      ['evm_mine'],
      ['evm_setNextBlockTimestamp', '0x1'],
      ['evm_mine', numberToHex(3_000_000_100)],
      ['evm_mine', { timestamp: 3_000_000_200 }],
      ['anvil_setBlockTimestampInterval', 3],
      ['anvil_mine', '0x2'],
      ['anvil_removeBlockTimestampInterval'],
      ['anvil_removeBlockTimestampInterval'],
    ],
  ],
  [
    'the pool and the chain',
    [
      ['anvil_dropTransaction', pad('0x12')],
      ['anvil_dropAllTransactions'],
      ['txpool_status'],
      ['txpool_content'],
      ['txpool_inspect'],
      ['anvil_reorg', 100_000, []],
      ['anvil_rollback', 100_000],
      ['anvil_reorg', 1, [['0x', 1]]],
      ['anvil_rollback', 1],
      ['evm_setBlockGasLimit', '0x1c9c380'],
      ['anvil_setLoggingEnabled', true],
    ],
  ],
])('given the same steps about %s, rollbed answers as anvil does', async (_, steps) => {
  const { ours, theirs } = await onBoth(steps)
  expect(ours).toEqual(theirs)
})

test('given a transaction to sign, then the bytes are those of anvil', async () => {
  const transaction = {
    ...{ from: alice, to: bob, value: '0x1', nonce: '0x0', gas: '0x5208' },
    ...{ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
  }
  const sign = (url: string) => request(url, 'eth_signTransaction', [transaction])
  const raw = await sign(`http://127.0.0.1:${anvil.port}`)
  expect(await sign(node.url)).toMatchObject({ raw })
})

test('given the same times, blocks carry the same timestamps', async () => {
  const timestamps = async (url: string) => {
    const times: number[] = []
    for (const [method, ...params] of [
      ['evm_setNextBlockTimestamp', 4_000_000_000],
      ['evm_mine'],
      ['anvil_setBlockTimestampInterval', 7],
      ['evm_mine'],
      ['anvil_mine', '0x3'],
      ['anvil_removeBlockTimestampInterval'],
      ['evm_mine', { timestamp: 4_000_001_000 }],
    ] as Step[]) {
      await request(url, method, params)
      const block = await request(url, 'eth_getBlockByNumber', ['latest', false])
      times.push(Number((block as { timestamp: string }).timestamp))
    }
    return times
  }
  expect(await timestamps(node.url)).toEqual(await timestamps(`http://127.0.0.1:${anvil.port}`))
})
