import {
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeErrorResult,
  type Hash,
  http,
  parseAbi,
  publicActions,
  type Transport,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type DroppedTransaction,
  l1TestActions,
  preconfirmationActions,
  type Reorg,
  rollbedChain,
  rollbedL1Chain,
  testActions,
} from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { closeSocket } from '#suites/system/end-to-end/close-socket'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(() => devnet?.stop())

async function onBranch(transport: Transport = http()) {
  const branch = await devnet.branch()
  const { accounts } = devnet.description
  return createWalletClient({
    account: privateKeyToAccount(accounts[0]!.privateKey),
    chain: rollbedChain({ ...devnet.description, ...branch }),
    transport,
  })
    .extend(publicActions)
    .extend(preconfirmationActions())
    .extend(testActions())
}

describe('a contract that reverts with its calldata', () => {
  const abi = parseAbi([
    'error Unauthorized(address who)',
    'error Error(string)',
    // The same selector as the error: what is sent comes back.
    'function Unauthorized(address who)',
  ])
  const who = '0x000000000000000000000000000000000000bEEF'
  const gas = 100_000n
  const deployed = async () => {
    const client = await onBranch()
    const { contractAddress } = await client.sendAndPreconfirm({
      // CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 REVERT
      data: encodeDeployData({ abi: [], bytecode: '0x66365f5f37365ffd5f5260076019f3' }),
    })
    return { client, address: contractAddress! }
  }

  test('when it is sent to, then the error has the reason and the receipt', async () => {
    const { client, address: to } = await deployed()
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['not today'] })
    await expect(client.sendAndPreconfirm({ to, data, gas })).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      reason: 'not today',
      data,
      receipt: { status: 'reverted', to: to.toLowerCase() },
    })
    const receipt = await client.sendAndPreconfirm({ to, data, gas, throwOnReceiptRevert: false })
    expect(receipt.status).toBe('reverted')
  })

  test('when it is called, then its own error is decoded by its ABI', async () => {
    const { client, address } = await deployed()
    const call = { address, abi, functionName: 'Unauthorized', args: [who], gas } as const
    await expect(client.writeAndPreconfirm(call)).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      reason: `Unauthorized(${who})`,
    })
    const receipt = await client.writeAndPreconfirm({ ...call, throwOnReceiptRevert: false })
    expect(receipt.status).toBe('reverted')
  })
})

describe('sendAndPreconfirm', () => {
  test('given a transaction that another replaces while it is waited for, then it fails at once, and says why', async () => {
    const pooled = Promise.withResolvers<Hash>()
    const unwatch = devnet.node.chain.on('pooled', ({ hash }) => pooled.resolve(hash))
    onTestFinished(unwatch)
    const account = privateKeyToAccount(devnet.description.accounts[1]!.privateKey)
    const client = createWalletClient({
      ...{ account, chain: rollbedChain(devnet.description), transport: http() },
    }).extend(preconfirmationActions())
    // The nonce before it is missing: it waits.
    const request = { to: account.address, nonce: 1, gas: 21_000n }
    const sent = client.sendAndPreconfirm(request).catch((error: unknown) => error)
    const hash = await pooled.promise
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n }
    await client.sendTransaction({ ...request, ...fees })
    expect(await sent).toMatchObject({
      code: 'TRANSACTION_DROPPED',
      reason: expect.stringContaining('with the same nonce and higher fees took its place'),
      hash,
    })
  })
})

describe.each(['waitUntilSealed', 'waitUntilSafe', 'waitUntilFinalized'] as const)('%s', (wait) => {
  test('given a pre-confirmation that is dropped, then it fails at once, before and after', async () => {
    const client = await onBranch()
    await client.pauseBlocks()
    const { transactionHash: hash } = await client.sendAndPreconfirm({ to: client.account.address })
    const underWay = client[wait]({ hash })
    const dropped = expect(underWay).rejects.toMatchObject({
      code: 'TRANSACTION_DROPPED',
      reason: 'The chain went back to before it.',
      hash,
    })
    await client.rollback({ depth: 0 })
    await dropped
    await expect(client[wait]({ hash })).rejects.toMatchObject({ code: 'TRANSACTION_DROPPED' })
  })
})

describe('a chain that a time cheat took off L1', () => {
  test('when safety is waited for, or a withdrawal settled, then the error names the cheat, its block and the way out', async () => {
    await using own = await startDevnet({ enclaves: 0, logLevel: 'silent' })
    const chain = rollbedChain(own.description)
    const account = privateKeyToAccount(own.description.accounts[0]!.privateKey)
    const client = createWalletClient({ account, chain, transport: http() })
      .extend(publicActions)
      .extend(preconfirmationActions())
      .extend(testActions())
    // Not on the lattice of block times.
    await client.increaseTime({ seconds: 33 })
    await client.mine({ blocks: 1 })
    const { number } = await client.getBlock()
    const receipt = await client.sendAndPreconfirm({ to: account.address })
    const { transactionHash: hash } = receipt
    const diverged = {
      code: 'CHAIN_DIVERGED',
      message: expect.stringMatching(
        new RegExp(`Since block ${number} .*evm_increaseTime.*is proven or withdrawn`),
      ),
      hint: expect.stringContaining('rollbed_increaseTime'),
    }
    await expect(client.waitUntilSafe({ hash })).rejects.toMatchObject(diverged)
    await expect(client.waitUntilFinalized({ hash })).rejects.toMatchObject(diverged)
    const l1 = createPublicClient({
      chain: rollbedL1Chain(own.description),
      transport: http(),
    }).extend(l1TestActions())
    await expect(l1.settleWithdrawal({ receipt, targetChain: chain })).rejects.toMatchObject(
      diverged,
    )
    const { divergence } = await client.request<{
      Method: string
      Parameters: unknown[]
      ReturnType: { divergence: object }
    }>({ method: 'anvil_metadata', params: [] })
    expect(divergence).toMatchObject({ cause: 'timestamp', wayOut: diverged.hint })
  })
})

