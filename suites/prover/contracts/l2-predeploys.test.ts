import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseEther,
  parseEventLogs,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { feeVaultAbi } from '#fixtures/contracts/FeeVault.abi'
import { l2CrossDomainMessengerAbi } from '#fixtures/contracts/L2CrossDomainMessenger.abi'
import { l2StandardBridgeAbi } from '#fixtures/contracts/L2StandardBridge.abi'
import { l2ToL1MessagePasserAbi } from '#fixtures/contracts/L2ToL1MessagePasser.abi'
import { weth9Abi } from '#fixtures/contracts/WETH9.abi'
import {
  feeRecipient,
  l1CrossDomainMessenger,
  l1StandardBridge,
  type PredeployChain,
  startPredeployChain,
} from './predeploy-chain.ts'
import { revertOf } from './revert-of.ts'

const user = userKeys[0]!.address
const target = userKeys[1]!.address
/** l1CrossDomainMessenger + 0x1111000000000000000000000000000000001111. */
const aliasedMessenger: Hex = '0xb2b2a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1b2b2'

let chain: PredeployChain

beforeAll(async () => {
  chain = await startPredeployChain('jovian')
})

afterAll(() => chain.stop())

beforeEach(() => chain.rewindPoint())

const balance = (address: Hex) => chain.client.getBalance({ address })

describe('L2ToL1MessagePasser', () => {
  test('given a withdrawal, then its hash is in sentMessages and in the event', async () => {
    const receipt = await chain.sendAs(
      user,
      predeploys.l2ToL1MessagePasser,
      encodeFunctionData({
        abi: l2ToL1MessagePasserAbi,
        functionName: 'initiateWithdrawal',
        args: [target, 50_000n, '0xabcd'],
      }),
      4n,
    )
    const types = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes']
    const hash = keccak256(
      encodeAbiParameters(
        types.map((type) => ({ type })),
        [1n << 240n, user, target, 4n, 50_000n, '0xabcd'],
      ),
    )
    const [event] = parseEventLogs({ abi: l2ToL1MessagePasserAbi, logs: receipt.logs })
    expect(event).toMatchObject({
      eventName: 'MessagePassed',
      args: {
        nonce: 1n << 240n,
        value: 4n,
        gasLimit: 50_000n,
        data: '0xabcd',
        withdrawalHash: hash,
      },
    })
    // sentMessages is the mapping of slot 0: what withdrawal proofs rely on.
    const slot = keccak256(
      encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [hash, 0n]),
    )
    expect(await chain.client.getStorageAt({ address: predeploys.l2ToL1MessagePasser, slot })).toBe(
      numberToHex(1n, { size: 32 }),
    )
  })

  test('given withdrawn ether, when burnt, then it is gone', async () => {
    await chain.sendAs(user, predeploys.l2ToL1MessagePasser, '0x', 4n)
    expect(await balance(predeploys.l2ToL1MessagePasser)).toBe(4n)
    const data = encodeFunctionData({ abi: l2ToL1MessagePasserAbi, functionName: 'burn' })
    const receipt = await chain.sendAs(user, predeploys.l2ToL1MessagePasser, data)
    expect(receipt.status).toBe('success')
    expect(await balance(predeploys.l2ToL1MessagePasser)).toBe(0n)
  })
})

