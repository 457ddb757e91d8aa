import { type Hex, parseEther } from 'viem'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { loadContract } from '#fixtures/contracts/load-contract'
import { lane } from '#suites/lane'
import { castFor } from './cast-for.ts'
import { startBaseNode } from './start-base-node.ts'

const test = anyTest.skipIf(!lane('clients').isInstalled)

// Foundry 1.7.1, unmodified. Expected values: the devnet's documented genesis, Solidity's ABI, and
// what the transactions sent here must lead to.
const WETH = '0x4200000000000000000000000000000000000006'
const SUPPLY = 1_000_000_000n
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let devnet: Devnet
let cast: ReturnType<typeof castFor>
let owner: { address: Hex; privateKey: Hex }
let other: Hex
let token: Hex

beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
  cast = castFor(devnet.description.rpcUrl)
  const { accounts } = devnet.description
  owner = accounts[0]!
  other = accounts[1]!.address
  const { bytecode } = loadContract('TestToken')
  const creation = ['constructor(string,string,uint256)', 'Test', 'TST', String(SUPPLY)]
  const deployment = await send('--create', bytecode, ...creation)
  token = deployment.contractAddress as Hex
  await nextSeal()
})
afterAll(() => devnet?.stop())

/** What is pre-confirmed now is in `latest` then. */
const nextSeal = () => new Promise((resolve) => devnet.node.chain.on('sealed', resolve))

/**
 * cast takes the nonce at `latest`, and its receipts are here before the block is sealed: whoever
 * sends twice within a block says which nonce.
 */
async function send(...args: string[]): Promise<Record<string, string>> {
  const nonce = await cast.print('nonce', owner.address, '--block', 'pending')
  return cast.json('send', '--private-key', owner.privateKey, '--nonce', nonce, ...args)
}

