import { encodeErrorResult, getContractAddress, type Hex, keccak256, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { CONTEXT, ECHO, FORWARDER, INVALID, LOGGER, LOOP, REVERTER } from '../testing/contracts.ts'
import {
  contextWord,
  createSimulationScene,
  type Json,
  POOR,
  pair,
  type SimulatedElement,
} from '../testing/simulation-scene.ts'
import { alice, bob, createTestNode, errorOf, word } from '../testing/test-node.ts'

// Expected values are worked out by hand from execution-apis' eth_simulateV1 notes and schema.
type Scene = Awaited<ReturnType<typeof createSimulationScene>>
let simulate: Scene['simulate']
let blocks: Scene['blocks']
let calls: Scene['calls']
beforeAll(async () => {
  ;({ simulate, blocks, calls } = await createSimulationScene())
})

describe('calls', () => {
  test('given a failure in the middle, then it stays one, and results come in order (RPC-SIM-32…36)', async () => {
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

  test('given a failure, then error is a string with the reason; an object in profile base (RPC-SIM-38, ERR-05)', async () => {
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
    const [block]: [SimulatedElement] = await base.rpc('eth_simulateV1', payload, 'latest')
    expect(block.calls.map(({ error }) => error)).toStrictEqual([
      { code: 3, message: 'execution reverted: no way', data },
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: -32015, message: expect.stringMatching(/^invalid opcode/i) },
      { code: -32015, message: 'out of gas' },
    ])
    expect(block.calls.map(({ returnData }) => returnData)).toStrictEqual(['0x', '0x', '0x', '0x'])
  })

  test('given logs, then they have ten fields and count over the block (RPC-SIM-37)', async () => {
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

  test('given a call without to, then it creates, at the address of sender and nonce', async () => {
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

  test('given what the block has left, then a call may use it; more is -38015', async () => {
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

  test('given returnFullTransactions, then transactions are whole, unsigned and of the caller', async () => {
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

  test('given outer and inner transfers, then they are logs, only when asked for (RPC-SIM-07, -08)', async () => {
    const list = [{ from: alice, to: FORWARDER, value: '0x7', data: word(POOR) }]
    expect((await calls(list))[0]!.logs).toStrictEqual([])
    const [call] = await calls(list, { traceTransfers: true })
    expect(call!.logs).toMatchObject([
      { ...transfer(alice, FORWARDER, 7), logIndex: '0x0' },
      { ...transfer(FORWARDER, POOR, 7), logIndex: '0x1' },
    ])
  })

  test('given a log of a transfer, then it stands neither in the bloom nor in the receipts, and a revert takes it back', async () => {
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
