import {
  BaseWallet,
  type Contract,
  ContractFactory,
  getAddress,
  getCreateAddress,
  JsonRpcProvider,
  type Log,
  type Provider,
  SigningKey,
  verifyMessage,
  WebSocketProvider,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { loadContract } from '#fixtures/contracts/load-contract'
import { startBaseNode } from './start-base-node.ts'

// ethers 6.17.0, unmodified.
const SUPPLY = 1_000_000_000n
const ETHER = 10n ** 18n

let devnet: Devnet
let http: JsonRpcProvider
let ws: WebSocketProvider
let wallet: BaseWallet
let other: string
let token: Contract

beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
  const { rpcUrl, wsUrl, accounts } = devnet.description
  http = new JsonRpcProvider(rpcUrl, undefined, { pollingInterval: 100, cacheTimeout: -1 })
  ws = new WebSocketProvider(wsUrl, undefined, { cacheTimeout: -1 })
  wallet = walletOf(0)
  other = accounts[1]!.address
  const { abi, bytecode } = loadContract('TestToken')
  const factory = new ContractFactory(abi as never, bytecode, wallet)
  token = (await factory.deploy('Test', 'TST', SUPPLY)) as Contract
  await token.waitForDeployment()
  await nextSeal()
})
afterAll(async () => {
  http?.destroy()
  await ws?.destroy()
  await devnet?.stop()
})

const nextSeal = () => new Promise((resolve) => devnet.node.chain.on('sealed', resolve))
const walletOf = (index: number) =>
  new BaseWallet(new SigningKey(devnet.description.accounts[index]!.privateKey), http)

describe.each([
  ['JsonRpcProvider', () => http as Provider],
  ['WebSocketProvider', () => ws as Provider],
])('ethers %s', (_name, provider) => {
  test('given network, fees and blocks, then each tells what the devnet has', async () => {
    expect((await provider().getNetwork()).chainId).toBe(84_538_453n)
    expect(await provider().getBlockNumber()).toBeGreaterThan(0)
    const fees = await provider().getFeeData()
    expect(fees.maxFeePerGas).toBeGreaterThan(fees.maxPriorityFeePerGas!)
    const first = await provider().getBlock(1)
    expect(await provider().getBlock(first!.hash!)).toMatchObject({ number: 1, hash: first!.hash })
    const [deposit] = (await provider().getBlock(1, true))!.prefetchedTransactions
    expect(deposit).toMatchObject({ type: 0x7e, blockNumber: 1 })
    for (const tag of ['latest', 'safe', 'finalized', 'earliest']) {
      expect((await provider().getBlock(tag))!.hash).toMatch(/^0x\w{64}$/)
    }
    expect(await provider().getBlock(99_999_999)).toBeNull()
  })

  test('given balance, nonce, code and storage, then each tells the state', async () => {
    const untouched = devnet.description.accounts[8]!.address
    expect(await provider().getBalance(untouched)).toBe(10_000n * ETHER)
    expect(await provider().getTransactionCount(untouched, 'pending')).toBe(0)
    expect(await provider().getCode(untouched)).toBe('0x')
    const { slot } = loadContract('TestToken').storage.find(({ label }) => label === 'totalSupply')!
    const stored = await provider().getStorage(await token.getAddress(), BigInt(slot))
    expect(BigInt(stored)).toBe(SUPPLY)
  })

  test('given a call, then it has its result, and a revert its custom error', async () => {
    const reader = token.connect(provider()) as Contract
    expect(await reader.balanceOf!(other, { blockTag: 'pending' })).toBeTypeOf('bigint')
    expect(await reader.symbol!()).toBe('TST')
    const failing = reader.transfer!.staticCall(other, 5n, { from: `0x${'77'.repeat(20)}` })
    await expect(failing).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      revert: { name: 'InsufficientBalance', args: [expect.anything(), 0n, 5n] },
    })
  })

  test('given a transfer, then estimate, send, receipt and logs fit, sealed and pending', async () => {
    const sender = token.connect(wallet.connect(provider())) as Contract
    const nonce = await provider().getTransactionCount(wallet.address, 'pending')
    const sent = await sender.transfer!(other, 3n, { nonce })
    const receipt = await sent.wait()
    expect(receipt).toMatchObject({ status: 1, type: 2, hash: sent.hash })
    const logs = await provider().getLogs({
      address: await token.getAddress(),
      fromBlock: 1,
      toBlock: 'pending',
    })
    expect(logs.map(({ transactionHash }) => transactionHash)).toContain(sent.hash)
    expect(receipt.logs[0].fragment.name).toBe('Transfer')
    expect(await provider().getTransaction(sent.hash)).toMatchObject({ from: wallet.address })
  })
})

