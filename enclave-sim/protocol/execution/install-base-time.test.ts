import { hexToBytes } from '@ethereumjs/util'
import { encodeFunctionData, toFunctionSelector, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { baseTimeAbi } from '#fixtures/contracts/BaseTime.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import type { Alloc, AllocAccount } from '../types/account.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { Schedule } from '../types/schedule.ts'
import { openTestBlock } from './test-block.ts'

// base/base, base_time.rs of the EVM; the slots are those of EIP-1967.
const PROXY: Address = '0x4200000000000000000000000000000000000030'
const IMPLEMENTATION: Address = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30030'
const LINK: Hash = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const ADMIN: Hash = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
const PART: Hash = `0x${'0'.repeat(64)}`
const USER: Address = '0x00000000000000000000000000000000000000a1'
/** Of the block that openTestBlock opens. */
const TIME = 1_700_000_002
const NOW: Schedule = { denim: TIME }
/** The whole deposit of block 9 at 600 ms, by the layout of base/base, base_time.rs. */
const DEPOSIT_OF_BLOCK_9 =
  '0x7ef877a0821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d94deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000308080830f424080a486bdf3940000000000000000000000000000000000000000000000000000000000000258'

const word = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`
const proxy: AllocAccount = {
  nonce: 1n,
  code: loadContract('Proxy').deployedBytecode,
  storage: { [ADMIN]: word('0x4200000000000000000000000000000000000018') },
}

async function open(account: AllocAccount | undefined, upgrades: Schedule) {
  const alloc: Alloc = { [USER]: { balance: 1n }, ...(account && { [PROXY]: account }) }
  const opened = await openTestBlock(alloc, { upgrades })
  const call = async (functionName: 'timestampMs' | 'timestampMillisPart', changes = {}) => {
    const stateRoot = (await opened.block.checkpoint()).stateRoot
    const scratch = opened.executor.openScratch({ store: opened.store, stateRoot })
    const data = hexToBytes(encodeFunctionData({ abi: baseTimeAbi, functionName }))
    const message = { from: USER, to: PROXY, data, value: 0n, gas: 100_000n }
    const environment = { ...opened.block.environment, ...changes }
    return scratch.call(message, { environment, validate: false })
  }
  return { ...opened, call }
}

describe('BaseTime', () => {
  test('given its interface, then its selectors are those that Base publishes', () => {
    const selector = (text: string) => toFunctionSelector(text)
    expect(selector('setTimestampMillisPart(uint16)')).toBe('0x86bdf394')
    expect(selector('timestampMillisPart()')).toBe('0x7b2fea99')
    expect(selector('timestampMs()')).toBe('0x5745a677')
    const names = baseTimeAbi.map((item) => ('name' in item ? item.name : ''))
    expect(names).toEqual(
      expect.arrayContaining(['setTimestampMillisPart', 'timestampMillisPart', 'timestampMs']),
    )
  })

  test("given Denim's first block, then BaseTime stands behind its proxy before any transaction, and no nonce has changed", async () => {
    const { block, call } = await open(proxy, NOW)
    expect(toHex(await block.state.getCode(IMPLEMENTATION))).toBe(
      loadContract('BaseTime').deployedBytecode,
    )
    expect(await block.state.getStorage(PROXY, LINK)).toBe(word(IMPLEMENTATION))
    expect(await block.state.getNonce(IMPLEMENTATION)).toBe(0n)
    expect(await block.state.getNonce(PROXY)).toBe(1n)
    expect(BigInt(toHex((await call('timestampMs')).output))).toBe(BigInt(TIME) * 1000n)
  })

  test('given the block before, then the proxy stands for nothing and a call reverts', async () => {
    const { block, call } = await open(proxy, { denim: TIME + 1 })
    expect(await block.state.getStorage(PROXY, LINK)).toBe(PART)
    expect(await block.state.getCode(IMPLEMENTATION)).toHaveLength(0)
    expect((await call('timestampMs')).status).toBe(0)
  })

  test('given the deposit of 600 ms, then the slot has it in its low bytes and both views tell it', async () => {
    const { block, call } = await open(proxy, NOW)
    const receipt = await block.execute(decodeTransaction(hexToBytes(DEPOSIT_OF_BLOCK_9)))
    expect(receipt).toMatchObject({ status: 1, logs: [] })
    expect(await block.state.getStorage(PROXY, PART)).toBe(`0x${'258'.padStart(64, '0')}`)
    expect(BigInt(toHex((await call('timestampMillisPart')).output))).toBe(600n)
    expect(BigInt(toHex((await call('timestampMs')).output))).toBe(BigInt(TIME) * 1000n + 600n)
    // base/contracts, BaseTime.t.sol: at second 1725.
    const at1725 = await call('timestampMs', { timestamp: 1725n })
    expect(BigInt(toHex(at1725.output))).toBe(1_725_600n)
  })

  test.each([
    ['a user', USER, 200, '0x3c7b5203'],
    ['a user with a wrong part, whose right is asked first', USER, 1, '0x3c7b5203'],
    ...[1, 100, 199, 201, 999, 1000].map(
      (part) =>
        [`${part} ms`, '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001', part, '0xceb5df05'] as const,
    ),
  ] as const)('given %s, then the setter reverts by name', async (_, from, part, error) => {
    const { executor, store, block } = await open(proxy, NOW)
    const { stateRoot } = await block.checkpoint()
    const scratch = executor.openScratch({ store, stateRoot })
    const functionName = 'setTimestampMillisPart'
    const data = hexToBytes(encodeFunctionData({ abi: baseTimeAbi, functionName, args: [part] }))
    const { output, halt } = await scratch.call(
      { from, to: PROXY, data, value: 0n, gas: 100_000n },
      { environment: block.environment, validate: false },
    )
    expect(halt?.kind).toBe('revert')
    expect(toHex(output)).toBe(error)
  })

  test('given a proxy that stands for something already, then that stays', async () => {
    const other = word(USER)
    const { block } = await open({ ...proxy, storage: { ...proxy.storage, [LINK]: other } }, NOW)
    expect(await block.state.getStorage(PROXY, LINK)).toBe(other)
    expect(await block.state.getCode(IMPLEMENTATION)).toHaveLength(0)
  })

  test.each([
    ['no proxy', undefined, 'does not exist'],
    ['a proxy without code', { nonce: 1n, storage: proxy.storage! }, 'has no code'],
    ['a proxy of somebody', { ...proxy, storage: { [ADMIN]: word(USER) } }, 'has the admin'],
  ])('given %s, then no block of Denim can be', async (_, account, why) => {
    await expect(open(account, NOW)).rejects.toMatchObject({
      code: 'BASE_TIME_PROXY_UNFIT',
      message: expect.stringContaining(why),
    })
  })
})
