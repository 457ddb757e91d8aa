import { bigIntMax } from '@ethereumjs/util'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO } from '../../testing/contracts.ts'
import { createSimulationScene, POOR, quantity } from '../../testing/simulation-scene.ts'
import { alice, bob, createTestNode, ETHER, errorOf } from '../../testing/test-node.ts'

// Expected values are worked out by hand from execution-apis' eth_simulateV1 notes and schema.
type Scene = Awaited<ReturnType<typeof createSimulationScene>>
let node: Scene['node']
let simulate: Scene['simulate']
let calls: Scene['calls']
beforeAll(async () => {
  ;({ node, simulate, calls } = await createSimulationScene())
})

describe('validation', () => {
  const validated = (call: object, entry: object = {}) => calls([call], { validation: true }, entry)
  const gwei = quantity(2_000_000_000)
  const paid = { from: bob, to: ECHO, maxFeePerGas: gwei, gas: '0x7530' }

  test('given it is off, then a poor sender with any nonce may call (RPC-SIM-09)', async () => {
    const [call] = await calls([{ from: POOR, to: ECHO, nonce: '0x63' }])
    expect(call!.status).toBe('0x1')
  })

  test('given it is off, then value and gas that nobody has are lent, where code sees them (RPC-SIM-09)', async () => {
    const sent = { from: POOR, to: ECHO, value: '0x5' }
    const priced = { ...sent, gas: '0x7530', gasPrice: '0x2' }
    const answers = await calls([sent, priced, { from: bob, to: ECHO, value: '0x1' }])
    expect(answers.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1'])
    // BALANCE of CALLER at 0..: 31 at the call, after its value has left, is what was there beside it.
    const code = '0x333160005260206000f3'
    const [seen] = await calls(
      [{ from: POOR, to: POOR, value: '0x5' }],
      {},
      {
        stateOverrides: { [POOR]: { balance: '0x3' } },
      },
    )
    expect(seen!.status).toBe('0x1')
    const [left] = await calls(
      [{ from: POOR, to: alice, value: '0x5' }],
      {},
      {
        stateOverrides: { [alice]: { code }, [POOR]: { balance: '0x9' } },
      },
    )
    expect(BigInt(left!.returnData)).toBe(4n)
  })

  test('given it is off, then the greatest value is lent too, unless the receiver gets richer than anybody can be (RPC-SIM-09)', async () => {
    const value = `0x${'f'.repeat(64)}`
    const [call] = await calls([{ from: POOR, to: `0x${'5a'.repeat(20)}`, value }])
    expect(call!.status).toBe('0x1')
    const reply = calls([{ from: POOR, to: alice, value }])
    expect((await reply.catch(() => [{ status: 'refused' }]))[0]!.status).not.toBe('0x1')
  })

  test('given profile base, then value above the balance fails the whole simulation with -38014', async () => {
    const { rpc } = await createTestNode({ profile: 'base' })
    const payload = { blockStateCalls: [{ calls: [{ from: POOR, to: ECHO, value: '0x1' }] }] }
    expect(await errorOf(rpc('eth_simulateV1', payload, 'latest'))).toMatchObject({ code: -38014 })
  })

  test('given it is on, then the base fee is that of EIP-1559 and a good call passes', async () => {
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

  test('given it is on, then an overridden nonce is the one that counts (RPC-SIM-17)', async () => {
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
  ])(
    'given it is on and %s, then the simulation fails (RPC-SIM-10, -11)',
    async (_name, call, code) => {
      expect(await errorOf(validated(call))).toMatchObject({ code })
    },
  )

  test('given it is on, then a nonce below the state is -38010', async () => {
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
    [
      [{ blockStateCalls: [{}] }],
      'blockParameter: missing (deployed nodes answer this: ask at /base)',
    ],
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
    // What is wrong with the payload is told first, also where there is no such block.
    [[{ blockStateCalls: {} }, '0x63'], 'blockStateCalls: must be an array, not a JSON object'],
    [[{ blockStateCalls: 1 }, 'newest'], 'blockStateCalls: must be an array, not a JSON number'],
  ])('given %j, then it is -32602 (RPC-SIM-01, -02, -06)', async (params, data) => {
    expect(await errorOf(node.rpc('eth_simulateV1', ...params))).toMatchObject({
      code: -32602,
      data,
    })
  })

  test('given a block that is not there, then it is -32001; in profile base -32000 header not found', async () => {
    const payload = { blockStateCalls: [{}] }
    const { rpc } = await createTestNode()
    expect(await errorOf(rpc('eth_simulateV1', payload, '0x63'))).toMatchObject({ code: -32001 })
    const base = await createTestNode({ profile: 'base' })
    expect(await errorOf(base.rpc('eth_simulateV1', payload, '0x63'))).toEqual({
      code: -32000,
      message: 'header not found',
      data: undefined,
    })
  })

  test('given an endpoint without pre-confirmations, then it is not offered, but in profile base it is (RPC-ENV-17)', async () => {
    const none = await createTestNode({ preconfirmations: false })
    expect(none.methods).not.toHaveProperty('eth_simulateV1')
    const base = await createTestNode({ preconfirmations: false, profile: 'base' })
    expect(base.methods).toHaveProperty('eth_simulateV1')
  })
})
