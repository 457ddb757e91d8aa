import { createMerkleProof, createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt'
import {
  bytesToHex,
  concatHex,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  fromRlp,
  type Hex,
  hexToBytes,
  keccak256,
  multicall3Abi,
  numberToHex,
  parseEther,
  parseEventLogs,
  toRlp,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { l1CrossDomainMessengerAbi } from '#fixtures/contracts/L1CrossDomainMessenger.abi'
import { l1ERC721BridgeAbi } from '#fixtures/contracts/L1ERC721Bridge.abi'
import { l1StandardBridgeAbi } from '#fixtures/contracts/L1StandardBridge.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import { testNftAbi } from '#fixtures/contracts/TestNft.abi'
import { gamePlayer, registerEnclave, root } from './play-game.ts'
import { type ProofStack, startProofStack } from './proof-stack.ts'
import { walletOf } from './wallet-of.ts'

const [user, other] = userKeys as [DevKey, DevKey]
const { proposer, challenger } = roleKeys
const day = 86_400
const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'

interface Withdrawal {
  nonce: bigint
  sender: Hex
  target: Hex
  value: bigint
  gasLimit: bigint
  data: Hex
}

const plain = (nonce: number, changed: Partial<Withdrawal> = {}): Withdrawal => ({
  nonce: (1n << 240n) + BigInt(nonce),
  sender: user.address,
  target: other.address,
  value: 1n,
  gasLimit: 100_000n,
  data: '0x',
  ...changed,
})

/** Messages of the L2 messenger, as the L1 messenger relays them. */
const message = (nonce: number, sender: Hex, target: Hex, value: bigint, data: Hex) =>
  plain(nonce, {
    sender: predeploys.l2CrossDomainMessenger,
    target: stack.contracts.l1CrossDomainMessenger,
    value,
    gasLimit: 500_000n,
    data: encodeFunctionData({
      abi: l1CrossDomainMessengerAbi,
      functionName: 'relayMessage',
      args: [BigInt(nonce), sender, target, value, 200_000n, data],
    }),
  })

/** The paths of these two share 32 bits, so that their leaves are short enough to lie in a branch. */
const twins = [plain(9202), plain(24987)] as const
const many = Array.from({ length: 300 }, (_, index) => plain(index))

const types = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes']
const hashOf = (w: Withdrawal) =>
  keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [w.nonce, w.sender, w.target, w.value, w.gasLimit, w.data],
    ),
  )
/** `sentMessages` is the mapping of slot 0. */
const slotOf = (hash: Hex) => keccak256(concatHex([hash, numberToHex(0n, { size: 32 })]))

let stack: ProofStack
let player: ReturnType<typeof gamePlayer>
let trie: MerklePatriciaTrie
let game: Hex
let stateRoots: {
  version: Hex
  stateRoot: Hex
  messagePasserStorageRoot: Hex
  latestBlockhash: Hex
}
let special: Record<
  'bridged' | 'refunded' | 'nested' | 'toPortal' | 'stranger' | 'nft' | 'strangeNft',
  Withdrawal
>
/** A token of L1; what stands for it on L2 is not there. */
let nft: Hex
const nftOnL2: Hex = `0x${'52'.repeat(20)}`

