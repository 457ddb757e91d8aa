import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { baseTimeAbi } from '#fixtures/contracts/BaseTime.abi'
import { proxyAbi } from '#fixtures/contracts/Proxy.abi'
import { depositor } from './l1-attributes.ts'
import { type PredeployChain, startPredeployChain } from './predeploy-chain.ts'
import { revertOf } from './revert-of.ts'

// base/base, base_time.rs of the EVM.
const address: Hex = '0x4200000000000000000000000000000000000030'
const implementation: Hex = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30030'
const admin: Hex = '0x4200000000000000000000000000000000000018'
const user = userKeys[0]!.address
const call = { address, abi: baseTimeAbi } as const

let chain: PredeployChain

beforeAll(async () => {
  chain = await startPredeployChain('jovian', { baseTime: 'works' })
})

afterAll(() => chain.stop())

beforeEach(() => chain.rewindPoint())

const set = (part: number) =>
  encodeFunctionData({ abi: baseTimeAbi, functionName: 'setTimestampMillisPart', args: [part] })

describe('BaseTime', () => {
  test.each([0, 200, 400, 600, 800])(
    'given the deposit of %i ms, then slot 0 and both views tell it',
    async (part) => {
      await chain.sendAs(depositor, address, set(part))
      const { timestamp } = await chain.client.getBlock()
      const read = (functionName: 'timestampMillisPart' | 'timestampMs') =>
        chain.client.readContract({ ...call, functionName })
      expect(await read('timestampMillisPart')).toBe(part)
      expect(await read('timestampMs')).toBe(timestamp * 1000n + BigInt(part))
      expect(await chain.client.getStorageAt({ address, slot: '0x0' })).toBe(
        numberToHex(part, { size: 32 }),
      )
      expect(await chain.client.readContract({ ...call, functionName: 'version' })).toBe('1.0.0')
    },
  )

  test('given somebody else, or a part that is no fifth of a second, then it reverts by name', async () => {
    const setter = { ...call, functionName: 'setTimestampMillisPart' } as const
    const by = (from: Hex, part: number) =>
      revertOf(chain.client, from, { ...setter, args: [part] })
    expect(await by(user, 1)).toBe('BaseTime_NotDepositor()')
    expect(await by(depositor, 1)).toBe('BaseTime_InvalidTimestampMillisPart()')
    expect(await by(depositor, 1000)).toBe('BaseTime_InvalidTimestampMillisPart()')
    expect(await by(depositor, 800)).toBeUndefined()
  })
})

describe('its proxy', () => {
  const ask = (from: Hex, functionName: 'admin' | 'implementation') =>
    chain.client.simulateContract({ address, abi: proxyAbi, functionName, account: from })

  test('given its admin, then it tells of itself, and of somebody else it hands the question on', async () => {
    expect((await ask(admin, 'admin')).result.toLowerCase()).toBe(admin)
    expect((await ask(admin, 'implementation')).result.toLowerCase()).toBe(implementation)
    await expect(ask(user, 'admin')).rejects.toThrow(/reverted/)
  })

  test('given that its admin exchanges what it stands for, then calls go there, and without it they revert', async () => {
    const data = encodeFunctionData({ abi: proxyAbi, functionName: 'upgradeTo', args: [user] })
    expect((await chain.sendAs(user, address, data)).status).toBe('reverted')
    expect((await chain.sendAs(admin, address, data)).status).toBe('success')
    expect((await ask(admin, 'implementation')).result.toLowerCase()).toBe(user)
    const nowhere = encodeFunctionData({
      abi: proxyAbi,
      functionName: 'upgradeTo',
      args: [`0x${'00'.repeat(20)}`],
    })
    await chain.sendAs(admin, address, nowhere)
    const setter = { ...call, functionName: 'setTimestampMillisPart', args: [200] } as const
    expect(await revertOf(chain.client, depositor, setter)).toBe(
      'Proxy: implementation not initialized',
    )
  })

  test('given another admin, then the old one is a caller like any', async () => {
    const data = encodeFunctionData({ abi: proxyAbi, functionName: 'changeAdmin', args: [user] })
    await chain.sendAs(admin, address, data)
    expect((await ask(user, 'admin')).result.toLowerCase()).toBe(user)
    await expect(ask(admin, 'admin')).rejects.toThrow(/reverted/)
  })
})
