import {
  decodeErrorResult,
  decodeFunctionData,
  encodeFunctionData,
  erc721Abi,
  getAddress,
  type Hex,
  multicall3Abi,
  numberToHex,
  parseEventLogs,
  type TransactionReceipt,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { l1ChainId, predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { l1ERC721BridgeAbi } from '#fixtures/contracts/L1ERC721Bridge.abi'
import { l2CrossDomainMessengerAbi } from '#fixtures/contracts/L2CrossDomainMessenger.abi'
import { l2ERC721BridgeAbi } from '#fixtures/contracts/L2ERC721Bridge.abi'
import { l2ToL1MessagePasserAbi } from '#fixtures/contracts/L2ToL1MessagePasser.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { optimismMintableERC721Abi } from '#fixtures/contracts/OptimismMintableERC721.abi'
import { optimismMintableERC721FactoryAbi } from '#fixtures/contracts/OptimismMintableERC721Factory.abi'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { testNftAbi } from '#fixtures/contracts/TestNft.abi'
import { decodeRelayed } from './decode-relayed.ts'
import { type PredeployChain, startPredeployChain } from './predeploy-chain.ts'
import { type ProofStack, startProofStack } from './proof-stack.ts'
import { revertOf } from './revert-of.ts'
import { walletOf } from './wallet-of.ts'

const [owner, other] = userKeys.slice(0, 2) as [(typeof userKeys)[0], (typeof userKeys)[0]]
const multicall3: Hex = '0xca11bde05977b3631167028862be2a173976ca11'
const tokenId = 42n
const onlyFromBridge = 'ERC721Bridge: function can only be called from the other bridge'

let l1: ProofStack
let l2: PredeployChain
/** A token of L1, and what stands for it on L2. */
let token: Hex
let standIn: Hex

beforeAll(async () => {
  l1 = await startProofStack()
  l2 = await startPredeployChain('jovian', l1.contracts)
  const wallet = walletOf(l1.l1.rpcUrl, l1.client.chain, owner)
  const { bytecode } = loadContract('TestNft')
  const hash = await wallet.deployContract({ abi: testNftAbi, bytecode, args: ['Cats', 'CAT'] })
  await l1.l1.mine()
  token = (await l1.client.getTransactionReceipt({ hash })).contractAddress!
  await l1.send(owner, nft('mint', [owner.address, tokenId]))
  standIn = created(await create(token, 'Cats', 'CAT')).localToken
})
afterAll(() => Promise.all([l1?.stop(), l2?.stop()]))

beforeEach(async () => {
  const rewind = [await l1.rewindPoint(), await l2.rewindPoint()]
  return async () => {
    for (const back of rewind) await back()
  }
})

const nft = (functionName: string, args: readonly unknown[]) =>
  ({ address: token, abi: testNftAbi, functionName, args }) as never
const onL1 = (functionName: string, args: readonly unknown[]) =>
  ({
    address: l1.contracts.l1ERC721Bridge,
    abi: l1ERC721BridgeAbi,
    functionName,
    args,
  }) as never
const onL2 = (functionName: string, args: readonly unknown[]) =>
  ({ address: predeploys.l2ERC721Bridge, abi: l2ERC721BridgeAbi, functionName, args }) as never
const sendOnL2 = (
  from: Hex,
  call: { address: Hex; abi: never; functionName: never; args: never },
) => l2.sendAs(from, call.address, encodeFunctionData(call as never), 0n, 5_000_000n)
const approve = () => l1.send(owner, nft('approve', [l1.contracts.l1ERC721Bridge, tokenId]))
const ownerOnL1 = () =>
  l1.client.readContract({
    address: token,
    abi: erc721Abi,
    functionName: 'ownerOf',
    args: [tokenId],
  })
const onStandIn = (functionName: string, args: readonly unknown[] = []) =>
  ({ address: standIn, abi: optimismMintableERC721Abi, functionName, args }) as never
const readStandIn = (functionName: string, args: readonly unknown[] = []) =>
  l2.client.readContract(onStandIn(functionName, args)) as Promise<unknown>
/** As only the bridge can. */
const mint = (to: Hex, id: bigint) =>
  sendOnL2(predeploys.l2ERC721Bridge, onStandIn('safeMint', [to, id]))

function create(remoteToken: Hex, name: string, symbol: string): Promise<TransactionReceipt> {
  return sendOnL2(owner.address, factory([remoteToken, name, symbol]))
}
const factory = (args: readonly unknown[]) =>
  ({
    address: predeploys.optimismMintableERC721Factory,
    abi: optimismMintableERC721FactoryAbi,
    functionName: 'createOptimismMintableERC721',
    args,
  }) as never
function created({ logs }: TransactionReceipt) {
  const [event] = parseEventLogs({ abi: optimismMintableERC721FactoryAbi, logs })
  if (!event) throw new Error('the factory made no token')
  return event.args
}

/** What a contract, not an account, gets when it calls. */
async function revertOfContract(
  client: ProofStack['client'] | PredeployChain['client'],
  call: { address: Hex; abi: never; functionName: never; args: never },
): Promise<string> {
  const { result } = await client.simulateContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      [{ target: call.address, allowFailure: true, callData: encodeFunctionData(call as never) }],
    ],
    account: owner.address,
  } as never)
  const [{ success, returnData }] = result as unknown as [{ success: boolean; returnData: Hex }]
  if (success) throw new Error('the call of a contract was taken')
  return String(decodeErrorResult({ abi: [], data: returnData }).args)
}

