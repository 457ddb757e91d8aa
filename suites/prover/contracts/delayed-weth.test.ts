import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { delayedWETHAbi } from '#fixtures/contracts/DelayedWETH.abi'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import { genesisRoot, type ProofStack, startProofStack } from './proof-stack.ts'
import { walletOf } from './wallet-of.ts'

let stack: ProofStack
const holder = userKeys[3]!

beforeAll(async () => {
  stack = await startProofStack()
})
afterAll(() => stack.stop())

const weth = () => ({ address: stack.contracts.delayedWETH, abi: delayedWETHAbi })
const balanceOf = ({ address }: DevKey) =>
  stack.client.readContract({ ...weth(), functionName: 'balanceOf', args: [address] })

test('given ether with calldata of no function, then it is a deposit', async () => {
  const wallet = walletOf(stack.l1.rpcUrl, stack.client.chain, holder)
  const data: Hex = '0xdeadbeef'
  await wallet.sendTransaction({ to: weth().address, value: parseEther('3'), data, gas: 100_000n })
  await stack.l1.mine()
  expect(await balanceOf(holder)).toBe(parseEther('3'))
})

test('given a stranger, when it holds or recovers, then it reverts', async () => {
  const refusal = 'DelayedWETH: not owner'
  const hold = { ...weth(), functionName: 'hold', args: [holder.address] } as const
  const recover = { ...weth(), functionName: 'recover', args: [1n] } as const
  expect(await stack.revertOf(holder, hold)).toBe(refusal)
  expect(await stack.revertOf(holder, recover)).toBe(refusal)
})

test('given the owner, when it holds, then a part or all of a balance is its own', async () => {
  const one = parseEther('1')
  await stack.send(stack.owner, { ...weth(), functionName: 'hold', args: [holder.address, one] })
  expect([await balanceOf(holder), await balanceOf(stack.owner)]).toEqual([2n * one, one])
  await stack.send(stack.owner, { ...weth(), functionName: 'hold', args: [holder.address] })
  expect([await balanceOf(holder), await balanceOf(stack.owner)]).toEqual([0n, 3n * one])
})

test('given the owner, when it recovers more than there is, then it gets what there is', async () => {
  const { address } = weth()
  const held = await stack.client.getBalance({ address })
  const before = await stack.client.getBalance({ address: roleKeys.deployer.address })
  const call = { ...weth(), functionName: 'recover', args: [held + 1n] } as const
  const receipt = await stack.send(stack.owner, call)
  const after = await stack.client.getBalance({ address: roleKeys.deployer.address })
  const fee = receipt.gasUsed * receipt.effectiveGasPrice
  expect([await stack.client.getBalance({ address }), after - before]).toEqual([0n, held - fee])
})

test('given the superchain configuration that contracts name, then it says whether the system is paused', async () => {
  const { contracts, client } = stack
  const anchors = { address: contracts.anchorStateRegistry, abi: anchorStateRegistryAbi } as const
  const config = await client.readContract({ ...anchors, functionName: 'superchainConfig' })
  expect(await client.readContract({ ...weth(), functionName: 'config' })).toBe(config)
  const paused = { address: config, abi: systemConfigAbi, functionName: 'paused' } as const
  expect(await client.readContract({ ...paused, args: [contracts.optimismPortal] })).toBe(false)
  await stack.send(stack.owner, { ...paused, functionName: 'setPaused', args: [true] })
  expect(await client.readContract({ ...paused, args: [contracts.optimismPortal] })).toBe(true)
  expect(await client.readContract({ ...anchors, functionName: 'anchors', args: [0] })).toEqual([
    genesisRoot,
    0n,
  ])
})