beforeAll(async () => {
  stack = await startProofStack()
  player = gamePlayer(stack)
  await registerEnclave(stack)
  const wallet = walletOf(stack.l1.rpcUrl, stack.client.chain, user)
  const { bytecode } = loadContract('TestNft')
  const hash = await wallet.deployContract({ abi: testNftAbi, bytecode, args: ['Cats', 'CAT'] })
  await stack.l1.mine()
  nft = (await stack.client.getTransactionReceipt({ hash })).contractAddress!
  const finalize = encodeFunctionData({
    abi: l1StandardBridgeAbi,
    functionName: 'finalizeBridgeETH',
    args: [user.address, other.address, 7n, '0x'],
  })
  const nftBack = encodeFunctionData({
    abi: l1ERC721BridgeAbi,
    functionName: 'finalizeBridgeERC721',
    args: [nft, nftOnL2, user.address, other.address, 42n, '0x'],
  })
  const { l1StandardBridge, l1ERC721Bridge, optimismPortal } = stack.contracts
  special = {
    bridged: message(1001, predeploys.l2StandardBridge, l1StandardBridge, 7n, finalize),
    stranger: message(1002, user.address, l1StandardBridge, 7n, finalize),
    nft: message(1006, predeploys.l2ERC721Bridge, l1ERC721Bridge, 0n, nftBack),
    strangeNft: message(1007, user.address, l1ERC721Bridge, 0n, nftBack),
    // TEEVerifier takes no ether.
    refunded: plain(1003, { target: stack.contracts.teeVerifier }),
    nested: plain(1004, {
      target: multicall3,
      value: 0n,
      gasLimit: 1_000_000n,
      data: encodeFunctionData({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        args: [
          [
            {
              target: optimismPortal,
              allowFailure: true,
              callData: encodeFunctionData({
                abi: optimismPortalAbi,
                functionName: 'finalizeWithdrawalTransactionExternalProof',
                args: [plain(5), user.address],
              }),
            },
          ],
        ],
      }),
    }),
    toPortal: plain(1005, { target: optimismPortal }),
  }
  trie = await createMPT({ useKeyHashing: true })
  for (const withdrawal of [...many, ...twins, ...Object.values(special)]) {
    await trie.put(hexToBytes(slotOf(hashOf(withdrawal))), Uint8Array.of(1))
  }
  // A slot that holds something else: no withdrawal, but in the trie.
  await trie.put(hexToBytes(slotOf(hashOf(plain(2000)))), Uint8Array.of(2))
  stateRoots = {
    version: numberToHex(0n, { size: 32 }),
    stateRoot: `0x${'5a'.repeat(32)}`,
    messagePasserStorageRoot: bytesToHex(trie.root()),
    latestBlockhash: `0x${'b1'.repeat(32)}`,
  }
  game = (await player.create({ roots: [root(1), rootClaim()] })).address
  await stack.l1.mine()
})

afterAll(() => stack.stop())

beforeEach(() => stack.rewindPoint())

const rootClaim = () => keccak256(concatHex(Object.values(stateRoots)))

/** The nodes down to the withdrawal, by @ethereumjs/mpt; one that lies in its parent as its own. */
async function proofOf(withdrawal: Withdrawal): Promise<Hex[]> {
  const key = hexToBytes(slotOf(hashOf(withdrawal)))
  const nodes = (await createMerkleProof(trie, key)).map((node) => bytesToHex(node))
  const last = fromRlp(nodes.at(-1)!) as (Hex | Hex[])[]
  if (last.length !== 17) return nodes
  const path = keccak256(key)
  const leaf = last.find((item) => Array.isArray(item) && path.endsWith(item[0]!.slice(3)))
  return leaf ? [...nodes, toRlp(leaf)] : nodes
}

type Args = [Withdrawal, bigint, typeof stateRoots, Hex[]]
const portal = () => ({ address: stack.contracts.optimismPortal, abi: optimismPortalAbi }) as const
const proving = (...args: Args) =>
  ({ ...portal(), functionName: 'proveWithdrawalTransaction', args }) as const
const finalizing = (withdrawal: Withdrawal, submitter: Hex = user.address) =>
  ({
    ...portal(),
    functionName: 'finalizeWithdrawalTransactionExternalProof',
    args: [withdrawal, submitter],
  }) as const
const prove = async (withdrawal: Withdrawal, by = user) =>
  stack.send(by, proving(withdrawal, 0n, stateRoots, await proofOf(withdrawal)))
const proofRefused = async (
  withdrawal: Withdrawal,
  changed: { 1?: bigint; 2?: typeof stateRoots; 3?: Hex[] } = {},
) =>
  stack.revertOf(
    user,
    proving(
      ...(Object.assign([withdrawal, 0n, stateRoots, await proofOf(withdrawal)], changed) as Args),
    ),
  )
