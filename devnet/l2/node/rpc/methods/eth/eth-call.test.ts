import { decodeErrorResult, encodeErrorResult, type Hex, slice } from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Engine } from '#protocol/evm/engine'
import { EngineFault } from '#protocol/evm/engine-fault'
import { CONTEXT, ECHO, INVALID, LOOP, REVERTER, STORAGE } from '../../testing/contracts.ts'
import { bob, createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

const ABI = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const
const REASON = encodeErrorResult({ abi: ABI, errorName: 'Error', args: ['no way'] })
const POOR: Hex = `0x${'99'.repeat(20)}`
const store = (slot: number, value: number): Hex => `${word(slot)}${word(value).slice(2) as Hex}`

/** Slot 1 of STORAGE is 11 at block 1, 22 at block 2 and 33 pre-confirmed. */
let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
  const { chain, sign } = node
  await chain.mine(await sign({ to: STORAGE, data: store(1, 11) }))
  await chain.mine(await sign({ to: STORAGE, data: store(1, 22) }))
  await chain.flashblock(await sign({ to: STORAGE, data: store(1, 33) }))
})
const call = (transaction: object, ...rest: unknown[]): Promise<Hex> =>
  node.rpc('eth_call', transaction, ...(rest.length ? rest : ['latest']))
const read = (selector: unknown) => call({ to: STORAGE, data: word(1) }, selector)
/** The n-th word that CONTEXT returns. */
const context = async (index: number, transaction: object = {}, ...rest: unknown[]) =>
  BigInt(slice(await call({ to: CONTEXT, ...transaction }, ...rest), 32 * index, 32 * index + 32))

describe('what is called', () => {
  test('given data, then the code at to gets it, and its bytes come back (RPC-CALL-03, -07, -14, -15)', async () => {
    expect(await call({ to: ECHO, data: `${word(1)}${word(2).slice(2)}` })).toBe(
      `${word(1)}${word(2).slice(2)}`,
    )
    expect(await call({ to: ECHO, input: '0xAB' })).toBe('0xab')
    expect(await call({ to: ECHO, data: '0xab', input: '0xAB' })).toBe('0xab')
    expect(await call({ to: ECHO })).toBe('0x')
    expect(await call({ to: bob, data: '0x1234' })).toBe('0x')
  })

  test('given a sender and a value, then they are what the callee sees (RPC-CALL-04, -05, -13)', async () => {
    expect(await context(3)).toBe(0n)
    expect(await context(3, { from: bob })).toBe(BigInt(bob))
    expect(await context(4, { from: bob, value: '0x7' })).toBe(7n)
  })

  test('given fee fields, then GASPRICE follows them (RPC-CALL-10, -11, -12)', async () => {
    const baseFee = await context(2)
    expect(await context(5)).toBe(0n)
    expect(await context(5, { from: bob, gasPrice: '0x77359400' })).toBe(2_000_000_000n)
    const cap = '0xb2d05e00'
    expect(await context(5, { from: bob, maxFeePerGas: cap, maxPriorityFeePerGas: cap })).toBe(
      3_000_000_000n,
    )
    expect(await context(5, { from: bob, maxFeePerGas: cap, maxPriorityFeePerGas: '0x5' })).toBe(
      baseFee + 5n,
    )
  })

  test('given no fee, then BASEFEE is the block’s; in profile base zero (RPC-CALL-22)', async () => {
    const { chain, rpc } = await createTestNode({ profile: 'base' })
    const { baseFeePerGas } = chain.latest().header
    const seen = async (fees: object) => {
      const output: Hex = await rpc('eth_call', { to: CONTEXT, from: bob, ...fees }, 'latest')
      return BigInt(slice(output, 64, 96))
    }
    expect(await seen({})).toBe(0n)
    expect(await seen({ gasPrice: '0x77359400', gas: '0x186a0' })).toBe(baseFeePerGas)
    expect(await context(2, {}, '0x1')).toBe(node.chain.blockByNumber(1n)!.header.baseFeePerGas)
  })

  test('given gas, then it bounds the call; without it 50M do (RPC-CALL-08, -09, OPEN-24…27)', async () => {
    const gas = await context(10)
    expect(gas).toBeLessThan(50_000_000n)
    expect(gas).toBeGreaterThan(49_900_000n)
    expect(await context(10, { gas: '0xffffffffff' })).toBe(gas)
    expect(await context(10, { gas: '0x7530' })).toBeLessThan(30_000n - 21_000n)
  })
})