/** The messenger of L1 as L2 sees it (OP spec: deposits, "Address Aliasing"). */
const aliasedMessenger = () =>
  numberToHex(
    BigInt(l1.contracts.l1CrossDomainMessenger) +
      BigInt('0x1111000000000000000000000000000000001111'),
    {
      size: 20,
    },
  )

/** The messenger's call to its other end: after mint, value, gas and kind of the deposit. */
function depositedMessage({ logs }: TransactionReceipt): Hex {
  const [event] = parseEventLogs({
    abi: optimismPortalAbi,
    eventName: 'TransactionDeposited',
    logs,
  })
  if (!event) throw new Error('nothing was deposited')
  return `0x${event.args.opaqueData.slice(2 + 2 * 73)}`
}

const relayed = (data: Hex) =>
  l2.sendAs(aliasedMessenger(), predeploys.l2CrossDomainMessenger, data)

/** A message to the L2 bridge as L1's messenger would send it. */
function message(sender: Hex, args: readonly unknown[]): Hex {
  const inner = encodeFunctionData(onL2('finalizeBridgeERC721', args))
  return encodeFunctionData({
    abi: l2CrossDomainMessengerAbi,
    functionName: 'relayMessage',
    args: [1n << 240n, sender, predeploys.l2ERC721Bridge, 0n, 200_000n, inner],
  })
}

/** Why a relayed message failed. */
async function failure(receipt: TransactionReceipt): Promise<string> {
  const [event] = parseEventLogs({ abi: l2CrossDomainMessengerAbi, logs: receipt.logs })
  expect(event?.eventName).toBe('FailedRelayedMessage')
  const { calls } = (await l2.request('debug_traceTransaction', [
    receipt.transactionHash,
    { tracer: 'callTracer' },
  ])) as { calls: { to: Hex; output: Hex }[] }
  const call = calls.find(({ to }) => to === predeploys.l2ERC721Bridge)!
  return String(decodeErrorResult({ abi: [], data: call.output }).args)
}