describe('waiting', () => {
  test('given a transaction that another replaces, when it waits in the pool, then the wait fails with that reason', async () => {
    const client = await onBranch()
    const nonce = 1 + (await client.getTransactionCount({ address: client.account.address }))
    const to = client.account.address
    const hash = await client.sendTransaction({ to, nonce, gas: 21_000n })
    const wait = expect(client.waitForPreconfirmation({ hash })).rejects.toMatchObject({
      code: 'TRANSACTION_DROPPED',
      message: expect.stringContaining('with the same nonce and higher fees took its place'),
    })
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n }
    await client.sendTransaction({ to, nonce, gas: 21_000n, ...fees })
    await wait
  })

  test('given one that is dropped and sent again, then it is pre-confirmed as if nothing had been', async () => {
    const client = await onBranch()
    await client.pauseBlocks()
    const request = await client.prepareTransactionRequest({ to: client.account.address })
    const serializedTransaction = await client.signTransaction(request)
    const hash = await client.sendRawTransaction({ serializedTransaction })
    await client.waitForPreconfirmation({ hash })
    await client.rollback({ depth: 0 })
    await client.sendRawTransaction({ serializedTransaction })
    expect((await client.waitForPreconfirmation({ hash })).status).toBe('success')
  })

  test('given a chain that does not tell its drops, when it no longer knows the transaction, then the wait says so', async () => {
    const seen = Promise.withResolvers<void>()
    const client = await onBranch(
      telling(
        silenced(http()),
        (method) => method === 'eth_getTransactionReceipt' && seen.resolve(),
      ),
    )
    await client.pauseBlocks()
    const { transactionHash: hash } = await client.sendAndPreconfirm({ to: client.account.address })
    const wait = client.waitUntilSealed({ hash })
    const failed = expect(wait).rejects.toMatchObject({
      code: 'TRANSACTION_DROPPED',
      reason: 'The node does not know it any more.',
    })
    await seen.promise
    await client.rollback({ depth: 0 })
    await failed
  })
})

describe.each([
  ['HTTP', () => http()],
  // A branch that is gone is not dialled again.
  ['WebSocket', () => webSocket(undefined, { reconnect: false })],
] as const)('watching over %s', (name, transport) => {
  /** A client, and when its first look has been answered. */
  const watching = async (method: string) => {
    const looked = Promise.withResolvers<void>()
    const client = await onBranch(
      telling(transport(), (answered) => answered === method && looked.resolve()),
    )
    const close = () => (name === 'WebSocket' ? closeSocket(client) : undefined)
    await client.pauseBlocks()
    return { client, looked: looked.promise, close }
  }

  test('given transactions that are dropped, then each is told with its reason', async () => {
    const { client, looked, close } = await watching('rollbed_drops')
    const event = Promise.withResolvers<DroppedTransaction>()
    const unwatch = client.watchDropped({ onDropped: event.resolve, onError: event.reject })
    await looked
    const { transactionHash: hash } = await client.sendAndPreconfirm({ to: client.account.address })
    await client.rollback({ depth: 0 })
    expect(await event.promise).toEqual({
      hash,
      code: 'TRANSACTION_DROPPED',
      reason: 'The chain went back to before it.',
    })
    unwatch()
    await close()
  })

  test('given a reorganization, then what went and what came is told', async () => {
    const { client, looked, close } = await watching('eth_getBlockByNumber')
    const old = await client.seal()
    const event = Promise.withResolvers<Reorg>()
    const unwatch = client.watchReorgs({ onReorg: event.resolve, onError: event.reject })
    await looked
    await client.reorganize({ depth: 1 })
    const { removed, added } = await event.promise
    expect(removed).toEqual([old])
    expect(added).toMatchObject([{ number: old.number }])
    expect(added[0]!.hash).not.toBe(old.hash)
    unwatch()
    await close()
  })

  test('given a rollback, then nothing took the place of what went', async () => {
    const { client, looked, close } = await watching('eth_getBlockByNumber')
    const newest = await client.seal()
    const event = Promise.withResolvers<Reorg>()
    const unwatch = client.watchReorgs({ onReorg: event.resolve, onError: event.reject })
    await looked
    await client.rollback({ depth: 1 })
    expect(await event.promise).toEqual({ removed: [newest], added: [] })
    unwatch()
    await close()
  })
})

/** As if the node had no word for what it drops. */
function silenced(transport: Transport): Transport {
  return (options) => {
    const made = transport(options)
    const request = ({ method, ...args }: { method: string }) =>
      made.request({
        ...args,
        method: method === 'rollbed_drops' ? 'rollbed_none' : method,
      } as never)
    return { ...made, request: request as typeof made.request }
  }
}

/** The same, and it tells of each answer. */
function telling<transport extends Transport>(
  transport: transport,
  onAnswer: (method: string) => void,
): transport {
  return ((options: Parameters<Transport>[0]) => {
    const made = transport(options)
    return {
      ...made,
      request: async (args: { method: string }) => {
        const answer = await made.request(args as never)
        onAnswer(args.method)
        return answer
      },
    }
  }) as transport
}