const check = (withdrawal: Withdrawal, submitter: Hex = user.address) =>
  stack.revertOf(user, {
    ...portal(),
    functionName: 'checkWithdrawal',
    args: [hashOf(withdrawal), submitter],
  })
const byGuardian = (functionName: 'blacklistDisputeGame' | 'updateRetirementTimestamp') =>
  stack.send(stack.owner, {
    address: stack.contracts.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    functionName,
    args: functionName === 'blacklistDisputeGame' ? [game] : [],
  } as never)
const pause = () =>
  stack.send(stack.owner, {
    address: stack.contracts.systemConfig,
    abi: systemConfigAbi,
    functionName: 'setPaused',
    args: [true],
  })
const resolve = () =>
  stack.send(proposer, { ...player.game(game), functionName: 'resolve', args: [] })
async function mature() {
  await player.wait(5 * day)
  await resolve()
  await player.wait(61)
}
const portalEvents = (receipt: { logs: readonly { data: Hex; topics: unknown; address: Hex }[] }) =>
  receipt.logs
    .filter(({ address }) => address.toLowerCase() === stack.contracts.optimismPortal)
    .map(({ data, topics }) =>
      decodeEventLog({ abi: optimismPortalAbi, data, topics: topics as [Hex] }),
    )

describe('proveWithdrawalTransaction', () => {
  test('given any of 300 withdrawals, when proven, then it is kept with game, time and submitter', async () => {
    for (const withdrawal of [many[0]!, many[17]!, many[299]!]) {
      const receipt = await prove(withdrawal)
      const hash = hashOf(withdrawal)
      expect(portalEvents(receipt).map(({ eventName }) => eventName)).toEqual([
        'WithdrawalProven',
        'WithdrawalProvenExtension1',
      ])
      const { timestamp } = await stack.client.getBlock()
      const kept = await stack.client.readContract({
        ...portal(),
        functionName: 'provenWithdrawals',
        args: [hash, user.address],
      })
      expect([kept[0].toLowerCase(), kept[1]]).toEqual([game.toLowerCase(), timestamp])
      const submitters = { ...portal(), functionName: 'numProofSubmitters', args: [hash] } as const
      expect(await stack.client.readContract(submitters)).toBe(1n)
    }
  })

  test('given proofs of all of them, then every one is taken', async () => {
    for (const withdrawal of many) expect(await proofRefused(withdrawal)).toBeUndefined()
  })

  test.each(twins)(
    'given a leaf that lies in its branch ($nonce), then its proof is taken',
    async (withdrawal) => {
      const proof = await proofOf(withdrawal)
      expect(proof.at(-1)!.length).toBeLessThan(2 + 2 * 32)
      expect(await proofRefused(withdrawal)).toBeUndefined()
      expect(await proofRefused(withdrawal, { 3: proof.slice(0, -1) })).toBe(
        'OptimismPortal_InvalidMerkleProof()',
      )
    },
  )

  test('given a proof of something else, or a damaged one, then it reverts', async () => {
    const [withdrawal, another] = many as [Withdrawal, Withdrawal]
    const proof = await proofOf(withdrawal)
    const damaged = proof.map((node, index) =>
      index === 1 ? (`${node.slice(0, -2)}ff` as Hex) : node,
    )
    for (const wrong of [await proofOf(another), [], proof.slice(1), damaged, ['0x', ...proof]]) {
      expect(await proofRefused(withdrawal, { 3: wrong as Hex[] })).toBe(
        'OptimismPortal_InvalidMerkleProof()',
      )
    }
    expect(await proofRefused(withdrawal, { 3: [...proof, proof.at(-1)!] })).toBe(
      'OptimismPortal_InvalidMerkleProof()',
    )
    expect(await proofRefused(plain(2000))).toBe('OptimismPortal_InvalidMerkleProof()')
    expect(await proofRefused({ ...withdrawal, value: 2n })).toBe(
      'OptimismPortal_InvalidMerkleProof()',
    )
  })

  test('given nodes that are no RLP of a node, then it reverts, whatever they are', async () => {
    const nodes: Hex[] = [
      '0x80',
      '0xc0',
      '0xc1',
      '0xf9',
      '0xfaffffff',
      '0xc28080',
      '0xf801',
      '0xb8',
    ]
    for (const node of nodes) {
      const roots = { ...stateRoots, messagePasserStorageRoot: keccak256(node) }
      const rootClaim = keccak256(concatHex(Object.values(roots)))
      const rewind = await stack.rewindPoint()
      await player.create({ roots: [root(1), rootClaim] })
      await stack.l1.mine()
      expect(await proofRefused(many[0]!, { 1: 1n, 2: roots, 3: [node] }), node).toBe(
        'OptimismPortal_InvalidMerkleProof()',
      )
      await rewind()
    }
  })

  test('given other roots than the game claims, then it reverts', async () => {
    for (const part of ['version', 'stateRoot', 'messagePasserStorageRoot', 'latestBlockhash']) {
      const roots = { ...stateRoots, [part]: `0x${'77'.repeat(32)}` }
      expect(await proofRefused(many[0]!, { 2: roots })).toBe(
        'OptimismPortal_InvalidOutputRootProof()',
      )
    }
  })

  test('given a blacklisted or retired game, then it reverts', async () => {
    const rewind = await stack.rewindPoint()
    await byGuardian('blacklistDisputeGame')
    expect(await proofRefused(many[0]!)).toBe('OptimismPortal_ImproperDisputeGame()')
    await rewind()
    await byGuardian('updateRetirementTimestamp')
    expect(await proofRefused(many[0]!)).toBe('OptimismPortal_ImproperDisputeGame()')
  })

  test('given a game that its challenger won, then it reverts', async () => {
    await stack.send(challenger, {
      ...player.game(game),
      functionName: 'challenge',
      args: ['0x01aa', 1n, root(77)],
    })
    await player.wait(5 * day)
    await resolve()
    expect(await proofRefused(many[0]!)).toBe('OptimismPortal_InvalidDisputeGame()')
  })

  test('given the portal as target, then it reverts', async () => {
    expect(await proofRefused(special.toPortal)).toBe('OptimismPortal_BadTarget()')
  })

  test('given a pause, then nothing is proven or finalised', async () => {
    await pause()
    expect(await proofRefused(many[0]!)).toBe('OptimismPortal_CallPaused()')
    expect(await stack.revertOf(user, finalizing(many[0]!))).toBe('OptimismPortal_CallPaused()')
  })
})

