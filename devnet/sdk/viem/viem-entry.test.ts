import {
  type Account,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  formatLog,
  type Hash,
  http,
  type Log,
  parseAbi,
  publicActions,
  size,
  type Transport,
  webSocket,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import {
  attributionActions,
  builderCodeClient,
  builderCodeSuffix,
  preconfirmationActions,
  rollbedChain,
  rollbedL1Chain,
  testActions,
} from './index.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(() => devnet?.stop())

function walletOf(index: number, transport: Transport = http()) {
  return createWalletClient({
    account: privateKeyToAccount(devnet.description.accounts[index]!.privateKey),
    chain: rollbedChain(devnet.description),
    transport,
  })
    .extend(publicActions)
    .extend(preconfirmationActions())
    .extend(testActions())
}

/** Emits one log without topics, its data 32 bytes: PUSH1 32 PUSH0 LOG0. */
const LOGGER_RUNTIME = '60205fa0'
const deployLogger = `0x63${LOGGER_RUNTIME}5f526004601cf3` as const

describe('rollbedChain', () => {
  test.each([
    ['', '/base'],
    ['/', '/base'],
    ['/branch/7', '/branch/7/base'],
    ['/spec', '/spec'],
    ['/branch/7/plain', '/branch/7/plain'],
  ])('given URLs at %s, then its clients ask at %s', (path, asked) => {
    const [rpcUrl, wsUrl] = [`http://127.0.0.1:1${path}`, `ws://127.0.0.1:1${path}`]
    expect(rollbedChain({ ...devnet.description, rpcUrl, wsUrl }).rpcUrls.default).toEqual({
      http: [`http://127.0.0.1:1${asked}`],
      webSocket: [`ws://127.0.0.1:1${asked}`],
    })
  })

  test('given its chain, when a client reads, then URLs and ids are those of the devnet', async () => {
    const { chainId, l1ChainId } = devnet.description
    const client = createPublicClient({
      chain: rollbedChain(devnet.description),
      transport: http(),
    })
    const l1 = createPublicClient({
      chain: rollbedL1Chain(devnet.description),
      transport: http(),
    })

    expect([await client.getChainId(), await l1.getChainId()]).toEqual([chainId, l1ChainId])
    expect(client.chain.contracts.portal[l1ChainId]?.address).toBe(
      devnet.description.contracts.optimismPortal,
    )
  })
})

test('given a chain that reads at pending, when a client reads, then it sees what is pre-confirmed', async () => {
  const wallet = walletOf(7)
  const reader = createPublicClient({
    chain: rollbedChain(devnet.description, { readPending: true }),
    transport: http(),
  })
  const to = privateKeyToAccount(generatePrivateKey()).address
  await wallet.pauseBlocks()
  await wallet.sendAndPreconfirm({ to, value: 5n })

  expect(await reader.getBalance({ address: to })).toBe(5n)
  expect(await wallet.getBalance({ address: to })).toBe(0n)
  await wallet.resumeBlocks()
})

describe('preconfirmationActions', () => {
  test('given a transfer, when it is sent, then it is pre-confirmed, sealed, safe, in that order', async () => {
    const wallet = walletOf(0)
    const to = privateKeyToAccount(generatePrivateKey()).address

    const receipt = await wallet.sendAndPreconfirm({ to, value: 5n })

    expect(receipt.status).toBe('success')
    expect(await wallet.getBalance({ address: to, blockTag: 'pending' })).toBe(5n)
    // A field of the OP stack: the chain's formatters are at work.
    expect(receipt.l1Fee).toBeGreaterThan(0n)
    const hash = receipt.transactionHash
    expect((await wallet.waitForPreconfirmation({ hash })).transactionHash).toBe(hash)
    const sealed = await wallet.waitUntilSealed({ hash })
    expect(await wallet.getBlock({ blockHash: sealed.blockHash })).toMatchObject({
      number: receipt.blockNumber,
    })
    const safe = await wallet.waitUntilSafe({ hash })
    expect(safe.blockHash).toBe(sealed.blockHash)
    expect((await wallet.getBlock({ blockTag: 'safe' })).number).toBeGreaterThanOrEqual(
      sealed.blockNumber,
    )
  })

  test('given a hash nobody sent, when it is waited for, then the error says that it is unknown', async () => {
    const hash: Hash = `0x${'ab'.repeat(32)}`
    await expect(walletOf(0).waitUntilSealed({ hash, timeout: 0 })).rejects.toMatchObject({
      code: 'CONFIRMATION_TIMEOUT',
      message: `Transaction ${hash} is not sealed after 0 s: the node does not know it.`,
    })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(walletOf(0).waitForPreconfirmation({ hash, signal })).rejects.toThrow('enough')
  })

  test('given WebSocket, when a transaction logs, then its log and its flashblock come before its seal', async () => {
    const wallet = walletOf(1, webSocket())
    await wallet.pauseBlocks()
    const { contractAddress } = await wallet.sendAndPreconfirm({
      data: encodeDeployData({ abi: [], bytecode: deployLogger }),
    })
    const log = Promise.withResolvers<Log<bigint, number, false>>()
    const block = Promise.withResolvers<number>()
    const unwatchLogs = wallet.watchPendingLogs({
      address: contractAddress!,
      onLog: log.resolve,
      onError: log.reject,
    })
    const unwatchBlocks = wallet.watchFlashblocks({
      onFlashblock: ({ transactions }) => block.resolve(transactions.length),
      onError: block.reject,
    })

    await wallet.sendAndPreconfirm({ to: contractAddress! })

    expect(await log.promise).toMatchObject({ address: contractAddress, removed: false })
    expect(await block.promise).toBeGreaterThan(1)
    unwatchLogs()
    unwatchBlocks()
    await wallet.resumeBlocks()
    // Else viem dials on for a devnet that is gone.
    const { getRpcClient } = wallet.transport as unknown as ReturnType<
      ReturnType<typeof webSocket>
    >['value'] &
      object
    ;(await getRpcClient()).close()
  })

  test('given HTTP, when logs are watched, then the error says which transport it takes', () => {
    expect(() => walletOf(0).watchFlashblocks({ onFlashblock() {} })).toThrow(
      expect.objectContaining({ code: 'WEBSOCKET_NEEDED' }),
    )
  })

  test.each([
    ['nothing with it', undefined],
    ['bytes that do not compress', `0x${'0123456789abcdef'.repeat(60)}`],
  ] as const)(
    'given %s, when all is sent, then it is taken and little is left',
    async (_what, data) => {
      const key = generatePrivateKey()
      const poor = createWalletClient({
        account: privateKeyToAccount(key),
        chain: rollbedChain(devnet.description),
        transport: http(),
      }).extend(preconfirmationActions())
      await walletOf(2).sendAndPreconfirm({ to: poor.account.address, value: 10n ** 18n })
      const to = devnet.description.accounts[3]!.address

      const { l1Fee } = await poor.getMaximumValue({ to, data })
      const receipt = await poor.sendMaximum({ to, data })

      expect(receipt.status).toBe('success')
      // A second way to know what it paid to L1: the receipt.
      expect(receipt.l1Fee).toBeLessThanOrEqual(l1Fee)
      const left = await walletOf(0).getBalance({
        address: poor.account.address,
        blockTag: 'pending',
      })
      expect(left).toBeLessThan(10n ** 14n)
      await expect(poor.sendMaximum({ to })).rejects.toMatchObject({ code: 'BALANCE_TOO_LOW' })
    },
  )

  test('given a client without an account, when all is sent, then the error says so', async () => {
    const client = createPublicClient({
      chain: rollbedChain(devnet.description),
      transport: http(),
    }).extend(preconfirmationActions())
    const to = devnet.description.accounts[3]!.address
    await expect(client.getMaximumValue({ to })).rejects.toMatchObject({ code: 'ACCOUNT_MISSING' })
  })
})

describe('testActions', () => {
  test('given a day that passes, when the chain goes back to its snapshot, then the day is gone', async () => {
    const client = walletOf(4)
    const before = await client.getBlock()
    const id = await client.snapshot()

    const after = await client.advanceTime({ seconds: 86_400 })

    expect(after).toBeGreaterThanOrEqual(before.timestamp + 86_400n)
    expect((await client.getBlock()).timestamp).toBeGreaterThanOrEqual(after)
    await client.revert({ id })
    expect((await client.getBlock()).timestamp).toBeLessThan(after)
  })

  test('given a paused chain, when it is stepped, then a flashblock pre-confirms and a seal seals', async () => {
    const client = walletOf(5)
    await client.pauseBlocks()
    const hash = await client.sendTransaction({ to: client.account.address })

    expect(await client.flashblock()).toContain(hash)
    const { number, hash: blockHash } = await client.seal()
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      blockNumber: number,
      blockHash,
    })

    await client.reorganize({ depth: 1 })
    expect((await client.getBlock({ blockNumber: number })).hash).not.toBe(blockHash)
    await client.rollback({ depth: 1 })
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(number - 1n)
    await client.resumeBlocks()
  })

  test('given a chain with a pace of its own that is paused twice, when it is resumed, then it has its pace again', async () => {
    const branch = await walletOf(5).branch()
    const client = createPublicClient({
      chain: rollbedChain({ ...devnet.description, ...branch }),
      transport: http(),
    }).extend(testActions())
    const pace = () => client.request({ method: 'anvil_getIntervalMining' } as never)
    await client.resumeBlocks({ seconds: 1 })
    await client.pauseBlocks()
    await client.pauseBlocks()
    expect(await pace()).toBeNull()
    await client.resumeBlocks()
    expect(await pace()).toBe(1)
  })
})