describe('ethers', () => {
  test('given a contract, then it stands where getCreateAddress says', async () => {
    expect(await token.getAddress()).toBe(getCreateAddress({ from: wallet.address, nonce: 0 }))
  })

  // ethers' Block always has a number: it refuses the spec's null (RPC-PEND-02), and reads such a
  // block by send() alone. Profile base has a number.
  test('given the pending block, then send() reads it in profile spec, and getBlock() in profile base', async () => {
    await expect(http.getBlock('pending')).rejects.toMatchObject({ code: 'BAD_DATA' })
    const raw = await http.send('eth_getBlockByNumber', ['pending', false])
    expect(raw).toMatchObject({ number: null, hash: null })

    const running = await startBaseNode(devnet)
    const base = new JsonRpcProvider(running.url)
    const pending = await base.getBlock('pending')
    expect(pending!.number).toBeGreaterThan(0)
    base.destroy()
    await running.stop()
  })

  test('given what cannot be sent, then it fails with the names that ethers gives to our errors', async () => {
    const poor = new BaseWallet(new SigningKey(`0x${'77'.repeat(32)}`), http)
    await expect(poor.sendTransaction({ to: other, value: 1n })).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
    const stale = wallet.sendTransaction({ to: other, value: 1n, nonce: 0, gasLimit: 21_000n })
    await expect(stale).rejects.toMatchObject({ code: 'NONCE_EXPIRED' })
    const second = walletOf(4)
    const gapped = { to: other, value: 1n, nonce: 1, gasLimit: 21_000n }
    const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n }
    await second.sendTransaction({ ...gapped, ...fees })
    await expect(second.sendTransaction({ ...gapped, ...fees, value: 2n })).rejects.toMatchObject({
      code: 'REPLACEMENT_UNDERPRICED',
    })
  })

  test('given WebSocket subscriptions, then blocks, logs and pending transactions come', async () => {
    const block = new Promise<number>((resolve) => void ws.once('block', resolve))
    const seen = new Promise<string>((resolve) => void ws.once('pending', resolve))
    const filter = { address: await token.getAddress() }
    // A transfer of the test before may be sealed only now: ours is the one of 4.
    const log = new Promise<Log>((resolve) => {
      void ws.on(filter, (each: Log) => void (BigInt(each.data) === 4n && resolve(each)))
    })
    await ws.send('eth_chainId', [])
    const nonce = await http.getTransactionCount(wallet.address, 'pending')
    const sent = await (token.connect(wallet) as Contract).transfer!(other, 4n, { nonce })
    expect(await seen).toBe(sent.hash)
    expect(await log).toMatchObject({ transactionHash: sent.hash, removed: false })
    expect(await block).toBeGreaterThan(0)
    await ws.removeAllListeners()
    await ws.send('eth_chainId', [])
  })

  test('given polling, then the events of a contract come', async () => {
    const event = new Promise<bigint>((resolve) => {
      void (token.connect(http) as Contract).once('Transfer', (_from, _to, value) => resolve(value))
    })
    await http.getBlockNumber()
    const nonce = await http.getTransactionCount(wallet.address, 'pending')
    await (token.connect(wallet) as Contract).transfer!(other, 5n, { nonce })
    expect(await event).toBeTypeOf('bigint')
    await http.removeAllListeners()
    await http.send('eth_chainId', [])
  })

  test('given getSigner, then the dev accounts of the node send and sign', async () => {
    const address = getAddress(devnet.description.accounts[5]!.address)
    expect((await http.listAccounts()).map((signer) => signer.address)).toContain(address)
    const signer = await http.getSigner(address)
    const receipt = await (await signer.sendTransaction({ to: other, value: 1n })).wait()
    expect(receipt).toMatchObject({ status: 1, from: address })
    expect(verifyMessage('hello', await signer.signMessage('hello'))).toBe(address)
  })
})