describe('where it runs', () => {
  test('given a selector, then it decides whose state is read (RPC-CALL-18, -19)', async () => {
    expect(await read('0x0')).toBe(word(0))
    expect(await read('0x1')).toBe(word(11))
    expect(await read('latest')).toBe(word(22))
    expect(await read('pending')).toBe(word(33))
    expect(await read('earliest')).toBe(word(0))
    const { hash } = node.chain.blockByNumber(1n)!
    expect(await read(hash)).toBe(word(11))
    expect(await read({ blockHash: hash, requireCanonical: true })).toBe(word(11))
    expect(await read({ blockNumber: '0x1' })).toBe(word(11))
  })

  test('given no selector, then it is refused, and in profile base it runs at latest (RPC-CALL-02)', async () => {
    const call = { to: STORAGE, data: word(1) }
    for (const params of [[call], [call, null]]) {
      expect(await errorOf(node.rpc('eth_call', ...params))).toMatchObject({ code: -32602 })
    }
    const base = await createTestNode({ profile: 'base' })
    expect(await base.rpc('eth_call', call)).toBe(word(0))
  })

  test('given a selector, then the environment is that of its block (RPC-CALL-20…23)', async () => {
    for (const [selector, number] of [
      ['0x1', 1n],
      ['latest', 2n],
      ['pending', 3n],
    ] as const) {
      const header =
        selector === 'pending'
          ? node.chain.pending()!.header
          : node.chain.blockByNumber(number)!.header
      expect(await context(0, {}, selector)).toBe(number)
      expect(await context(1, {}, selector)).toBe(header.timestamp)
      expect(await context(2, {}, selector)).toBe(header.baseFeePerGas)
    }
  })

  test('given pendingEnvLag, then pending has an older environment and new state (OPEN-05)', async () => {
    const lagging = await createTestNode({ pendingEnvLag: 2 })
    await lagging.chain.mine()
    await lagging.chain.flashblock(await lagging.sign({ to: STORAGE, data: store(1, 5) }))
    const env: Hex = await lagging.rpc('eth_call', { to: CONTEXT }, 'pending')
    expect(BigInt(slice(env, 0, 32))).toBe(0n)
    expect(await lagging.rpc('eth_call', { to: STORAGE, data: word(1) }, 'pending')).toBe(word(5))
  })

  test('given an unknown block, then it is -32001 (OPEN-02, OPEN-12)', async () => {
    expect(await errorOf(read('0x99'))).toMatchObject({
      code: -32001,
      message: 'block not found: 0x99',
    })
    expect(await errorOf(read(word(7)))).toMatchObject({
      code: -32001,
      message: `block not found: hash ${word(7)}`,
    })
  })

  test('given a call that writes, then nothing changes (RPC-CALL-16, -17)', async () => {
    const before = await node.rpc('eth_getBalance', bob, 'pending')
    await call({ from: bob, to: STORAGE, data: store(1, 99), gasPrice: '0x77359400' }, 'pending')
    expect(await read('pending')).toBe(word(33))
    expect(await node.rpc('eth_getBalance', bob, 'pending')).toBe(before)
    expect(await node.rpc('eth_getTransactionCount', bob, 'pending')).toBe('0x0')
  })
})

