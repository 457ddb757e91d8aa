import {
  concatHex,
  decodeFunctionData,
  type Hex,
  numberToHex,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { l1StandardBridgeAbi } from '#fixtures/contracts/L1StandardBridge.abi'
import { l2StandardBridgeAbi } from '#fixtures/contracts/L2StandardBridge.abi'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { decodeRelayed } from './decode-relayed.ts'
import { type ProofStack, startProofStack } from './proof-stack.ts'

const user = userKeys[0]!
const target = userKeys[1]!.address

let stack: ProofStack

beforeAll(async () => {
  stack = await startProofStack()
})

afterAll(() => stack.stop())

const deposit = (to: Hex, value: bigint, gas: bigint, isCreation: boolean, data: Hex, mint = 0n) =>
  ({
    address: stack.contracts.optimismPortal,
    abi: optimismPortalAbi,
    functionName: 'depositTransaction',
    args: [to, value, gas, isCreation, data],
    value: mint,
  }) as const

function deposited({ logs }: TransactionReceipt) {
  const [event] = parseEventLogs({
    abi: optimismPortalAbi,
    eventName: 'TransactionDeposited',
    logs,
  })
  if (!event) throw new Error('nothing was deposited')
  return event.args
}

/** opaqueData of version 0 (OP spec: deposits). */
function opaqueData(mint: bigint, value: bigint, gas: bigint, isCreation: boolean, data: Hex) {
  return concatHex([
    numberToHex(mint, { size: 32 }),
    numberToHex(value, { size: 32 }),
    numberToHex(gas, { size: 8 }),
    isCreation ? '0x01' : '0x00',
    data,
  ])
}

/** OP spec: deposits, "Address Aliasing". */
function alias(address: Hex): Hex {
  const offset = 0x1111000000000000000000000000000000001111n
  return numberToHex(BigInt.asUintN(160, BigInt(address) + offset), { size: 20 })
}

describe('OptimismPortal', () => {
  test('given an account, when it deposits, then the event has mint, value, gas, kind, data', async () => {
    const receipt = await stack.send(user, deposit(target, 5n, 100_000n, false, '0xc0ffee', 7n))
    const event = deposited(receipt)
    expect(event.from.toLowerCase()).toBe(user.address)
    expect(event.to.toLowerCase()).toBe(target)
    expect(event.version).toBe(0n)
    expect(event.opaqueData).toBe(opaqueData(7n, 5n, 100_000n, false, '0xc0ffee'))
  })

  test('given plain ether, then it is deposited to its sender with 100,000 gas', async () => {
    const { client, contracts, l1 } = stack
    const hash = await client.request({
      method: 'eth_sendTransaction',
      params: [{ from: user.address, to: contracts.optimismPortal, value: '0x9' }],
    } as never)
    await l1.mine()
    const event = deposited(await client.getTransactionReceipt({ hash: hash as Hex }))
    expect(event.to.toLowerCase()).toBe(user.address)
    expect(event.opaqueData).toBe(opaqueData(9n, 9n, 100_000n, false, '0x'))
  })

  test('given a creation, then its flag is set', async () => {
    const receipt = await stack.send(
      user,
      deposit(`0x${'00'.repeat(20)}`, 0n, 100_000n, true, '0x00'),
    )
    expect(deposited(receipt).opaqueData).toBe(opaqueData(0n, 0n, 100_000n, true, '0x00'))
  })

  test('given a creation with a target, then it reverts', async () => {
    expect(await stack.revertOf(user, deposit(target, 0n, 100_000n, true, '0x'))).toBe(
      'OptimismPortal_BadTarget()',
    )
  })

  test('given less than 21,000 gas and 40 a byte, then it reverts', async () => {
    const withGas = (gas: bigint) => deposit(target, 0n, gas, false, '0xaabbcc')
    expect(await stack.revertOf(user, withGas(21_119n))).toBe('OptimismPortal_GasLimitTooLow()')
    expect(await stack.revertOf(user, withGas(21_120n))).toBeUndefined()
  })

  test('given more than 120,000 bytes, then it reverts', async () => {
    const data: Hex = `0x${'00'.repeat(120_001)}`
    expect(await stack.revertOf(user, deposit(target, 0n, 6_000_000n, false, data))).toBe(
      'OptimismPortal_CalldataTooLarge()',
    )
  })
})

describe('L1StandardBridge', () => {
  test('given ether, when bridged, then the aliased messenger deposits a message to the L2 bridge', async () => {
    const receipt = await stack.send(user, {
      address: stack.contracts.l1StandardBridge,
      abi: l1StandardBridgeAbi,
      functionName: 'bridgeETHTo',
      args: [target, 100_000, '0xee'],
      value: 12n,
    })
    const event = deposited(receipt)
    expect(event.from.toLowerCase()).toBe(alias(stack.contracts.l1CrossDomainMessenger))
    expect(event.to.toLowerCase()).toBe(predeploys.l2CrossDomainMessenger)
    // mint and value are 12 wei; the message follows 32 + 32 + 8 + 1 bytes.
    expect(event.opaqueData.slice(2, 130)).toBe('c'.padStart(64, '0').repeat(2))
    const message = decodeRelayed(`0x${event.opaqueData.slice(2 + 2 * 73)}`)
    expect(message.nonce).toBe(1n << 240n)
    expect(message.sender.toLowerCase()).toBe(stack.contracts.l1StandardBridge)
    expect(message.target.toLowerCase()).toBe(predeploys.l2StandardBridge)
    expect(message.value).toBe(12n)
    const call = decodeFunctionData({ abi: l2StandardBridgeAbi, data: message.inner })
    expect(call.functionName).toBe('finalizeBridgeETH')
    expect(
      JSON.stringify(call.args, (_, arg) =>
        typeof arg === 'bigint' ? Number(arg) : arg,
      ).toLowerCase(),
    ).toBe(JSON.stringify([user.address, target, 12, '0xee']))
  })
})
