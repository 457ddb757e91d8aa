import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  erc721Abi,
  http,
  type PublicClient,
  parseAbi,
  parseEther,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  getL2TransactionHashes,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { l1TestActions, rollbedChain, rollbedL1Chain } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { predeploys } from '#fixtures/chain/constants'
import { loadContract } from '#fixtures/contracts/load-contract'
import { pageExamples } from '#suites/house/docs/examples-of'
import { runExample } from '#suites/house/docs/run-example'
import { ROOT } from '#suites/house/docs/source-tree'

const bridgeAbi = parseAbi([
  'function bridgeETH(uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function withdraw(address l2Token, uint256 amount, uint32 minGasLimit, bytes extraData) payable',
])
const factoryAbi = parseAbi([
  'function createOptimismMintableERC20(address remoteToken, string name, string symbol) returns (address)',
])
const nftBridgeAbi = parseAbi([
  'function bridgeERC721(address localToken, address remoteToken, uint256 tokenId, uint32 minGasLimit, bytes extraData)',
])
const nftFactoryAbi = parseAbi([
  'function createOptimismMintableERC721(address remoteToken, string name, string symbol) returns (address)',
])
const l2Bridge = { address: predeploys.l2StandardBridge, abi: bridgeAbi } as const

let devnet: Devnet
let me: ReturnType<typeof clientsOf>['account']
let l1: ReturnType<typeof clientsOf>['l1']
let l2: ReturnType<typeof clientsOf>['l2']
let l1Wallet: ReturnType<typeof clientsOf>['l1Wallet']
let l2Wallet: ReturnType<typeof clientsOf>['l2Wallet']

function clientsOf({ description }: Devnet) {
  const account = privateKeyToAccount(description.accounts[3]!.privateKey)
  const onL1 = { account, chain: rollbedL1Chain(description), transport: http() }
  const onL2 = { account, chain: rollbedChain(description), transport: http() }
  const quick = { pollingInterval: 200 }
  return {
    account,
    l1: createPublicClient({ ...onL1, ...quick })
      .extend(publicActionsL1())
      .extend(l1TestActions()),
    l1Wallet: createWalletClient(onL1).extend(walletActionsL1()),
    l2: createPublicClient({ ...onL2, ...quick }).extend(publicActionsL2()),
    l2Wallet: createWalletClient(onL2).extend(walletActionsL2()),
  }
}

beforeAll(async () => {
  devnet = await startDevnet({ blockTime: 1, batchInterval: 500, actors: true })
  ;({ account: me, l1, l2, l1Wallet, l2Wallet } = clientsOf(devnet))
})
afterAll(() => devnet?.stop())

const status = (receipt: TransactionReceipt) =>
  l1.getWithdrawalStatus({ receipt, targetChain: l2.chain })
const succeeded = async (
  client: Pick<PublicClient, 'waitForTransactionReceipt'>,
  hash: `0x${string}`,
) => {
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
  expect(receipt.status).toBe('success')
  return receipt
}

/** As viem's guide on withdrawals has it, with time let pass where that waits. */
async function withdrawToL1(receipt: TransactionReceipt): Promise<TransactionReceipt> {
  const targetChain = l2.chain
  const { game, withdrawal } = await l1.waitToProve({ receipt, targetChain })
  expect(game.l2BlockNumber).toBeGreaterThanOrEqual(receipt.blockNumber)
  expect(await status(receipt)).toBe('ready-to-prove')
  await expect(l1.settleWithdrawal({ receipt, targetChain })).rejects.toMatchObject({
    code: 'WITHDRAWAL_NOT_PROVEN',
  })
  const proof = await l2.buildProveWithdrawal({ game, withdrawal })
  const output = await l1.getL2Output({ l2BlockNumber: receipt.blockNumber, targetChain })
  expect(output.l2BlockNumber).toBeGreaterThanOrEqual(receipt.blockNumber)
  expect(
    await l1.estimateProveWithdrawalGas({ ...proof, account: me, targetChain }),
  ).toBeGreaterThan(21_000n)
  await succeeded(l1, await l1Wallet.proveWithdrawal({ ...proof, targetChain }))
  expect(await status(receipt)).toBe('waiting-to-finalize')
  await l1.settleWithdrawal({ receipt, targetChain })
  expect(await status(receipt)).toBe('ready-to-finalize')
  const finalizing = { account: me, targetChain, withdrawal }
  expect(await l1.estimateFinalizeWithdrawalGas(finalizing)).toBeGreaterThan(21_000n)
  const hash = await l1Wallet.finalizeWithdrawal({ targetChain, withdrawal })
  const finalized = await succeeded(l1, hash)
  expect(await status(receipt)).toBe('finalized')
  return finalized
}