describe('L1ERC721Bridge', () => {
  test('given a token of L1, when its owner bridges it, then the bridge keeps it and tells the other one', async () => {
    await approve()
    const call = onL1('bridgeERC721', [token, standIn, tokenId, 200_000, '0xee'])
    const receipt = await l1.send(owner, call)
    const events = parseEventLogs({ abi: l1ERC721BridgeAbi, logs: receipt.logs })
    const [from, to] = [getAddress(owner.address), getAddress(owner.address)]
    expect(events).toMatchObject([
      {
        eventName: 'ERC721BridgeInitiated',
        args: {
          localToken: getAddress(token),
          remoteToken: standIn,
          from,
          to,
          tokenId,
          extraData: '0xee',
        },
      },
    ])
    expect((await ownerOnL1()).toLowerCase()).toBe(l1.contracts.l1ERC721Bridge)
    expect(await l1.client.readContract(onL1('deposits', [token, standIn, tokenId]))).toBe(true)

    const { sender, target, value, minGasLimit, inner } = decodeRelayed(depositedMessage(receipt))
    expect([sender.toLowerCase(), target, value, minGasLimit]).toEqual([
      l1.contracts.l1ERC721Bridge,
      predeploys.l2ERC721Bridge,
      0n,
      200_000n,
    ])
    expect(decodeFunctionData({ abi: l2ERC721BridgeAbi, data: inner })).toEqual({
      functionName: 'finalizeBridgeERC721',
      args: [standIn, getAddress(token), from, to, tokenId, '0xee'],
    })
  })

  test('given a token that the caller may not move, when bridged, then it stays', async () => {
    const call = onL1('bridgeERC721', [token, standIn, tokenId, 200_000, '0x'])
    expect(await l1.revertOf(owner, call)).toBe('ERC721: caller is not token owner or approved')
    await approve()
    expect(await l1.revertOf(other, call)).toBe('ERC721: transfer from incorrect owner')
    expect(await l1.revertOf(owner, call)).toBeUndefined()
  })

  test('given no token, no receiver or a contract that calls, when bridged, then it is refused', async () => {
    await approve()
    const to = (remote: Hex, receiver: Hex) =>
      onL1('bridgeERC721To', [token, remote, receiver, tokenId, 200_000, '0x'])
    expect(await l1.revertOf(owner, to(zeroAddress, other.address))).toBe(
      'ERC721Bridge: remote token cannot be address(0)',
    )
    expect(await l1.revertOf(owner, to(standIn, zeroAddress))).toBe(
      'ERC721Bridge: nft recipient cannot be address(0)',
    )
    expect(await l1.revertOf(owner, to(standIn, other.address))).toBeUndefined()
    const call = onL1('bridgeERC721', [token, standIn, tokenId, 200_000, '0x'])
    expect(await revertOfContract(l1.client, call)).toBe(
      'ERC721Bridge: account is not externally owned',
    )
  })

  test('given anyone but the messenger, when finalised, then it is refused', async () => {
    const args = [token, standIn, owner.address, owner.address, tokenId, '0x']
    expect(await l1.revertOf(owner, onL1('finalizeBridgeERC721', args))).toBe(onlyFromBridge)
    const onOther = onL2('finalizeBridgeERC721', args)
    expect(await revertOf(l2.client, owner.address, onOther)).toBe(onlyFromBridge)
  })

  test('given both bridges, then each names the other, its messenger and whether it is paused', async () => {
    const read = (call: never) => l1.client.readContract(call) as Promise<unknown>
    expect(await read(onL1('otherBridge', []))).toBe(predeploys.l2ERC721Bridge)
    expect(await read(onL1('OTHER_BRIDGE', []))).toBe(predeploys.l2ERC721Bridge)
    const messenger = getAddress(l1.contracts.l1CrossDomainMessenger)
    expect(await read(onL1('messenger', []))).toBe(messenger)
    expect(await read(onL1('MESSENGER', []))).toBe(messenger)
    expect(await read(onL1('systemConfig', []))).toBe(getAddress(l1.contracts.systemConfig))
    expect(await read(onL1('paused', []))).toBe(false)
    const there = (call: never) => l2.client.readContract(call) as Promise<unknown>
    expect(await there(onL2('otherBridge', []))).toBe(getAddress(l1.contracts.l1ERC721Bridge))
    expect(await there(onL2('messenger', []))).toBe(predeploys.l2CrossDomainMessenger)
    expect(await there(onL2('paused', []))).toBe(false)
  })
})

describe('OptimismMintableERC721Factory', () => {
  test('given a token of L1, when its stand-in is made, then it says what it stands for', async () => {
    const receipt = await create(token, 'Dogs', 'DOG')
    const { localToken, remoteToken, deployer } = created(receipt)
    expect([remoteToken, deployer]).toEqual([getAddress(token), getAddress(owner.address)])
    const read = (functionName: string) =>
      l2.client.readContract({
        address: localToken,
        abi: optimismMintableERC721Abi,
        functionName,
      } as never) as Promise<unknown>
    const names = ['name', 'symbol', 'remoteToken', 'REMOTE_TOKEN', 'bridge', 'BRIDGE'] as const
    expect(await Promise.all(names.map(read))).toEqual([
      'Dogs',
      'DOG',
      getAddress(token),
      getAddress(token),
      predeploys.l2ERC721Bridge,
      predeploys.l2ERC721Bridge,
    ])
    expect(await read('remoteChainId')).toBe(BigInt(l1ChainId))
    // EIP-681.
    const base = `ethereum:${token.toLowerCase()}@${l1ChainId}/tokenURI?uint256=`
    expect(await read('baseTokenURI')).toBe(base)
    const isMade = (address: Hex) =>
      l2.client.readContract({
        address: predeploys.optimismMintableERC721Factory,
        abi: optimismMintableERC721FactoryAbi,
        functionName: 'isOptimismMintableERC721',
        args: [address],
      })
    expect([await isMade(localToken), await isMade(token)]).toEqual([true, false])
  })

  test('given the same token twice, or none, when made, then it is refused', async () => {
    expect((await create(token, 'Cats', 'CAT')).status).toBe('reverted')
    expect(await revertOf(l2.client, owner.address, factory([zeroAddress, 'Cats', 'CAT']))).toBe(
      'OptimismMintableERC721Factory: L1 token address cannot be address(0)',
    )
  })
})