describe('cast on chain and blocks', () => {
  test('given chain-id, client, block-number, gas-price and base-fee, then each tells what the devnet has', async () => {
    expect(await cast.print('chain-id')).toBe('84538453')
    expect(await cast.print('client')).toMatch(/^rollbed\//)
    expect(Number(await cast.print('block-number'))).toBeGreaterThan(0)
    expect(BigInt(await cast.print('gas-price'))).toBeGreaterThan(0n)
    expect(BigInt(await cast.print('base-fee'))).toBeGreaterThan(0n)
  })

  test('given block by number, hash and tag, then it is the same block, whole or one field, with full transactions', async () => {
    const hash = await cast.print('block', '1', '--field', 'hash')
    const byHash = await cast.json('block', hash)
    expect(byHash).toMatchObject({ hash, number: '0x1' })
    expect(await cast.print('block', 'earliest', '--field', 'number')).toBe('0')
    for (const tag of ['latest', 'safe', 'finalized']) {
      expect(await cast.print('block', tag, '--field', 'number')).toMatch(/^\d+$/)
    }
    const { transactions } = await cast.json<{ transactions: object[] }>('block', '1', '--full')
    expect(transactions).toMatchObject([{ type: '0x7e', mint: '0x0' }])
    expect((await cast.run('block', '99999999')).stderr).toContain('not found')
  })

  test('given --network optimism, then op-alloy reads our deposits', async () => {
    const { transactions } = await cast.json<{ transactions: object[] }>(
      ...['block', '1', '--full', '--network', 'optimism'],
    )
    expect(transactions).toHaveLength(1)
  })

  test('given find-block, then it finds the block of a time', async () => {
    const time = await cast.print('block', '1', '--field', 'timestamp')
    expect(await cast.print('find-block', time.split(' ')[0]!)).toBe('1')
  })

  // Alloy's header always has a number, so that the spec's null (RPC-PEND-02) is refused by cast;
  // `cast rpc` takes it.
  test('given the pending block, then cast rpc takes its null number, and cast block does not', async () => {
    const raw = await cast.print('rpc', 'eth_getBlockByNumber', 'pending', 'false')
    expect(JSON.parse(raw)).toMatchObject({ number: null, hash: null })
    const { exitCode, stderr } = await cast.run('block', 'pending')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('invalid type: null')
  })

  test('given the pending block of profile base, then cast block takes it: it has a number', async () => {
    const base = await startBaseNode(devnet)
    try {
      const pending = await castFor(base.url).json('block', 'pending')
      expect(pending).toMatchObject({ number: expect.stringMatching(/^0x/) })
    } finally {
      await base.stop()
    }
  })
})

describe('cast on accounts and state', () => {
  test('given balance, nonce, code, codesize and codehash, then each tells what the devnet has', async () => {
    const untouched = devnet.description.accounts[8]!.address
    expect(BigInt(await cast.print('balance', untouched))).toBe(parseEther('10000'))
    expect(await cast.print('nonce', untouched, '--block', 'pending')).toBe('0')
    expect(await cast.print('code', untouched)).toBe('0x')
    expect(await cast.print('code', token)).toMatch(/^0x60/)
    expect(Number(await cast.print('codesize', token))).toBeGreaterThan(1000)
    expect(await cast.print('codehash', token)).toMatch(/^0x\w{64}$/)
  })

  test('given storage and proof of a slot, then they say the same', async () => {
    const { storage } = loadContract('TestToken')
    const { slot } = storage.find(({ label }) => label === 'totalSupply')!
    expect(BigInt(await cast.print('storage', token, slot))).toBe(SUPPLY)
    const proof = await cast.print('proof', token, slot)
    expect(JSON.parse(proof)).toMatchObject({
      storageProof: [{ value: `0x${SUPPLY.toString(16)}` }],
    })
  })
})

describe('cast on calls', () => {
  test('given call, then it has results, at pending, with an overridden balance, traced', async () => {
    expect(await cast.print('call', token, 'symbol()(string)')).toBe('"TST"')
    const balanceOf = ['call', token, 'balanceOf(address)(uint256)', owner.address]
    expect(BigInt((await cast.print(...balanceOf, '--block', 'pending')).split(' ')[0]!)).toBe(
      SUPPLY,
    )
    const rich = ['--from', other, '--value', '20000ether', '--override-balance']
    await cast.print('call', WETH, 'deposit()', ...rich, `${other}:${parseEther('30000')}`)
    expect(await cast.print('call', token, 'symbol()(string)', '--trace')).toContain('[Return]')
  })

  test('given a revert, then it is -32000 with the data that Solidity made', async () => {
    const { exitCode, stderr } = await cast.run(
      ...['call', token, 'transfer(address,uint256)', owner.address, '5', '--from', other],
    )
    expect(exitCode).toBe(1)
    expect(stderr).toContain('-32000: execution reverted')
    // InsufficientBalance(address,uint256,uint256) of the token.
    expect(stderr).toContain(`0xdb42144d000000000000000000000000${other.slice(2).toLowerCase()}`)
  })

  test('given estimate, access-list and simulateV1, then each answers for a transfer', async () => {
    const transfer = [token, 'transfer(address,uint256)', other, '1', '--from', owner.address]
    expect(Number(await cast.print('estimate', ...transfer))).toBeGreaterThan(21_000)
    const { accessList } = await cast.json<{ accessList: { address: Hex; storageKeys: Hex[] }[] }>(
      ...['access-list', ...transfer],
    )
    expect(accessList).toMatchObject([{ address: token.toLowerCase() }])
    expect(accessList[0]!.storageKeys).toHaveLength(2)
    const totalSupply = { to: token, data: '0x18160ddd' }
    const payload = { blockStateCalls: [{ calls: [totalSupply] }] }
    const simulated = await cast.print('rpc', 'eth_simulateV1', JSON.stringify(payload), 'latest')
    expect(BigInt(JSON.parse(simulated)[0].calls[0].returnData)).toBe(SUPPLY)
  })
})

describe('cast on transactions', () => {
  test('given send, receipt, tx, raw tx and logs, then they tell one story', async () => {
    const receipt = await send(token, 'transfer(address,uint256)', other, '7')
    const hash = receipt.transactionHash!
    expect(receipt).toMatchObject({ status: '0x1', type: '0x2', to: token.toLowerCase() })
    expect(await cast.json('receipt', hash)).toMatchObject({ transactionHash: hash, status: '0x1' })
    expect(await cast.print('tx', hash, 'input')).toMatch(/^0xa9059cbb/)
    expect(await cast.print('tx', hash, '--raw')).toMatch(/^0x02f8/)
    const logs = await cast.json<{ topics: Hex[]; data: Hex }[]>(
      ...['logs', '--from-block', '1', '--to-block', 'pending', '--address', token],
      ...['Transfer(address,address,uint256)'],
    )
    expect(logs.map(({ topics, data }) => [topics[0], BigInt(data)])).toEqual([
      [TRANSFER, SUPPLY],
      [TRANSFER, 7n],
    ])
  })

  test('given every type of fee, then it is sent, and publish takes what mktx signed', async () => {
    const types = [['--legacy'], ['--access-list'], []]
    for (const flags of types) {
      expect(await send(other, '--value', '1wei', ...flags)).toMatchObject({ status: '0x1' })
    }
    const key = devnet.description.accounts[2]!.privateKey
    const raw = await cast.print('mktx', '--private-key', key, other, '--value', '1wei')
    const published = await cast.print('publish', '--async', raw)
    expect(JSON.parse(published.startsWith('"') ? published : `"${published}"`)).toMatch(
      /^0x\w{64}$/,
    )
  })

  test('given an EIP-7702 delegation, then the account has its code', async () => {
    const key = devnet.description.accounts[3]!
    const receipt = await cast.json<Record<string, string>>(
      ...['send', '--private-key', key.privateKey, key.address, '--auth', WETH],
    )
    expect(receipt).toMatchObject({ status: '0x1', type: '0x4' })
    expect(await cast.print('code', key.address, '--block', 'pending')).toBe(
      `0xef0100${WETH.slice(2)}`,
    )
  })

  test('given send --unlocked from a dev account, then it is sent and traced, and tx-pool tells of it', async () => {
    const from = devnet.description.accounts[4]!.address
    const receipt = await cast.json<Record<string, string>>(
      ...['send', '--unlocked', '--from', from, other, '--value', '1wei'],
    )
    expect(receipt).toMatchObject({ status: '0x1', from: from.toLowerCase() })
    const hash = receipt.transactionHash!
    const tracer = JSON.stringify({ tracer: 'callTracer' })
    const trace = await cast.print('rpc', 'debug_traceTransaction', hash, tracer)
    expect(JSON.parse(trace)).toMatchObject({ type: 'CALL', value: '0x1', to: other.toLowerCase() })
    expect(JSON.parse(await cast.print('tx-pool', 'status'))).toHaveProperty('pending')
  })

  test('given what cannot be sent, then it fails with the reason', async () => {
    const poor = `0x${'77'.repeat(32)}`
    const { stderr } = await cast.run('send', '--private-key', poor, other, '--value', '1')
    expect(stderr.toLowerCase()).toContain('insufficient funds')
  })
})