describe('finalizeWithdrawalTransaction', () => {
  test('given a settled game, when finalised by anyone, then the ether is paid, once', async () => {
    const withdrawal = many[3]!
    await prove(withdrawal)
    await mature()
    const before = await stack.client.getBalance({ address: other.address })
    const receipt = await stack.send(challenger, finalizing(withdrawal))
    expect(portalEvents(receipt)).toMatchObject([
      { eventName: 'WithdrawalFinalized', args: { success: true } },
    ])
    expect((await stack.client.getBalance({ address: other.address })) - before).toBe(1n)
    expect(await stack.revertOf(user, finalizing(withdrawal))).toBe(
      'OptimismPortal_AlreadyFinalized()',
    )
  })

  test('given the delays one after the other, then checkWithdrawal says what is missing', async () => {
    const withdrawal = many[4]!
    expect(await check(withdrawal)).toBe('OptimismPortal_Unproven()')
    await player.wait(5 * day)
    await resolve()
    await prove(withdrawal)
    expect(await check(withdrawal, other.address)).toBe('OptimismPortal_Unproven()')
    await player.wait(60)
    expect(await check(withdrawal)).toBe('OptimismPortal_ProofNotOldEnough()')
    await player.wait(1)
    expect(await check(withdrawal)).toBeUndefined()
  })

  test('given a proof in the very block of its game, then it does not count', async () => {
    const { from, call } = await player.creation({ roots: [root(5), rootClaim()] })
    const sent = { gas: 8_000_000n } as const
    await walletOf(stack.l1.rpcUrl, stack.client.chain, from).writeContract({
      ...call,
      ...sent,
    } as never)
    const proof = proving(many[6]!, 1n, stateRoots, await proofOf(many[6]!))
    await walletOf(stack.l1.rpcUrl, stack.client.chain, user).writeContract({
      ...proof,
      ...sent,
    } as never)
    await stack.l1.mine()
    expect(await check(many[6]!)).toBe('OptimismPortal_InvalidProofTimestamp()')
  })

  test('given a game that nobody resolved, or is not final, then it waits', async () => {
    await prove(many[5]!)
    await player.wait(5 * day)
    expect(await check(many[5]!)).toBe('OptimismPortal_InvalidRootClaim()')
    await resolve()
    await player.wait(60)
    expect(await check(many[5]!)).toBe('OptimismPortal_InvalidRootClaim()')
    await player.wait(1)
    expect(await check(many[5]!)).toBeUndefined()
  })

  test('given a target that reverts, then the withdrawal is used up and the event says so', async () => {
    await prove(special.refunded)
    await mature()
    const receipt = await stack.send(user, finalizing(special.refunded))
    expect(portalEvents(receipt)).toMatchObject([{ args: { success: false } }])
    expect(await check(special.refunded)).toBe('OptimismPortal_AlreadyFinalized()')
  })

  test('given who estimates its gas, then a target that reverts is told', async () => {
    await prove(special.refunded)
    await mature()
    const estimator = { ...user, address: numberToHex(1n, { size: 20 }) }
    expect(await stack.revertOf(estimator, finalizing(special.refunded))).toBe(
      'OptimismPortal_GasEstimation()',
    )
  })

  test('given less gas than was asked for on L2, then it reverts and can be repeated', async () => {
    await prove(special.bridged)
    await mature()
    const call = { ...finalizing(special.bridged), gas: 500_000n }
    expect(await stack.revertOf(user, call as never)).toBe('SafeCall: Not enough gas')
    expect(await check(special.bridged)).toBeUndefined()
  })

  test('given a target that finalises another one, then that reverts', async () => {
    await prove(special.nested)
    await prove(plain(5))
    await mature()
    const { transactionHash } = await stack.send(user, finalizing(special.nested))
    const trace = (await stack.client.request({
      method: 'debug_traceTransaction',
      params: [transactionHash, { tracer: 'callTracer' }],
    } as never)) as { calls: { calls: { to: Hex; output: Hex }[]; to: Hex }[] }
    const multicall = trace.calls.find(({ to }) => to === multicall3)!
    const [inner] = multicall.calls
    const { errorName } = decodeErrorResult({ abi: optimismPortalAbi, data: inner!.output })
    expect(`${errorName}()`).toBe('OptimismPortal_NoReentrancy()')
    expect(await check(plain(5))).toBeUndefined()
  })
})