describe('builder codes', () => {
  test('given a wallet, when it registers, then its suffix credits it on chain (BC-10, ATTR-05)', async () => {
    const wallet = walletOf(6)
    const codes = builderCodeClient(devnet.description.apiUrl)
    const { builderCode, created } = await codes.register(wallet.account.address)
    expect(created).toBe(true)
    expect(await codes.register(wallet.account.address)).toMatchObject({
      builderCode,
      created: false,
    })

    const { transactionHash } = await wallet.sendAndPreconfirm({
      to: wallet.account.address,
      dataSuffix: builderCodeSuffix(builderCode),
    })

    const reads = wallet.extend(attributionActions())
    expect(await reads.getAttribution({ hash: transactionHash })).toMatchObject({
      codes: [builderCode],
      wallets: [expect.stringMatching(/^0x/)],
      schema: 0,
      suffix: builderCodeSuffix(builderCode),
      size: BigInt(size(builderCodeSuffix(builderCode))),
    })
    const plain = await wallet.sendAndPreconfirm({ to: wallet.account.address })
    expect(await reads.getAttribution({ hash: plain.transactionHash })).toBeNull()
    const { number } = await wallet.getBlock()
    const stats = await reads.getAttributionStats({ fromBlock: number > 10n ? number - 10n : 0n })
    expect(stats).toMatchObject({ pending: true, transactions: 1 })
    expect(stats.codes).toMatchObject([{ code: builderCode, transactions: 1 }])
  })

  test('given what the API refuses, then the error says what it said', async () => {
    const codes = builderCodeClient(devnet.description.apiUrl)
    await expect(codes.register('0x12')).rejects.toMatchObject({
      code: 'BUILDER_CODE_REFUSED',
      message: expect.stringContaining('40 hex'),
    })
    await expect(builderCodeClient('http://127.0.0.1:1').register('0x12')).rejects.toMatchObject({
      code: 'BUILDER_CODES_UNREACHABLE',
    })
  })

  test('given codes, then their suffix is that of ERC-8021 schema 0; given others, they are refused', () => {
    expect(builderCodeSuffix(['baseapp', 'morpho'])).toBe(
      `0x626173656170702c6d6f7270686f0e00${'8021'.repeat(8)}`,
    )
    for (const wrong of ['', 'a b', 'a,b', 'é', 'x'.repeat(256), []]) {
      expect(() => builderCodeSuffix(wrong)).toThrow(
        expect.objectContaining({ code: 'BUILDER_CODE_INVALID' }),
      )
    }
  })
})

