import {
  concatHex,
  type Hex,
  keccak256,
  numberToHex,
  parseEther,
  parseEventLogs,
  slice,
  toHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gameType, initBond } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { gamePlayer, registerEnclave, root } from './play-game.ts'
import { genesisRoot, type ProofStack, startProofStack } from './proof-stack.ts'
import { teeInitData } from './tee-journal.ts'
import { walletOf } from './wallet-of.ts'

let stack: ProofStack
let player: ReturnType<typeof gamePlayer>
let first: Awaited<ReturnType<ReturnType<typeof gamePlayer>['create']>>

beforeAll(async () => {
  stack = await startProofStack()
  player = gamePlayer(stack)
  await registerEnclave(stack)
  first = await player.create()
})

afterAll(() => stack.stop())

describe('given a signed journal, when a game is created', () => {
  test('then it carries the proposal', async () => {
    const game = <name extends Parameters<typeof player.read>[1]>(name: name) =>
      player.read(first.address, name)
    const block = await stack.client.getBlock({ blockHash: first.receipt.blockHash })
    expect(await game('gameCreator')).toMatch(new RegExp(roleKeys.proposer.address, 'i'))
    expect(await game('teeProver')).toMatch(new RegExp(roleKeys.proposer.address, 'i'))
    expect(await game('parentAddress')).toMatch(
      new RegExp(stack.contracts.anchorStateRegistry, 'i'),
    )
    expect(await game('rootClaim')).toBe(root(2))
    expect(await game('l2SequenceNumber')).toBe(10n)
    expect(await game('startingOutputRoot')).toEqual([genesisRoot, 0n])
    expect(await game('intermediateOutputRoots')).toBe(concatHex([root(1), root(2)]))
    expect(await game('l1Head')).toBe(block.parentHash)
    expect(await game('proofCount')).toBe(1)
    expect(await game('status')).toBe(0)
    expect(await game('expectedResolution')).toBe(block.timestamp + 5n * 86_400n)
  })

  test('then the factory finds it by its id, its index and its type', async () => {
    const factory = { address: stack.contracts.disputeGameFactory, abi: disputeGameFactoryAbi }
    const extraData = (await player.read(first.address, 'extraData')) as Hex
    const [found] = await stack.client.readContract({
      ...factory,
      functionName: 'games',
      args: [gameType, root(2), extraData],
    })
    const [type, , atIndex] = await stack.client.readContract({
      ...factory,
      functionName: 'gameAtIndex',
      args: [0n],
    })
    const latest = await stack.client.readContract({
      ...factory,
      functionName: 'findLatestGames',
      args: [gameType, 0n, 5n],
    })
    expect([found, atIndex]).toEqual([first.address, first.address])
    expect(type).toBe(gameType)
    expect(latest).toMatchObject([{ index: 0n, rootClaim: root(2), extraData }])
  })

  test('then the bond lies in DelayedWETH', async () => {
    const held = await stack.client.getBalance({ address: stack.contracts.delayedWETH })
    expect(held).toBe(initBond)
  })

  test('then the factory announces it last, once the game has begun', () => {
    const [last, ...before] = [...first.receipt.logs].reverse()
    const created = parseEventLogs({ abi: disputeGameFactoryAbi, logs: [last!] })
    expect(created[0]?.eventName).toBe('DisputeGameCreated')
    expect(before.length).toBeGreaterThan(0)
  })

  test('then it logs ether that comes without calldata, within a stipend of 2300 gas', async () => {
    const received = keccak256(toHex('ReceiveETH(uint256)'))
    const wallet = walletOf(stack.l1.rpcUrl, stack.client.chain, roleKeys.proposer)
    const value = parseEther('1')
    const hash = await wallet.sendTransaction({ to: first.address, value, gas: 23_300n })
    await stack.l1.mine()
    const receipt = await stack.client.getTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect(receipt.logs).toMatchObject([
      {
        address: first.address.toLowerCase(),
        topics: [received],
        data: numberToHex(value, { size: 32 }),
      },
    ])
  })

  test('then its address cannot be initialised again', async () => {
    const call = {
      ...player.game(first.address),
      functionName: 'initializeWithInitData',
      args: ['0x00'],
    } as const
    expect(await stack.revertOf(roleKeys.proposer, call)).toBe('AlreadyInitialized()')
  })
})

describe('given the rest of the published factory', () => {
  const factory = () => ({
    address: stack.contracts.disputeGameFactory,
    abi: disputeGameFactoryAbi,
  })

  test('when create asks for a game that begins without a proof, then there is none', async () => {
    const extraData = (await player.read(first.address, 'extraData')) as Hex
    const args = [gameType, root(30), extraData] as const
    const call = { ...factory(), functionName: 'create', args, value: initBond } as const
    await expect(stack.client.simulateContract(call)).rejects.toThrow(/reverted/)
    const short = { ...call, value: 0n }
    expect(await stack.revertOf(roleKeys.proposer, short)).toBe('IncorrectBondAmount()')
  })

  test('when a type has arguments, then its clones get them behind the type, where this game has no room for them', async () => {
    const rewind = await stack.rewindPoint()
    const implementation = stack.contracts.aggregateVerifier
    const receipt = await stack.send(stack.owner, {
      ...factory(),
      functionName: 'setImplementation',
      args: [gameType, implementation, '0xc0ffee'],
    })
    const events = parseEventLogs({ abi: disputeGameFactoryAbi, logs: receipt.logs })
    expect(events.map(({ eventName }) => eventName)).toEqual([
      'ImplementationSet',
      'ImplementationArgsSet',
    ])
    const read = { ...factory(), functionName: 'gameArgs', args: [gameType] } as const
    expect(await stack.client.readContract(read)).toBe('0xc0ffee')
    expect(await player.refused({ roots: [root(1), root(31)] })).toBe('BadExtraData()')
    await rewind()
  })

  test('when somebody sets arguments, then only the owner may, and an owner may step down for good', async () => {
    const rewind = await stack.rewindPoint()
    const args = [gameType, stack.contracts.aggregateVerifier, '0x'] as const
    const call = { ...factory(), functionName: 'setImplementation', args } as const
    const refusal = 'Ownable: caller is not the owner'
    expect(await stack.revertOf(roleKeys.proposer, call)).toBe(refusal)
    await stack.send(stack.owner, { ...factory(), functionName: 'renounceOwnership', args: [] })
    expect(await stack.revertOf(stack.owner, call)).toBe(refusal)
    await rewind()
  })
})