describe('messenger and bridge', () => {
  test('given a message of the L2 bridge, then the ether arrives', async () => {
    await prove(special.bridged)
    await mature()
    const before = await stack.client.getBalance({ address: other.address })
    const receipt = await stack.send(user, finalizing(special.bridged))
    expect(portalEvents(receipt)).toMatchObject([{ args: { success: true } }])
    expect((await stack.client.getBalance({ address: other.address })) - before).toBe(7n)
  })

  test('given a message of somebody else, then the bridge pays nothing', async () => {
    await prove(special.stranger)
    await mature()
    const before = await stack.client.getBalance({ address: other.address })
    await stack.send(user, finalizing(special.stranger))
    expect((await stack.client.getBalance({ address: other.address })) - before).toBe(0n)
  })

  describe('given a token that waits in the L1ERC721Bridge', () => {
    const ownNft = () => ({ address: nft, abi: testNftAbi }) as const
    const bridge = () =>
      ({ address: stack.contracts.l1ERC721Bridge, abi: l1ERC721BridgeAbi }) as const
    const holder = async () =>
      (
        await stack.client.readContract({ ...ownNft(), functionName: 'ownerOf', args: [42n] })
      ).toLowerCase()
    const waits = () =>
      stack.client.readContract({
        ...bridge(),
        functionName: 'deposits',
        args: [nft, nftOnL2, 42n],
      })
    async function deposit() {
      const { l1ERC721Bridge } = stack.contracts
      await stack.send(user, { ...ownNft(), functionName: 'mint', args: [user.address, 42n] })
      await stack.send(user, { ...ownNft(), functionName: 'approve', args: [l1ERC721Bridge, 42n] })
      const args = [nft, nftOnL2, 42n, 200_000, '0x'] as const
      await stack.send(user, { ...bridge(), functionName: 'bridgeERC721', args })
    }
    async function finalize(withdrawal: Withdrawal) {
      await prove(withdrawal)
      await mature()
      return stack.send(user, finalizing(withdrawal))
    }
    const bridgeEvents = ({ logs }: Awaited<ReturnType<typeof finalize>>) =>
      parseEventLogs({ abi: l1ERC721BridgeAbi, logs })
    const relays = ({ logs }: Awaited<ReturnType<typeof finalize>>) =>
      parseEventLogs({ abi: l1CrossDomainMessengerAbi, logs }).map(({ eventName }) => eventName)

    test('when the L2 bridge sends it back, then its receiver has it', async () => {
      await deposit()
      expect([await holder(), await waits()]).toEqual([stack.contracts.l1ERC721Bridge, true])
      const receipt = await finalize(special.nft)
      expect(bridgeEvents(receipt)).toMatchObject([
        { eventName: 'ERC721BridgeFinalized', args: { tokenId: 42n, extraData: '0x' } },
      ])
      expect([await holder(), await waits()]).toEqual([other.address, false])
    })

    test('when another account of L2 asks for it, then it stays', async () => {
      await deposit()
      const receipt = await finalize(special.strangeNft)
      expect([relays(receipt), bridgeEvents(receipt)]).toEqual([['FailedRelayedMessage'], []])
      expect([await holder(), await waits()]).toEqual([stack.contracts.l1ERC721Bridge, true])
    })

    test('when a message asks for one that does not wait, then it fails, and can be repeated', async () => {
      const receipt = await finalize(special.nft)
      expect(relays(receipt)).toEqual(['FailedRelayedMessage'])
      await deposit()
      const repeat = {
        address: stack.contracts.l1CrossDomainMessenger,
        abi: l1CrossDomainMessengerAbi,
        ...decodeFunctionData({ abi: l1CrossDomainMessengerAbi, data: special.nft.data }),
      } as const
      const rewind = await stack.rewindPoint()
      await pause()
      expect(relays(await stack.send(other, repeat as never))).toEqual(['FailedRelayedMessage'])
      await rewind()
      expect(relays(await stack.send(other, repeat as never))).toEqual(['RelayedMessage'])
      expect(await holder()).toBe(other.address)
    })
  })

  test('given another withdrawer in the name of the messenger, then nothing is relayed', async () => {
    const { l1CrossDomainMessenger } = stack.contracts
    const call = { abi: l1CrossDomainMessengerAbi, address: l1CrossDomainMessenger } as const
    expect(
      await stack.revertOf(user, {
        ...call,
        functionName: 'relayMessage',
        args: [1n, user.address, other.address, parseEther('1'), 0n, '0x'],
        value: parseEther('1'),
      }),
    ).toBe('CrossDomainMessenger: value must be zero unless message is from a system address')
  })
})

test('given the portal, then it says what its registry and configuration say', async () => {
  const names = [
    'respectedGameType',
    'disputeGameFactory',
    'disputeGameFinalityDelaySeconds',
    'proofMaturityDelaySeconds',
    'l2Sender',
    'paused',
  ] as const
  const answers = await Promise.all(
    names.map((functionName) => stack.client.readContract({ ...portal(), functionName })),
  )
  expect(answers.map((answer) => String(answer).toLowerCase())).toEqual([
    '621',
    stack.contracts.disputeGameFactory,
    '60',
    '60',
    '0x000000000000000000000000000000000000dead',
    'false',
  ])
})