describe('L2ERC721Bridge', () => {
  test('given the deposit of L1, when relayed, then the receiver has the token on L2', async () => {
    await approve()
    const args = [token, standIn, other.address, tokenId, 200_000, '0x11']
    const deposit = await l1.send(owner, onL1('bridgeERC721To', args))
    const { logs } = await relayed(depositedMessage(deposit))
    expect(parseEventLogs({ abi: l2ERC721BridgeAbi, logs })).toMatchObject([
      {
        eventName: 'ERC721BridgeFinalized',
        args: {
          localToken: standIn,
          remoteToken: getAddress(token),
          from: getAddress(owner.address),
          to: getAddress(other.address),
          tokenId,
          extraData: '0x11',
        },
      },
    ])
    const onToken = parseEventLogs({ abi: optimismMintableERC721Abi, logs })
    expect(onToken.map(({ eventName }) => eventName)).toEqual(['Transfer', 'Mint'])
    expect(await readStandIn('ownerOf', [tokenId])).toBe(getAddress(other.address))
    expect(await readStandIn('tokenURI', [tokenId])).toBe(
      `ethereum:${token.toLowerCase()}@${l1ChainId}/tokenURI?uint256=42`,
    )
  })

  test('given a message that another sent, or about other tokens, when relayed, then nothing is made', async () => {
    const bridge = l1.contracts.l1ERC721Bridge
    const args = (local: Hex, remote: Hex) => [
      local,
      remote,
      owner.address,
      owner.address,
      7n,
      '0x',
    ]
    const refused = async (sender: Hex, local: Hex, remote: Hex) =>
      failure(await relayed(message(sender, args(local, remote))))
    expect(await refused(owner.address, standIn, token)).toBe(onlyFromBridge)
    expect(await refused(bridge, standIn, other.address)).toBe(
      'L2ERC721Bridge: wrong remote token for Optimism Mintable ERC721 local token',
    )
    expect(await refused(bridge, predeploys.weth9, token)).toBe(
      'L2ERC721Bridge: local token interface is not compliant',
    )
    expect(await refused(bridge, predeploys.l2ERC721Bridge, token)).toBe(
      'ERC721Bridge: local token cannot be self',
    )
    expect(await readStandIn('totalSupply')).toBe(0n)
  })

  test('given a token on L2, when its owner bridges it back, then it is burnt and L1 is told', async () => {
    await mint(owner.address, tokenId)
    const call = onL2('bridgeERC721', [standIn, token, tokenId, 300_000, '0x22'])
    const { logs } = await sendOnL2(owner.address, call)
    const [from, remoteToken] = [getAddress(owner.address), getAddress(token)]
    expect(parseEventLogs({ abi: l2ERC721BridgeAbi, logs })).toMatchObject([
      {
        eventName: 'ERC721BridgeInitiated',
        args: { localToken: standIn, remoteToken, from, to: from, tokenId, extraData: '0x22' },
      },
    ])
    const onToken = parseEventLogs({ abi: optimismMintableERC721Abi, logs })
    expect(onToken.map(({ eventName }) => eventName)).toEqual(['Transfer', 'Burn'])
    expect(await revertOf(l2.client, owner.address, onStandIn('ownerOf', [tokenId]))).toBe(
      'ERC721: invalid token ID',
    )
    const [passed] = parseEventLogs({
      abi: l2ToL1MessagePasserAbi,
      eventName: 'MessagePassed',
      logs,
    })
    const { sender, target, inner } = decodeRelayed(passed!.args.data)
    expect([sender, target.toLowerCase()]).toEqual([
      predeploys.l2ERC721Bridge,
      l1.contracts.l1ERC721Bridge,
    ])
    expect(decodeFunctionData({ abi: l1ERC721BridgeAbi, data: inner })).toEqual({
      functionName: 'finalizeBridgeERC721',
      args: [remoteToken, standIn, from, from, tokenId, '0x22'],
    })
  })

  test('given who does not own it, another token of L1, no receiver or a contract that calls, when bridged back, then it stays', async () => {
    await mint(owner.address, tokenId)
    const back = (remote: Hex) => onL2('bridgeERC721', [standIn, remote, tokenId, 200_000, '0x'])
    const refused = (from: Hex, call: never) => revertOf(l2.client, from, call)
    expect(await refused(other.address, back(token))).toBe(
      'L2ERC721Bridge: Withdrawal is not being initiated by NFT owner',
    )
    expect(await refused(owner.address, back(other.address))).toBe(
      'L2ERC721Bridge: remote token does not match given local token',
    )
    const to = onL2('bridgeERC721To', [standIn, token, zeroAddress, tokenId, 200_000, '0x'])
    expect(await refused(owner.address, to)).toBe(
      'ERC721Bridge: nft recipient cannot be address(0)',
    )
    expect(await revertOfContract(l2.client, back(token))).toBe(
      'ERC721Bridge: account is not externally owned',
    )
    expect(await refused(owner.address, back(token))).toBeUndefined()
  })
})