describe('given something wrong, when a game is created, then it reverts', () => {
  // Another root than the first game's, so that only the fault under test is left.
  const roots = [root(1), root(3)]

  test('given a duplicate', async () => {
    expect(await player.refused({})).toMatch(/^GameAlreadyExists\(0x/)
  })

  test('given the wrong bond, or no such game type', async () => {
    expect(await player.refused({ roots, bond: initBond - 1n })).toBe('IncorrectBondAmount()')
    expect(await player.refused({ roots, type: 7 })).toBe('NoImplementation(7)')
  })

  test('given extra data of another length', async () => {
    expect(await player.refused({ roots, extraData: '0x00' })).toBe('BadExtraData()')
    expect(await player.refused({ roots: [root(3)] })).toBe('BadExtraData()')
  })

  test('given extra data that no contract can carry (EIP-170)', async () => {
    expect(await player.refused({ roots, extraData: `0x${'00'.repeat(24_576)}` })).toBe(
      'CloneFailed()',
    )
  })

  test('given a claim that is not the last root', async () => {
    expect(await player.refused({ roots, rootClaim: root(4) })).toBe(
      `IntermediateRootMismatch(${root(3)}, ${root(4)})`,
    )
  })

  test('given a block number that is not one interval further', async () => {
    expect(await player.refused({ roots, l2Block: 11n })).toBe('UnexpectedBlockNumber(10, 11)')
  })

  test('given an unknown proof type', async () => {
    const initData = (hash: Hex, number: bigint, signature: Hex) =>
      concatHex(['0x02', slice(teeInitData(hash, number, signature), 1)])
    expect(await player.refused({ roots, initData })).toBe('Panic(33)')
  })

  test('given v that was not raised to 27 or 28', async () => {
    const initData = (hash: Hex, number: bigint, signature: Hex) =>
      teeInitData(hash, number, concatHex([slice(signature, 0, 64), '0x00']))
    expect(await player.refused({ roots, initData })).toBe('InvalidSignature()')
  })

  test('given a journal for another proposer, chain configuration or root', async () => {
    const proposer = roleKeys.challenger.address
    const config: Hex = `0x${'c1'.repeat(32)}`
    for (const signed of [{ proposer }, { config }, { endRoot: root(9) }, { startBlock: 1n }]) {
      expect(await player.refused({ roots, signed })).toMatch(/^InvalidSigner\(0x/)
    }
  })

  test('given a creator who may not propose', async () => {
    const creator = userKeys[3]!
    expect(await player.refused({ roots, creator })).toBe(`InvalidProposer(${creator.address})`)
  })

  test('given an L1 origin that is not an ancestor', async () => {
    const fake: Hex = `0x${'0f'.repeat(32)}`
    const initData = (_: Hex, number: bigint, signature: Hex) =>
      teeInitData(fake, number, signature)
    expect(await player.refused({ roots, initData })).toMatch(
      new RegExp(`^L1OriginHashMismatch\\(${fake}, 0x`),
    )
  })

  test('given an L1 origin in the future', async () => {
    const initData = (hash: Hex, _: bigint, signature: Hex) =>
      teeInitData(hash, 1_000_000n, signature)
    expect(await player.refused({ roots, initData })).toMatch(/^L1OriginInFuture\(1000000, /)
  })

  test('given a parent that is blacklisted', async () => {
    const other = await player.create({ roots: [root(1), root(5)] })
    const child = {
      parent: other.address,
      startRoot: root(5),
      startBlock: 10n,
      roots: [root(6), root(7)],
    }
    expect(await player.refused(child)).toBeUndefined()
    await stack.send(stack.owner, {
      address: stack.contracts.anchorStateRegistry,
      abi: anchorStateRegistryAbi,
      functionName: 'blacklistDisputeGame',
      args: [other.address],
    })
    expect(await player.refused(child)).toBe('InvalidParentGame()')
  })
})

describe('given an old L1 origin', () => {
  const roots = [root(1), root(8)]

  test('when it is beyond BLOCKHASH but within EIP-2935, then a game is created', async () => {
    await stack.client.request({ method: 'anvil_mine', params: ['0x12c'] } as never)
    expect(await player.refused({ roots, originAge: 299n })).toBeUndefined()
  })

  test('when the history has forgotten it, then it is too old', async () => {
    const origin = (await stack.client.getBlockNumber()) - 290n
    const slot = numberToHex(origin % 8191n, { size: 32 })
    const params = [systemContracts.historyStorage.address, slot, zeroHash]
    await stack.client.request({ method: 'anvil_setStorageAt', params } as never)
    expect(await player.refused({ roots, originAge: 290n })).toMatch(
      new RegExp(`^L1OriginTooOld\\(${origin}, `),
    )
  })
})