test('given a client with its types, then they flow to what its actions take and give', () => {
  const abi = parseAbi(['event Sent(address indexed to, uint256 value)', 'function send(uint256)'])
  type Client = ReturnType<typeof walletOf>
  expectTypeOf<Client['account']>().toExtend<Account>()
  expectTypeOf<Awaited<ReturnType<Client['sendAndPreconfirm']>>['l1Fee']>().toEqualTypeOf<
    bigint | null
  >()
  const check = (client: Client) => {
    client.watchPendingLogs({
      abi,
      eventName: 'Sent',
      args: { to: '0x00' },
      onLog: ({ args }) => expectTypeOf(args.value).toEqualTypeOf<bigint>(),
    })
    client.watchPendingLogs({
      onLog: (log) => expectTypeOf(log.data).toEqualTypeOf<`0x${string}`>(),
    })
    // @ts-expect-error no such event
    client.watchPendingLogs({ abi, eventName: 'Received', onLog() {} })
    // @ts-expect-error an argument is missing
    client.writeAndPreconfirm({ abi, address: '0x00', functionName: 'send', args: [] })
    client.watchFlashblocks({
      onFlashblock: ({ number }) => expectTypeOf(number).toEqualTypeOf<null>(),
    })
  }
  expect([check, formatLog]).toBeDefined()
})