describe('the bridge, through the op-stack actions of viem', () => {
  test('given the portal, then viem takes it for one that has games', async () => {
    const { major } = await l1.getPortalVersion({ targetChain: l2.chain })
    expect(major).toBeGreaterThanOrEqual(3)
  })

  test('given ether, a token and an NFT, when bridged to L2 and back, then they arrive, as on the page', async () => {
    const { l1StandardBridge } = l2.chain.contracts
    const l1Bridge = { address: l1StandardBridge[l1.chain.id]!.address, abi: bridgeAbi } as const

    // A token of L1, its stand-in on L2, and some of it there.
    const token = (
      await succeeded(
        l1,
        await l1Wallet.deployContract({
          abi: parseAbi(['constructor(string name, string symbol, uint256 supply)']),
          bytecode: loadContract('TestToken').bytecode,
          args: ['Bridged', 'BRG', 1000n],
        }),
      )
    ).contractAddress!
    const creation = {
      address: predeploys.optimismMintableERC20Factory,
      abi: factoryAbi,
      functionName: 'createOptimismMintableERC20',
      args: [token, 'Bridged', 'BRG'],
    } as const
    const { result: standIn } = await l2.simulateContract({ ...creation, account: me })
    await succeeded(l2, await l2Wallet.writeContract(creation))
    await succeeded(
      l1,
      await l1Wallet.writeContract({
        address: token,
        abi: erc20Abi,
        functionName: 'approve',
        args: [l1Bridge.address, 600n],
      }),
    )
    const deposit = await succeeded(
      l1,
      await l1Wallet.writeContract({
        ...l1Bridge,
        functionName: 'bridgeERC20',
        args: [token, standIn, 600n, 200_000, '0x'],
      }),
    )
    const [depositHash] = getL2TransactionHashes(deposit)
    await succeeded(l2, depositHash!)
    // What is pre-confirmed on L2 is read at `pending`.
    const held = (
      client: Pick<PublicClient, 'readContract'>,
      address: `0x${string}`,
      blockTag: 'latest' | 'pending' = 'latest',
    ) =>
      client.readContract({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [me.address],
        blockTag,
      })
    expect(await held(l2, standIn, 'pending')).toBe(600n)
    expect(await held(l1, token)).toBe(400n)

    const nft = await bridgeNft()

    const ether = await succeeded(
      l2,
      await l2Wallet.writeContract({
        ...l2Bridge,
        functionName: 'bridgeETH',
        args: [200_000, '0x'],
        value: parseEther('2'),
      }),
    )
    expect(await status(ether)).toBe('waiting-to-prove')
    const tokens = await succeeded(
      l2,
      await l2Wallet.writeContract({
        ...l2Bridge,
        functionName: 'withdraw',
        args: [standIn, 250n, 200_000, '0x'],
      }),
    )
    expect(await held(l2, standIn, 'pending')).toBe(350n)

    // The page's own withdrawal is newer: its game covers these two as well.
    const shown: unknown[] = []
    const page = readFileSync(join(ROOT, 'devnet/docs/bridging.md'), 'utf8')
    const [example] = pageExamples('bridging', page)
    await runExample(example!, {
      load: (name) => (name === 'rollbed/viem' ? import('#devnet/sdk/viem/index') : import(name)),
      values: { devnet, console: { log: (value: unknown) => shown.push(value) } },
    })
    expect(shown).toEqual(['finalized'])

    const before = await l1.getBalance({ address: me.address })
    const nonce = await l1.getTransactionCount({ address: me.address })
    await withdrawToL1(ether)
    const last = await withdrawToL1(tokens)
    const fees = await feesSince(nonce, last)
    expect((await l1.getBalance({ address: me.address })) - before + fees).toBe(parseEther('2'))
    expect(await held(l1, token)).toBe(650n)
    await withdrawToL1(nft.withdrawal)
    expect(await nft.holder()).toBe(me.address)
  }, 240_000)
})

