import { bigIntMax } from '@ethereumjs/util'
import { encodeErrorResult, getContractAddress, type Hex, keccak256, slice, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  BLOCKHASH,
  CONTEXT,
  ECHO,
  FORWARDER,
  INVALID,
  LOGGER,
  LOOP,
  PROBE,
  REVERTER,
  STORAGE,
} from '../testing/contracts.ts'
import {
  alice,
  bob,
  createTestNode,
  ETHER,
  errorOf,
  type TestNode,
  word,
} from '../testing/test-node.ts'

// Expected values are worked out by hand from execution-apis' eth_simulateV1 notes and schema.
type Json = Record<string, unknown>
interface Call extends Json {
  status: Hex
  gasUsed: Hex
  returnData: Hex
  logs: Json[]
  error?: unknown
}
interface Block extends Json {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  calls: Call[]
  transactions: unknown[]
}

const POOR: Hex = `0x${'99'.repeat(20)}`
const OTHER: Hex = `0x${'88'.repeat(20)}`
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`
const pair = (slot: number, value: number): Hex => `${word(slot)}${word(value).slice(2) as Hex}`
const set = (slot: number, value: number) => ({ to: STORAGE, data: pair(slot, value) })
const get = (slot: number) => ({ to: STORAGE, data: word(slot) })

/** Block 1 is sealed; slot 1 of STORAGE is 11 there and 33 pre-confirmed. */
let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
  await node.chain.mine(await node.sign({ to: STORAGE, data: pair(1, 11) }))
  await node.chain.flashblock(await node.sign({ to: STORAGE, data: pair(1, 33) }))
})
const simulate = (payload: object, selector: unknown = 'latest'): Promise<Block[]> =>
  node.rpc('eth_simulateV1', payload, selector)
const blocks = (...blockStateCalls: object[]) => simulate({ blockStateCalls })
/** The results of calls in one block. */
const calls = async (list: object[], rest: object = {}, entry: object = {}): Promise<Call[]> => {
  const [block] = await simulate({ blockStateCalls: [{ ...entry, calls: list }], ...rest })
  return block!.calls
}
const contextWord = (call: Call, index: number) =>
  BigInt(slice(call.returnData, 32 * index, 32 * index + 32))

describe('blocks', () => {
  test('RPC-SIM-04, -05, -12, -22…30: one element per entry, a block object and its calls', async () => {
    const latest = node.chain.latest()
    const result = await blocks({}, { calls: [{ to: ECHO, data: '0x01' }] }, {})
    expect(result).toHaveLength(3)
    const sealed: Json = await node.rpc('eth_getBlockByNumber', 'latest', false)
    for (const [index, block] of result.entries()) {
      expect(Object.keys(block).sort()).toStrictEqual([...Object.keys(sealed), 'calls'].sort())
      expect(block).toMatchObject({
        number: quantity(2 + index),
        parentHash: index ? result[index - 1]!.hash : latest.hash,
        timestamp: quantity(latest.header.timestamp + 2n * BigInt(index + 1)),
        stateRoot: word(0),
        baseFeePerGas: '0x0',
        gasLimit: quantity(latest.header.gasLimit),
        miner: latest.header.miner,
        uncles: [],
        withdrawals: [],
        extraData: '0x',
        mixHash: word(0),
      })
    }
    expect(result.map(({ calls }) => calls.length)).toStrictEqual([0, 1, 0])
    expect(result[1]!.gasUsed).toBe(result[1]!.calls[0]!.gasUsed)
  })

  test('RPC-SIM-24: the hash is keccak256 of the RLP of the fields shown', async () => {
    const [block] = await blocks({ calls: [{ to: LOGGER, data: pair(1, 2) }] })
    const order =
      'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'
    const quantities = /^(difficulty|number|gas|timestamp|baseFee|blobGas|excess)/
    const fields = order.split(' ').map((name) => {
      const value = block![name] as Hex
      if (!quantities.test(name)) return value
      const digits = value === '0x0' ? '' : value.slice(2)
      return `0x${digits.length % 2 ? '0' : ''}${digits}` as Hex
    })
    expect(keccak256(toRlp(fields))).toBe(block!.hash)
  })

  test('RPC-SIM-20, -21: number, time and other overrides reach header and opcodes', async () => {
    const blockOverrides = {
      number: '0x64',
      timestamp: '0x70000000',
      gasLimit: '0x1c9c380',
      feeRecipient: OTHER,
      prevRandao: word(5),
      baseFeePerGas: '0x7',
      blobBaseFee: '0x9',
    }
    const call = { from: bob, to: CONTEXT, maxFeePerGas: '0xa', maxPriorityFeePerGas: '0x1' }
    const [block] = await blocks({ blockOverrides, calls: [call] })
    expect(block).toMatchObject({
      number: '0x64',
      timestamp: '0x70000000',
      gasLimit: '0x1c9c380',
      miner: OTHER,
      mixHash: word(5),
      baseFeePerGas: '0x7',
    })
    const seen = [0, 1, 2, 5, 6, 7, 8, 9].map((index) => contextWord(block!.calls[0]!, index))
    const randao = 5n
    expect(seen).toStrictEqual([100n, 0x70000000n, 7n, 8n, BigInt(OTHER), 30_000_000n, randao, 9n])
  })

  test('gas limit and fee recipient are handed down, the base fee is not', async () => {
    const result = await blocks(
      { blockOverrides: { gasLimit: '0xf4240', feeRecipient: OTHER, baseFeePerGas: '0x7' } },
      {},
    )
    expect(result[1]).toMatchObject({ gasLimit: '0xf4240', miner: OTHER, baseFeePerGas: '0x0' })
  })

  test('RPC-SIM-04: a gap in numbers gives no element of its own; profile base fills it', async () => {
    const payload = { blockStateCalls: [{ blockOverrides: { number: '0x5' } }, {}] }
    const result = await simulate(payload)
    expect(result.map(({ number }) => number)).toStrictEqual(['0x5', '0x6'])
    expect(result[1]!.parentHash).toBe(result[0]!.hash)
    const base = await createTestNode({ profile: 'base' })
    const filled: Block[] = await base.rpc('eth_simulateV1', payload, 'latest')
    expect(filled.map(({ number }) => Number(number))).toStrictEqual([1, 2, 3, 4, 5, 6])
  })

  test.each([
    [[{ number: '0x1' }], -38020, 'block numbers must be in order: 1 <= 1'],
    [[{ number: '0x5' }, { number: '0x5' }], -38020, 'block numbers must be in order: 5 <= 5'],
    [[{ number: '0x102' }], -38026, 'too many blocks'],
    [[{ time: '0x1' }], -38021, expect.stringMatching(/^block timestamps must be in order: 1 <= /)],
    [[{ time: '0x70000000' }, { time: '0x70000000' }], -38021, expect.any(String)],
  ])('overrides %j are %i', async (overrides, code, message) => {
    const entries = overrides.map((blockOverrides) => ({ blockOverrides }))
    expect(await errorOf(blocks(...entries))).toMatchObject({ code, message })
  })

  test('256 blocks are run, 257 are -38026', async () => {
    expect(await blocks(...Array.from({ length: 256 }, () => ({})))).toHaveLength(256)
    expect(await errorOf(blocks(...Array.from({ length: 257 }, () => ({}))))).toMatchObject({
      code: -38026,
    })
  })

  test('BLOCKHASH knows the base, simulated blocks and older ones', async () => {
    const ask = (number: number) => ({ to: BLOCKHASH, data: word(number) })
    const result = await blocks({}, { calls: [ask(0), ask(1), ask(2), ask(3)] })
    expect(result[1]!.calls.map(({ returnData }) => returnData)).toStrictEqual([
      node.chain.blockByNumber(0n)!.hash,
      node.chain.latest().hash,
      result[0]!.hash,
      word(0),
    ])
  })
})

describe('state', () => {
  test('RPC-SIM-03: at pending it starts from the pre-confirmed state', async () => {
    const payload = { blockStateCalls: [{ calls: [get(1)] }] }
    const [atPending] = await simulate(payload, 'pending')
    const [atLatest] = await simulate(payload, 'latest')
    expect(atPending!.calls[0]!.returnData).toBe(word(33))
    expect(atPending!.number).toBe('0x3')
    expect(atLatest!.calls[0]!.returnData).toBe(word(11))
    expect(await errorOf(simulate(payload, '0x99'))).toMatchObject({ code: -32001 })
  })

  test('decisions 28-36: calls and blocks see what earlier ones did', async () => {
    const result = await blocks({ calls: [set(2, 5), get(2)] }, { calls: [get(2)] })
    expect(result[0]!.calls[1]!.returnData).toBe(word(5))
    expect(result[1]!.calls[0]!.returnData).toBe(word(5))
  })

  test('RPC-SIM-31: the chain never changes', async () => {
    await blocks({ calls: [set(1, 99)], stateOverrides: { [POOR]: { balance: '0x1' } } })
    expect(await node.rpc('eth_call', get(1), 'latest')).toBe(word(11))
    expect(await node.rpc('eth_getBalance', POOR, 'latest')).toBe('0x0')
  })

  test('RPC-SIM-14…19: overrides are there before the first call and stay', async () => {
    const stateOverrides = {
      [POOR]: { balance: '0x2a', nonce: '0x7', code: '0x475f5260205ff3' },
      [STORAGE]: { stateDiff: { [word(9)]: word(8) } },
    }
    const result = await blocks(
      { stateOverrides, calls: [{ to: POOR }, get(9), get(1)] },
      { calls: [{ to: POOR }, get(9)] },
    )
    const data = result.map((block) => block.calls.map(({ returnData }) => returnData))
    expect(data).toStrictEqual([
      [word(42), word(8), word(11)],
      [word(42), word(8)],
    ])
  })

  test('state replaces all storage; beside stateDiff it is -32000', async () => {
    const override = (change: object) => ({
      stateOverrides: { [STORAGE]: change },
      calls: [get(1)],
    })
    const [block] = await blocks(override({ state: { [word(2)]: word(2) } }))
    expect(block!.calls[0]!.returnData).toBe(word(0))
    expect(await errorOf(blocks(override({ state: {}, stateDiff: {} })))).toMatchObject({
      code: -32000,
    })
  })

  test('movePrecompileToAddress: works there, is gone here, and the old address stays warm', async () => {
    const identity: Hex = `0x${'4'.padStart(40, '0')}`
    const moving = { [identity]: { movePrecompileToAddress: OTHER } }
    const [atTarget, atSource, warm] = await calls(
      [
        { to: OTHER, data: '0x1234' },
        { to: identity, data: '0x1234' },
        { to: PROBE, data: word(identity) },
      ],
      {},
      { stateOverrides: moving },
    )
    expect(atTarget!.returnData).toBe('0x1234')
    expect(atSource!.returnData).toBe('0x')
    // EIP-2929: 100 for a warm call, no code; pushes, GAS and CALLDATALOAD around it.
    expect(Number(warm!.returnData)).toBeLessThan(200)
    const fail = (stateOverrides: object) => errorOf(blocks({ stateOverrides }))
    expect(await fail({ [POOR]: { movePrecompileToAddress: OTHER } })).toMatchObject({
      code: -32000,
    })
    expect(await fail({ [identity]: { movePrecompileToAddress: identity } })).toMatchObject({
      code: -38022,
    })
    expect(await fail({ ...moving, [OTHER]: { balance: '0x1' } })).toMatchObject({ code: -32000 })
  })
})

describe('calls', () => {
  test('RPC-SIM-32…36: results come in order, a failure in the middle stays one', async () => {
    const [first, second, third] = await calls([
      { from: alice, to: bob, value: '0x1' },
      { to: REVERTER, data: '0x1234' },
      { to: ECHO, data: '0xabcd' },
    ])
    expect(first).toMatchObject({ status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] })
    expect(second).toMatchObject({ status: '0x0', returnData: '0x1234', logs: [] })
    expect(third).toMatchObject({ status: '0x1', returnData: '0xabcd' })
    expect(first).not.toHaveProperty('error')
  })

  test('RPC-SIM-38, ERR-05: error is a string with the reason; an object in profile base', async () => {
    const abi = [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }] as const
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['no way'] })
    const list = [
      { to: REVERTER, data },
      { to: REVERTER },
      { to: INVALID, gas: '0x186a0' },
      { to: LOOP, gas: '0x186a0' },
    ]
    expect((await calls(list)).map(({ error }) => error)).toStrictEqual([
      'execution reverted: no way',
      'execution reverted',
      expect.stringMatching(/^invalid opcode/i),
      'out of gas',
    ])
    const base = await createTestNode({ profile: 'base' })
    const payload = { blockStateCalls: [{ calls: list }] }
    const [block]: [Block] = await base.rpc('eth_simulateV1', payload, 'latest')
    expect(block.calls.map(({ error }) => error)).toStrictEqual([
      { code: 3, message: 'execution reverted: no way', data },
      { code: 3, message: 'execution reverted' },
      { code: -32015, message: expect.stringMatching(/^invalid opcode/i) },
      { code: -32015, message: 'out of gas' },
    ])
  })

  test('RPC-SIM-37: logs have ten fields and count over the block', async () => {
    const emit = { to: LOGGER, data: pair(1, 2) }
    const [block] = await blocks({ calls: [emit, { to: ECHO }, emit] })
    expect(block!.calls.flatMap(({ logs }) => logs)).toMatchObject([
      { logIndex: '0x0', transactionIndex: '0x0' },
      {
        address: LOGGER,
        topics: [word(1), word(2)],
        data: '0x',
        logIndex: '0x1',
        transactionIndex: '0x2',
        transactionHash: block!.transactions[2],
        blockHash: block!.hash,
        blockNumber: block!.number,
        blockTimestamp: block!.timestamp,
        removed: false,
      },
    ])
  })

  test('a call without to creates, at the address of sender and nonce', async () => {
    const initcode = '0x60fe5f5360015ff3'
    const created = getContractAddress({ from: bob, nonce: 0n }).toLowerCase()
    const [creation, size] = await calls([
      { from: bob, data: initcode },
      { data: `0x73${created.slice(2)}3b5f5260205ff3` },
    ])
    expect(creation).toMatchObject({ status: '0x1' })
    expect(creation!.returnData).toBe('0xfe')
    expect(size!.returnData).toBe(word(1))
  })

  test('a call may use what the block has left; more is -38015', async () => {
    const blockOverrides = { gasLimit: '0x30d40' }
    const [first, second] = await calls(
      [{ to: LOOP, gas: '0x186a0' }, { to: CONTEXT }],
      {},
      { blockOverrides },
    )
    expect(first).toMatchObject({ status: '0x0', gasUsed: '0x186a0' })
    expect(contextWord(second!, 10)).toBeLessThan(100_000n - 21_000n)
    expect(
      await errorOf(calls([{ to: ECHO, gas: '0x30d41' }], {}, { blockOverrides })),
    ).toMatchObject({ code: -38015 })
  })

  test('returnFullTransactions: whole transactions, unsigned, of the caller', async () => {
    const [block] = await simulate({
      returnFullTransactions: true,
      blockStateCalls: [
        { calls: [{ from: bob, to: ECHO, data: '0x12', nonce: '0x5', gas: '0x7530' }] },
      ],
    })
    expect(block!.transactions).toMatchObject([
      {
        blockHash: block!.hash,
        blockNumber: block!.number,
        transactionIndex: '0x0',
        from: bob,
        to: ECHO,
        input: '0x12',
        nonce: '0x5',
        gas: '0x7530',
        type: '0x2',
        v: '0x0',
        r: '0x0',
        s: '0x0',
      },
    ])
    // The hash of the unsigned type 2 transaction with a signature of zeros.
    const fields: (Hex | Hex[])[] = [
      '0x0509f455',
      '0x05',
      '0x',
      '0x',
      '0x7530',
      ECHO,
      '0x',
      '0x12',
      [],
      '0x',
      '0x',
      '0x',
    ]
    const raw: Hex = `0x02${toRlp(fields).slice(2)}`
    expect((block!.transactions[0] as Json).hash).toBe(keccak256(raw))
  })
})

describe('traceTransfers', () => {
  const TRANSFER = keccak256('0x5472616e7366657228616464726573732c616464726573732c75696e7432353629')
  const transfer = (from: Hex, to: Hex, value: number) => ({
    address: `0x${'ee'.repeat(20)}`,
    topics: [TRANSFER, word(from), word(to)],
    data: word(value),
  })

  test('RPC-SIM-07, -08: outer and inner transfers are logs, only when asked for', async () => {
    const list = [{ from: alice, to: FORWARDER, value: '0x7', data: word(POOR) }]
    expect((await calls(list))[0]!.logs).toStrictEqual([])
    const [call] = await calls(list, { traceTransfers: true })
    expect(call!.logs).toMatchObject([
      { ...transfer(alice, FORWARDER, 7), logIndex: '0x0' },
      { ...transfer(FORWARDER, POOR, 7), logIndex: '0x1' },
    ])
  })

  test('they stand neither in the bloom nor in the receipts, and a revert takes them back', async () => {
    const entries = [{ calls: [{ from: alice, to: bob, value: '0x7' }] }]
    const [traced] = await simulate({ blockStateCalls: entries, traceTransfers: true })
    const [plain] = await simulate({ blockStateCalls: entries })
    expect(traced!.calls[0]!.logs).toHaveLength(1)
    expect(traced!.logsBloom).toBe(`0x${'0'.repeat(512)}`)
    expect(traced!.receiptsRoot).toBe(plain!.receiptsRoot)
    const [reverted] = await calls([{ from: alice, to: REVERTER, value: '0x7' }], {
      traceTransfers: true,
    })
    expect(reverted).toMatchObject({ status: '0x0', logs: [] })
  })
})

describe('validation', () => {
  const validated = (call: object, entry: object = {}) => calls([call], { validation: true }, entry)
  const gwei = quantity(2_000_000_000)
  const paid = { from: bob, to: ECHO, maxFeePerGas: gwei, gas: '0x7530' }

  test('RPC-SIM-09: off, a poor sender with any nonce may call', async () => {
    const [call] = await calls([{ from: POOR, to: ECHO, nonce: '0x63' }])
    expect(call!.status).toBe('0x1')
  })

  test('off, value above the balance still fails the whole simulation with -38014', async () => {
    expect(
      await errorOf(calls([{ to: ECHO }, { from: POOR, to: ECHO, value: '0x1' }])),
    ).toMatchObject({ code: -38014 })
  })

  test('on, the base fee is that of EIP-1559 and a good call passes', async () => {
    const { header } = node.chain.latest()
    // OP's Holocene parameters of the test chain: denominator 250, elasticity 6.
    const target = header.gasLimit / 6n
    // Jovian: the fuller of gas and DA footprint counts.
    const used = bigIntMax(header.blobGasUsed, header.gasUsed)
    const next = header.baseFeePerGas - (header.baseFeePerGas * (target - used)) / target / 250n
    const [block] = await simulate({ validation: true, blockStateCalls: [{ calls: [paid] }] })
    expect(block!.baseFeePerGas).toBe(quantity(next))
    expect(block!.calls[0]!.status).toBe('0x1')
  })

  test('RPC-SIM-17: on, an overridden nonce is the one that counts', async () => {
    const stateOverrides = { [bob]: { nonce: '0x9' } }
    const [call] = await validated({ ...paid, nonce: '0x9' }, { stateOverrides })
    expect(call!.status).toBe('0x1')
  })

  test.each([
    ['nonce too high', { ...paid, nonce: '0x5' }, -38011],
    ['fee cap below base fee', { ...paid, maxFeePerGas: '0x1' }, -38012],
    ['no fee cap', { from: bob, to: ECHO }, -38012],
    ['tip above cap', { ...paid, maxPriorityFeePerGas: quantity(3_000_000_000) }, -32602],
    ['balance', { ...paid, value: quantity(2000n * ETHER) }, -38014],
    ['intrinsic gas', { ...paid, gas: '0x5207' }, -38013],
    ['floor gas (EIP-7623)', { ...paid, data: `0x${'01'.repeat(100)}`, gas: '0x5c00' }, -38013],
    [
      'initcode (EIP-3860)',
      { from: bob, maxFeePerGas: gwei, data: `0x${'00'.repeat(49_153)}`, gas: '0x989680' },
      -38025,
    ],
  ])('RPC-SIM-10, -11: on, %s fails the simulation', async (_name, call, code) => {
    expect(await errorOf(validated(call))).toMatchObject({ code })
  })

  test('on, a nonce below the state is -38010', async () => {
    const stateOverrides = { [bob]: { nonce: '0x9' } }
    expect(await errorOf(validated({ ...paid, nonce: '0x8' }, { stateOverrides }))).toMatchObject({
      code: -38010,
    })
  })
})

describe('params', () => {
  test.each([
    [[], 'simulationPayload: missing'],
    [[{}, 'latest'], 'blockStateCalls: missing'],
    [[{ blockStateCalls: [] }, 'latest'], 'blockStateCalls: is empty'],
    [[{ blockStateCalls: [{}] }], 'blockParameter: missing'],
    [[{ blockStateCalls: {} }, 'latest'], 'blockStateCalls: must be an array, not a JSON object'],
    [
      [{ blockStateCalls: [1] }, 'latest'],
      'blockStateCalls[0]: must be an object, not a JSON number',
    ],
    [
      [{ blockStateCalls: [{ calls: [{ to: '0x1' }] }] }, 'latest'],
      'blockStateCalls[0].calls[0].to: must be 20 bytes (40 hex digits), got 1 digits',
    ],
    [
      [{ blockStateCalls: [{}], validation: 'yes' }, 'latest'],
      'validation: must be true or false, not a JSON string',
    ],
  ])('RPC-SIM-01, -02, -06: %j is -32602', async (params, data) => {
    expect(await errorOf(node.rpc('eth_simulateV1', ...params))).toMatchObject({
      code: -32602,
      data,
    })
  })

  test('RPC-ENV-17: an endpoint without pre-confirmations does not offer it, profile base does', async () => {
    const none = await createTestNode({ preconfirmations: false })
    expect(none.methods).not.toHaveProperty('eth_simulateV1')
    const base = await createTestNode({ preconfirmations: false, profile: 'base' })
    expect(base.methods).toHaveProperty('eth_simulateV1')
  })
})
