import { type Hex, keccak256, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { BLOCKHASH, CONTEXT, ECHO, LOGGER, PROBE, STORAGE } from '../testing/contracts.ts'
import {
  contextWord,
  createSimulationScene,
  getSlot,
  type Json,
  OTHER,
  POOR,
  pair,
  quantity,
  type SimulatedElement,
  setSlot,
} from '../testing/simulation-scene.ts'
import { bob, createTestNode, errorOf, word } from '../testing/test-node.ts'

// Expected values are worked out by hand from execution-apis' eth_simulateV1 notes and schema.
type Scene = Awaited<ReturnType<typeof createSimulationScene>>
let node: Scene['node']
let simulate: Scene['simulate']
let blocks: Scene['blocks']
let calls: Scene['calls']
beforeAll(async () => {
  ;({ node, simulate, blocks, calls } = await createSimulationScene())
})

describe('blocks', () => {
  test('given entries, then each has one element, a block object and its calls (RPC-SIM-04, -05, -12, -22…30)', async () => {
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

  test('given a simulated block, then its hash is keccak256 of the RLP of the fields shown (RPC-SIM-24)', async () => {
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

  test('given overrides of number, time and others, then they reach header and opcodes (RPC-SIM-20, -21)', async () => {
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

  test('given overrides, then gas limit and fee recipient are handed down, the base fee is not', async () => {
    const result = await blocks(
      { blockOverrides: { gasLimit: '0xf4240', feeRecipient: OTHER, baseFeePerGas: '0x7' } },
      {},
    )
    expect(result[1]).toMatchObject({ gasLimit: '0xf4240', miner: OTHER, baseFeePerGas: '0x0' })
  })

  test('given a gap in numbers, then it has no element of its own; profile base fills it (RPC-SIM-04)', async () => {
    const payload = { blockStateCalls: [{ blockOverrides: { number: '0x5' } }, {}] }
    const result = await simulate(payload)
    expect(result.map(({ number }) => number)).toStrictEqual(['0x5', '0x6'])
    expect(result[1]!.parentHash).toBe(result[0]!.hash)
    const base = await createTestNode({ profile: 'base' })
    const filled: SimulatedElement[] = await base.rpc('eth_simulateV1', payload, 'latest')
    expect(filled.map(({ number }) => Number(number))).toStrictEqual([1, 2, 3, 4, 5, 6])
  })

  test('given profile base, then the state root is that of the block that is sealed so (RPC-SIM-30)', async () => {
    const base = await createTestNode({ profile: 'base' })
    const { chain } = base
    const { header } = chain.pending()!
    const beaconRoot = header.parentBeaconBlockRoot
    const entry = { blockOverrides: { beaconRoot, time: quantity(header.timestamp) } }
    const payload = { blockStateCalls: [entry, { calls: [{ to: OTHER, data: '0x' }] }] }
    const before = chain.store.size
    const [one, two]: SimulatedElement[] = await base.rpc('eth_simulateV1', payload, 'latest')
    expect(chain.store.size).toBe(before)
    expect(one!.stateRoot).toBe((await chain.seal()).header.stateRoot)
    expect(two!.stateRoot).not.toBe(one!.stateRoot)
  })

  test.each([
    [[{ number: '0x1' }], -38020, 'block numbers must be in order: 1 <= 1'],
    [[{ number: '0x5' }, { number: '0x5' }], -38020, 'block numbers must be in order: 5 <= 5'],
    [[{ number: '0x102' }], -38026, 'too many blocks'],
    [[{ time: '0x1' }], -38021, expect.stringMatching(/^block timestamps must be in order: 1 <= /)],
    [[{ time: '0x70000000' }, { time: '0x70000000' }], -38021, expect.any(String)],
  ])('given overrides %j, then they are %i', async (overrides, code, message) => {
    const entries = overrides.map((blockOverrides) => ({ blockOverrides }))
    expect(await errorOf(blocks(...entries))).toMatchObject({ code, message })
  })

  test('given 256 blocks, then they are run, and 257 are -38026', async () => {
    expect(await blocks(...Array.from({ length: 256 }, () => ({})))).toHaveLength(256)
    expect(await errorOf(blocks(...Array.from({ length: 257 }, () => ({}))))).toMatchObject({
      code: -38026,
    })
  })

  test('given BLOCKHASH, then it knows the base, simulated blocks and older ones', async () => {
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
  test('given pending, then it starts from the pre-confirmed state (RPC-SIM-03)', async () => {
    const payload = { blockStateCalls: [{ calls: [getSlot(1)] }] }
    const [atPending] = await simulate(payload, 'pending')
    const [atLatest] = await simulate(payload, 'latest')
    expect(atPending!.calls[0]!.returnData).toBe(word(33))
    expect(atPending!.number).toBe('0x3')
    expect(atLatest!.calls[0]!.returnData).toBe(word(11))
    expect(await errorOf(simulate(payload, '0x99'))).toMatchObject({ code: -32001 })
  })

  test('given earlier calls and blocks, then later ones see what they did (OPEN-28…36)', async () => {
    const result = await blocks({ calls: [setSlot(2, 5), getSlot(2)] }, { calls: [getSlot(2)] })
    expect(result[0]!.calls[1]!.returnData).toBe(word(5))
    expect(result[1]!.calls[0]!.returnData).toBe(word(5))
  })

  test('given a simulation, then the chain never changes (RPC-SIM-31)', async () => {
    await blocks({ calls: [setSlot(1, 99)], stateOverrides: { [POOR]: { balance: '0x1' } } })
    expect(await node.rpc('eth_call', getSlot(1), 'latest')).toBe(word(11))
    expect(await node.rpc('eth_getBalance', POOR, 'latest')).toBe('0x0')
  })

  test('given overrides, then they are there before the first call and stay (RPC-SIM-14…19)', async () => {
    const stateOverrides = {
      [POOR]: { balance: '0x2a', nonce: '0x7', code: '0x475f5260205ff3' },
      [STORAGE]: { stateDiff: { [word(9)]: word(8) } },
    }
    const result = await blocks(
      { stateOverrides, calls: [{ to: POOR }, getSlot(9), getSlot(1)] },
      { calls: [{ to: POOR }, getSlot(9)] },
    )
    const data = result.map((block) => block.calls.map(({ returnData }) => returnData))
    expect(data).toStrictEqual([
      [word(42), word(8), word(11)],
      [word(42), word(8)],
    ])
  })

  test('given state, then all storage is replaced; beside stateDiff it is -32000', async () => {
    const override = (change: object) => ({
      stateOverrides: { [STORAGE]: change },
      calls: [getSlot(1)],
    })
    const [block] = await blocks(override({ state: { [word(2)]: word(2) } }))
    expect(block!.calls[0]!.returnData).toBe(word(0))
    expect(await errorOf(blocks(override({ state: {}, stateDiff: {} })))).toMatchObject({
      code: -32000,
    })
  })

  test('given movePrecompileToAddress, then it works there, is gone here, and the old address stays warm', async () => {
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