/** Takes an NFT of L1 to L2 and, as far as L2 goes, back. */
async function bridgeNft() {
  const l1Bridge = l2.chain.contracts.l1Erc721Bridge[l1.chain.id]!.address
  const l2NftBridge = l2.chain.contracts.l2Erc721Bridge.address
  const ownerOf = {
    abi: erc721Abi,
    functionName: 'ownerOf',
    args: [42n],
  } as const
  const nft = (
    await succeeded(
      l1,
      await l1Wallet.deployContract({
        abi: parseAbi(['constructor(string name, string symbol)']),
        bytecode: loadContract('TestNft').bytecode,
        args: ['Cats', 'CAT'],
      }),
    )
  ).contractAddress!
  const creation = {
    address: predeploys.optimismMintableERC721Factory,
    abi: nftFactoryAbi,
    functionName: 'createOptimismMintableERC721',
    args: [nft, 'Cats', 'CAT'],
  } as const
  const { result: standIn } = await l2.simulateContract({ ...creation, account: me })
  await succeeded(l2, await l2Wallet.writeContract(creation))
  // Three transactions of one block of L1: the later ones cannot be estimated before it.
  const mint = {
    address: nft,
    abi: parseAbi(['function mint(address to, uint256 tokenId)']),
    functionName: 'mint',
    args: [me.address, 42n],
    gas: 300_000n,
  } as const
  await l1Wallet.writeContract(mint)
  const approval = {
    address: nft,
    abi: erc721Abi,
    functionName: 'approve',
    args: [l1Bridge, 42n],
    gas: 100_000n,
  } as const
  await l1Wallet.writeContract(approval)
  const up = { address: l1Bridge, abi: nftBridgeAbi, functionName: 'bridgeERC721' } as const
  const args = [nft, standIn, 42n, 300_000, '0x'] as const
  const deposit = await succeeded(
    l1,
    await l1Wallet.writeContract({ ...up, args, gas: 1_000_000n }),
  )
  await succeeded(l2, getL2TransactionHashes(deposit)[0]!)
  expect(await l2.readContract({ ...ownerOf, address: standIn, blockTag: 'pending' })).toBe(
    me.address,
  )
  const holder = () => l1.readContract({ ...ownerOf, address: nft })
  expect((await holder()).toLowerCase()).toBe(l1Bridge)
  const down = { ...up, address: l2NftBridge }
  const withdrawal = await succeeded(
    l2,
    await l2Wallet.writeContract({ ...down, args: [standIn, nft, 42n, 300_000, '0x'] }),
  )
  return { withdrawal, holder }
}

/** Wei that the account paid for its transactions on L1, from one with that nonce to the last. */
async function feesSince(nonce: number, last: TransactionReceipt): Promise<bigint> {
  let fees = 0n
  let missing = (await l1.getTransactionCount({ address: me.address })) - nonce
  for (let number = last.blockNumber; missing > 0; number -= 1n) {
    const { transactions } = await l1.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { from, hash } of transactions) {
      if (from !== me.address.toLowerCase()) continue
      const { gasUsed, effectiveGasPrice } = await l1.getTransactionReceipt({ hash })
      fees += gasUsed * effectiveGasPrice
      missing -= 1
    }
  }
  return fees
}