describe('how it fails', () => {
  test('given a revert, then it is -32000 with the raw revert bytes (ERR-01…03)', async () => {
    const error = await errorOf(call({ to: REVERTER, data: REASON }))
    expect(error).toStrictEqual({ code: -32000, message: 'execution reverted', data: REASON })
    expect(decodeErrorResult({ abi: ABI, data: error.data as Hex }).args).toStrictEqual(['no way'])
  })

  test('given a revert without reason, then there is no data (ERR-04)', async () => {
    expect(await errorOf(call({ to: REVERTER }))).toStrictEqual({
      code: -32000,
      message: 'execution reverted',
      data: undefined,
    })
  })

  test('given profile base, then a revert is code 3 and tells the reason, and to may be left out', async () => {
    const base = await createTestNode({ profile: 'base' })
    expect(await errorOf(base.rpc('eth_call', { to: REVERTER, data: REASON }))).toStrictEqual({
      code: 3,
      message: 'execution reverted: no way',
      data: REASON,
    })
    expect(await base.rpc('eth_call', { data: '0x60015f5260205ff3' })).toBe(word(1))
  })

  test.each([
    [{ to: LOOP, gas: '0x186a0' }, -32003, 'out of gas: gas required exceeds: 100000'],
    [{ to: INVALID }, -32003, expect.stringMatching(/^EVM error: invalid opcode/i)],
    [{ to: ECHO, gas: '0x5207' }, -32000, 'intrinsic gas too low'],
    [
      { from: POOR, to: ECHO, value: '0x5' },
      -32003,
      'insufficient funds for gas * price + value: have 0 want 5',
    ],
    [
      { from: POOR, to: ECHO, gasPrice: '0x77359400', gas: '0x7530' },
      -32003,
      'insufficient funds for gas * price + value: have 0 want 60000000000000',
    ],
    [
      { from: POOR, to: ECHO, value: '0xde0b6b3a7640000', gasPrice: '0x77359400', gas: '0x7530' },
      -32003,
      'insufficient funds for gas * price + value: have 0 want 1000060000000000000',
    ],
    [
      { from: bob, to: ECHO, maxFeePerGas: '0x1' },
      -32000,
      'max fee per gas less than block base fee',
    ],
    [
      { from: bob, to: ECHO, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      -32003,
      'max priority fee per gas higher than max fee per gas',
    ],
  ])('given %j, then it is %i (OPEN-02, OPEN-24…27)', async (transaction, code, message) => {
    expect(await errorOf(call(transaction))).toMatchObject({ code, message })
  })

  test.each([
    [[], 'transaction: missing'],
    [[null, 'latest'], 'transaction: missing'],
    [
      [{ data: '0x' }, 'latest'],
      'transaction.to: missing (deployed nodes answer this: ask at /base)',
    ],
    [[{ to: '0x12' }, 'latest'], 'transaction.to: must be 20 bytes (40 hex digits), got 2 digits'],
    [[{ to: ECHO, data: '0x1' }, 'latest'], 'transaction.data: has half a byte at its end'],
    [
      [{ to: ECHO, value: 5 }, 'latest'],
      'transaction.value: must be a 0x hex string, not a JSON number',
    ],
    [
      [{ to: ECHO, data: '0x01', input: '0x02' }],
      'transaction: data and input are both there and differ',
    ],
    [
      [{ to: ECHO, gasPrice: '0x1', maxFeePerGas: '0x1' }],
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    ],
    [
      [{ to: ECHO, blobVersionedHashes: [word(1)] }],
      expect.stringContaining('no blob transactions'),
    ],
    [[{ to: ECHO }, { blockNumber: '0x1', blockHash: word(1) }], expect.stringContaining('either')],
    [[{ to: ECHO }, 'latest', { [ECHO]: { state: {}, stateDiff: {} } }], undefined],
    [[{ to: ECHO }, 'latest', { [ECHO]: { balanc: '0x1' } }], expect.stringContaining('"balanc"')],
    [[{ to: ECHO }, 'latest', {}, { nummer: '0x1' }], expect.stringContaining('"nummer"')],
  ])('given params %j, then they are -32602 (RPC-CALL-01, -06)', async (params, data) => {
    expect(await errorOf(node.rpc('eth_call', ...params))).toMatchObject({ code: -32602, data })
  })
})

describe('overrides', () => {
  test('given a third parameter, then accounts become what it says, and the chain does not', async () => {
    const returnsBalance = '0x5f3531 5f52 6020 5ff3'.replaceAll(' ', '')
    const overrides = {
      [POOR]: { code: returnsBalance, balance: '0x2a', nonce: '0x7' },
      [STORAGE]: { stateDiff: { '0x1': '0x63' } },
    }
    expect(await call({ to: POOR, data: word(POOR) }, 'latest', overrides)).toBe(word(42))
    expect(await call({ to: STORAGE, data: word(1) }, 'latest', overrides)).toBe(word(0x63))
    expect(await call({ from: POOR, to: ECHO, value: '0x2a' }, 'latest', overrides)).toBe('0x')
    expect(await read('latest')).toBe(word(22))
  })

  test('given state, then all storage is replaced; given stateDiff, then it is patched', async () => {
    const readOne = (override: object) =>
      call({ to: STORAGE, data: word(1) }, 'latest', { [STORAGE]: override })
    expect(await readOne({ state: { [word(2)]: word(1) } })).toBe(word(0))
    expect(await readOne({ stateDiff: { [word(2)]: word(1) } })).toBe(word(22))
    expect(await readOne({ storage: { [word(1)]: word(1) } })).toBe(word(1))
  })

  test('given a fourth parameter, then it sets the block', async () => {
    const block = {
      number: '0x3039',
      time: '0x5',
      baseFee: '0x9',
      coinbase: POOR,
      gasLimit: '0x1c9c380',
      random: word(77),
      blobBaseFee: '0x8',
    }
    const seen = await Promise.all(
      [0, 1, 2, 6, 7, 8, 9].map((index) => context(index, {}, 'latest', null, block)),
    )
    expect(seen).toStrictEqual([12345n, 5n, 9n, BigInt(POOR), 30_000_000n, 77n, 8n])
  })

  test('given a precompile that is moved, then it is gone from where it was', async () => {
    const sha256: Hex = `0x${'2'.padStart(40, '0')}`
    const moved = { [sha256]: { movePrecompileToAddress: POOR } }
    // sha256(''), FIPS 180-4.
    expect(await call({ to: POOR }, 'latest', moved)).toBe(
      '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(await call({ to: sha256 }, 'latest', moved)).toBe('0x')
    expect(
      await errorOf(call({ to: POOR }, 'latest', { [ECHO]: { movePrecompileToAddress: POOR } })),
    ).toMatchObject({ code: -32000, message: `account ${ECHO} is not a precompile` })
  })
})

test('given a call that breaks the EVM itself, then the error says so, and the next call is answered', async () => {
  const place = { address: CONTEXT, pc: 7, depth: 2 }
  const run = vi.spyOn(Engine.prototype, 'run').mockImplementationOnce(() => {
    throw new EngineFault(place, undefined)
  })
  const broken = await errorOf(call({ to: CONTEXT }))
  run.mockRestore()
  expect(broken).toMatchObject({
    code: -32603,
    message: `The EVM itself broke in code at ${CONTEXT}, byte 7, depth 2.`,
    data: { code: 'EVM_TRAPPED' },
  })
  expect(await context(3)).toBe(0n)
})