describe('OptimismMintableERC721', () => {
  test('given anyone but the bridge, when it mints or burns, then it is refused', async () => {
    await mint(owner.address, tokenId)
    for (const call of [
      onStandIn('safeMint', [owner.address, 1n]),
      onStandIn('burn', [owner.address, tokenId]),
    ]) {
      expect(await revertOf(l2.client, owner.address, call)).toBe(
        'OptimismMintableERC721: only bridge can call this function',
      )
    }
  })

  test('given tokens made, sent and taken, then owners and lists follow (EIP-721)', async () => {
    for (const id of [1n, 2n, 3n, 4n, 5n]) await mint(owner.address, id)
    await sendOnL2(owner.address, onStandIn('transferFrom', [owner.address, other.address, 2n]))
    await sendOnL2(owner.address, onStandIn('approve', [other.address, 4n]))
    await sendOnL2(other.address, onStandIn('safeTransferFrom', [owner.address, other.address, 4n]))
    await sendOnL2(predeploys.l2ERC721Bridge, onStandIn('burn', [owner.address, 1n]))
    const list = async (of: Hex) => {
      const count = Number(await readStandIn('balanceOf', [of]))
      const ids = Array.from({ length: count }, (_, index) =>
        readStandIn('tokenOfOwnerByIndex', [of, BigInt(index)]),
      )
      return (await Promise.all(ids)).map(Number).sort()
    }
    expect([await list(owner.address), await list(other.address)]).toEqual([
      [3, 5],
      [2, 4],
    ])
    const all = await Promise.all([0n, 1n, 2n, 3n].map((at) => readStandIn('tokenByIndex', [at])))
    expect(all.map(Number).sort()).toEqual([2, 3, 4, 5])
    expect(await readStandIn('totalSupply')).toBe(4n)
    expect(await readStandIn('getApproved', [4n])).toBe(zeroAddress)
    expect(await revertOf(l2.client, owner.address, onStandIn('tokenByIndex', [4n]))).toBe(
      'ERC721: no token has this index',
    )
    const toContract = onStandIn('safeTransferFrom', [owner.address, predeploys.weth9, 3n])
    expect((await sendOnL2(owner.address, toContract)).status).toBe('reverted')
  })

  test('given the interfaces of the bridge and of EIP-721, then it supports them and no others', async () => {
    const functions = [
      'function safeMint(address,uint256)',
      'function burn(address,uint256)',
      'function REMOTE_CHAIN_ID()',
      'function REMOTE_TOKEN()',
      'function BRIDGE()',
      'function remoteChainId()',
      'function remoteToken()',
      'function bridge()',
    ]
    const own = functions.reduce((id, each) => id ^ BigInt(toFunctionSelector(each)), 0n)
    const supported = (id: Hex) => readStandIn('supportsInterface', [id])
    for (const id of ['0x01ffc9a7', '0x80ac58cd', '0x5b5e139f', '0x780e9d63'] as const) {
      expect(await supported(id), id).toBe(true)
    }
    expect(await supported(numberToHex(own, { size: 4 }))).toBe(true)
    expect(await supported('0xffffffff')).toBe(false)
  })
})