describe('L2CrossDomainMessenger and L2StandardBridge', () => {
  function relay(inner: Hex, sender: Hex, to: Hex, value: bigint, nonce = 1n << 240n) {
    return encodeFunctionData({
      abi: l2CrossDomainMessengerAbi,
      functionName: 'relayMessage',
      args: [nonce, sender, to, value, 200_000n, inner],
    })
  }
  const finalize = encodeFunctionData({
    abi: l2StandardBridgeAbi,
    functionName: 'finalizeBridgeETH',
    args: [user, target, 12n, '0x'],
  })
  const bridged = () => relay(finalize, l1StandardBridge, predeploys.l2StandardBridge, 12n)
  const messenger = predeploys.l2CrossDomainMessenger

  test('given a deposit of the L1 bridge, then the ether arrives', async () => {
    const before = await balance(target)
    await chain.sendAs(aliasedMessenger, messenger, bridged(), 12n)
    expect((await balance(target)) - before).toBe(12n)
  })

  test('given the same message twice, then the second reverts', async () => {
    await chain.sendAs(aliasedMessenger, messenger, bridged(), 12n)
    const second = await chain.sendAs(aliasedMessenger, messenger, bridged(), 12n)
    expect(second.status).toBe('reverted')
  })

  test('given a message of somebody else on L1, then the bridge pays nothing and it can be replayed', async () => {
    const before = await balance(target)
    const data = relay(finalize, user, predeploys.l2StandardBridge, 12n)
    const receipt = await chain.sendAs(aliasedMessenger, messenger, data, 12n)
    const [event] = parseEventLogs({ abi: l2CrossDomainMessengerAbi, logs: receipt.logs })
    expect(event?.eventName).toBe('FailedRelayedMessage')
    expect(await balance(target)).toBe(before)
    expect((await chain.sendAs(user, messenger, data)).status).toBe('success')
  })

  test('given anyone but the aliased messenger, then nothing is relayed', async () => {
    expect((await chain.sendAs(user, messenger, bridged(), 12n)).status).toBe('reverted')
    const unpaid = relay(finalize, l1StandardBridge, predeploys.l2StandardBridge, 0n)
    expect((await chain.sendAs(user, messenger, unpaid)).status).toBe('reverted')
    expect((await chain.sendAs(l1CrossDomainMessenger, messenger, bridged(), 12n)).status).toBe(
      'reverted',
    )
  })

  test('given ether for L1, then it leaves through the message passer', async () => {
    const data = encodeFunctionData({
      abi: l2StandardBridgeAbi,
      functionName: 'bridgeETHTo',
      args: [target, 100_000, '0x'],
    })
    const receipt = await chain.sendAs(user, predeploys.l2StandardBridge, data, 5n)
    const [passed] = parseEventLogs({ abi: l2ToL1MessagePasserAbi, logs: receipt.logs })
    expect(passed?.args).toMatchObject({ value: 5n })
    expect(await balance(predeploys.l2ToL1MessagePasser)).toBe(5n)
  })
})

describe('the other predeploys', () => {
  test.each(['sequencerFeeVault', 'baseFeeVault', 'l1FeeVault', 'operatorFeeVault'] as const)(
    'given fees in the %s, when withdrawn, then the recipient has them',
    async (vault) => {
      await chain.sendAs(user, predeploys[vault], '0x', 8n)
      const before = await balance(feeRecipient)
      const data = encodeFunctionData({ abi: feeVaultAbi, functionName: 'withdraw' })
      expect((await chain.sendAs(user, predeploys[vault], data)).status).toBe('success')
      expect((await balance(feeRecipient)) - before).toBe(8n)
    },
  )

  test('given ether, when wrapped and unwrapped, then it comes back', async () => {
    await chain.sendAs(user, predeploys.weth9, '0x', parseEther('0.25'))
    const held = await chain.client.readContract({
      address: predeploys.weth9,
      abi: weth9Abi,
      functionName: 'balanceOf',
      args: [user],
    })
    expect(held).toBe(parseEther('0.25'))
    const data = encodeFunctionData({
      abi: weth9Abi,
      functionName: 'withdraw',
      args: [parseEther('0.25')],
    })
    expect((await chain.sendAs(user, predeploys.weth9, data)).status).toBe('success')
    expect(await balance(predeploys.weth9)).toBe(0n)
  })

  test('given less than it takes, then wrapped ether stays where it is', async () => {
    const token = { address: predeploys.weth9, abi: weth9Abi }
    const send = { ...token, functionName: 'transfer', args: [target, 5n] } as const
    expect(await revertOf(chain.client, user, send)).toBe(`InsufficientBalance(${user}, 0, 5)`)
    await chain.sendAs(user, predeploys.weth9, '0x', 5n)
    expect(await revertOf(chain.client, user, send)).toBeUndefined()
    const take = { ...token, functionName: 'transferFrom', args: [user, target, 5n] } as const
    expect(await revertOf(chain.client, target, take)).toBe(
      `InsufficientAllowance(${target}, 0, 5)`,
    )
  })
})
