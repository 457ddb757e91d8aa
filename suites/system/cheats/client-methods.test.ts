import { type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Devnet, startDevnet } from '#devnet/index'
import { connectHardhat } from '#suites/clients/connect-hardhat'
import { lane } from '#suites/lane'
import { request } from './cheat-node.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, manual: true, logLevel: 'silent' })
})
afterAll(() => devnet.stop())
const ask = (method: string, params: unknown[] = [], path = '') =>
  request(`${devnet.description.rpcUrl}${path}`, method, params)
const account = (index: number) => devnet.description.accounts[index]!.address

describe('methods that clients ask for', () => {
  test('given an account, then eth_getAccountInfo says what three methods say', async () => {
    const of = '0xca11bde05977b3631167028862be2a173976ca11'
    expect(await ask('eth_getAccountInfo', [of, 'latest'])).toEqual({
      balance: await ask('eth_getBalance', [of, 'latest']),
      nonce: await ask('eth_getTransactionCount', [of, 'latest']),
      code: await ask('eth_getCode', [of, 'latest']),
    })
    const nobody = `0x${'9'.repeat(40)}`
    expect(await ask('eth_getAccountInfo', [nobody])).toEqual({
      ...{ balance: '0x0', nonce: '0x0', code: '0x' },
    })
  })

  test('given eth_coinbase, then it is the miner of the newest block', async () => {
    const { miner } = (await ask('eth_getBlockByNumber', ['latest', false])) as { miner: string }
    expect(await ask('eth_coinbase')).toBe(miner)
  })

  test('given a bare request, then eth_fillTransaction completes it, and its bytes say the same', async () => {
    const [from, to] = [account(0), account(1)]
    const { raw, tx } = (await ask('eth_fillTransaction', [{ from, to, value: '0x5' }])) as {
      raw: Hex
      tx: Record<string, Hex>
    }
    expect(tx).toMatchObject({
      from: from.toLowerCase(),
      to: to.toLowerCase(),
      value: '0x5',
      type: '0x2',
    })
    const parsed = parseTransaction(raw)
    expect(parsed).toMatchObject({ type: 'eip1559', value: 5n, chainId: Number(tx.chainId) })
    expect([parsed.gas, parsed.nonce ?? 0, parsed.maxFeePerGas]).toEqual([
      BigInt(tx.gas!),
      Number(tx.nonce),
      BigInt(tx.maxFeePerGas!),
    ])
  })

  test('given a nonce of more than 53 bits, then it is filled in and signed as it is', async () => {
    const [from, to] = [account(5), account(1)]
    const nonce = '0x20000000000001'
    await ask('anvil_setNonce', [from, nonce])
    const { raw, tx } = (await ask('eth_fillTransaction', [{ from, to }])) as {
      raw: Hex
      tx: Record<string, Hex>
    }
    expect(tx.nonce).toBe(nonce)
    // RLP: a string of seven bytes.
    expect(raw).toContain(`87${nonce.slice(2)}`)
    const hash = await ask('eth_sendTransaction', [{ from, to }])
    await devnet.node.flashblock()
    await devnet.node.seal()
    expect(await ask('eth_getTransactionByHash', [hash])).toMatchObject({
      from: from.toLowerCase(),
      nonce,
    })
  })

  test('given a pooled transaction, then eth_pendingTransactions has it until it is sealed', async () => {
    const hash = await ask('eth_sendTransaction', [{ from: account(2), to: account(3) }])
    expect(await ask('eth_pendingTransactions')).toMatchObject([{ hash, blockHash: null }])
    await devnet.node.flashblock()
    await devnet.node.seal()
    expect(await ask('eth_pendingTransactions')).toEqual([])
  })

  test('given a bundle of EIP-5792, then its calls go in order and its status follows them', async () => {
    const from = account(4)
    const chainId = await ask('eth_chainId')
    expect(await ask('wallet_getCapabilities', [from])).toEqual({
      [chainId as string]: { atomic: { status: 'unsupported' } },
    })
    const calls = [
      { to: account(5), value: '0x1' },
      { to: account(5), value: '0x2' },
    ]
    const bundle = { version: '2.0.0', from, chainId, atomicRequired: false, calls }
    const { id } = (await ask('wallet_sendCalls', [bundle])) as { id: string }
    expect(await ask('wallet_getCallsStatus', [id])).toMatchObject({ status: 100, atomic: false })
    await devnet.node.flashblock()
    expect(await ask('wallet_getCallsStatus', [id])).toMatchObject({
      ...{ version: '2.0.0', id, chainId, status: 200 },
      receipts: [{ status: '0x1' }, { status: '0x1' }],
    })
    await expect(
      ask('wallet_sendCalls', [{ ...bundle, atomicRequired: true }]),
    ).rejects.toMatchObject({ code: 5700 })
    await expect(ask('wallet_getCallsStatus', ['0x12'])).rejects.toMatchObject({ code: 5730 })
  })

  test('given the subscription syncing, then it says once that this node has caught up', async () => {
    const socket = new WebSocket(devnet.description.wsUrl)
    try {
      const messages: unknown[] = []
      const bothCame = new Promise<void>((resolve) =>
        socket.on('message', (data) => {
          if (messages.push(JSON.parse(data.toString())) === 2) resolve()
        }),
      )
      socket.once('open', () =>
        socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["syncing"]}'),
      )
      await bothCame
      const { result: subscription } = messages[0] as { result: string }
      expect(messages[1]).toMatchObject({ params: { subscription, result: false } })
    } finally {
      socket.terminate()
    }
  })

  test('given a tracer in JavaScript, then the refusal says which tracers there are', async () => {
    const tracer = '{ step: function() {}, fault: function() {}, result: function() { return 1 } }'
    await expect(
      ask('debug_traceCall', [{ to: account(0) }, 'latest', { tracer }]),
    ).rejects.toMatchObject({
      code: -32000,
      message: 'JavaScript tracers are not run here',
      data: expect.stringContaining('callTracer'),
    })
  })
})

describe('time and beginning anew', () => {
  test('given evm_setTime, then the next block comes then', async () => {
    const { timestamp } = (await ask('eth_getBlockByNumber', ['latest', false])) as {
      timestamp: Hex
    }
    const later = Number(timestamp) + 5_000
    expect(await ask('evm_setTime', [later])).toBe(5_000)
    await ask('evm_mine')
    expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      timestamp: `0x${later.toString(16)}`,
    })
    await expect(ask('anvil_setTime', [later - 1])).rejects.toMatchObject({ code: -32602 })
  })

  test('given anvil_reset, then the chain is at its genesis, and goes on from there', async () => {
    const genesis = await ask('eth_getBlockByNumber', ['0x0', false])
    await ask('evm_mine')
    // As viem's test client asks for it.
    await ask('anvil_reset', [{ forking: {} }])
    expect(await ask('eth_getBlockByNumber', ['latest', false])).toEqual(genesis)
    await ask('evm_mine')
    expect(await ask('eth_blockNumber')).toBe('0x1')
  })

  test.each([
    ['anvil_reset', [{ forking: { jsonRpcUrl: 'http://x' } }], -32602],
    ['hardhat_reset', [{ forking: { jsonRpcUrl: 'http://x', blockNumber: 5 } }], -32602],
    ['anvil_setRpcUrl', ['http://x'], -32004],
  ])('given a chain to fork, then %s says how a fork is started', async (...refusal) => {
    const [method, params, code] = refusal
    await expect(ask(method, params)).rejects.toMatchObject({
      code,
      data: expect.stringContaining("'rollbed up --fork-url'"),
    })
  })
})

const withHardhat = test.skipIf(!lane('clients').isInstalled)

withHardhat(
  "given /plain, then Hardhat's network helpers take the chain for one that tests may change",
  async () => {
    expect(await ask('web3_clientVersion')).toMatch(/^rollbed\//)
    const { rpcUrl } = devnet.description
    const at = async (url: string) =>
      (await connectHardhat({ type: 'http', chainType: 'generic', url })).networkHelpers
    const helpers = await at(`${rpcUrl}/plain`)
    await helpers.setBalance(account(6), 123n)
    expect(await ask('eth_getBalance', [account(6), 'latest'])).toBe('0x7b')
    const before = await helpers.time.latestBlock()
    await helpers.mine(2)
    expect(await helpers.time.latestBlock()).toBe(before + 2)
    await expect((await at(rpcUrl)).mine()).rejects.toThrow(/rollbed/)
  },
)
