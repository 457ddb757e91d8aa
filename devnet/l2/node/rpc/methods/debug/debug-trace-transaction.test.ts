import { concat, type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeDeposit } from '#protocol/transaction/encode-deposit'
import type { Block } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import { FEE_RECIPIENT } from '../../testing/chain-by-hand.ts'
import { FORWARDER, LOGGER, REVERTER, STORAGE } from '../../testing/contracts.ts'
import {
  alice,
  bob,
  createTestNode,
  ETHER,
  errorOf,
  type TestNode,
  word,
} from '../../testing/test-node.ts'

const NOBODY: Address = `0x${'77'.repeat(20)}`
const CALLS = { tracer: 'callTracer', tracerConfig: { withLog: true } }
const PRESTATE = { tracer: 'prestateTracer' }
const DIFF = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
const store = (slot: number, value: number): Hex => concat([word(slot), word(value)])
const log = concat([word(1), word(2), word(3)])

/** Slot 1 of STORAGE: 11 by the first transaction of block 1, 22 by its second; then 33, pre-confirmed. */
let node: TestNode
let block: Block
let deposit: Hash
let preconfirmed: Hash
beforeAll(async () => {
  node = await createTestNode()
  const { chain, sign } = node
  const raw = encodeDeposit({
    sourceHash: word(1),
    from: NOBODY,
    to: LOGGER,
    mint: 10n,
    value: 3n,
    gas: 100_000n,
    isSystemTransaction: false,
    data: Uint8Array.from(Buffer.from(log.slice(2), 'hex')),
  })
  deposit = keccak256(raw)
  block = await chain.mine(
    raw,
    await sign({ to: STORAGE, data: store(1, 11) }),
    await sign({ to: STORAGE, data: store(1, 22) }),
    await sign({ to: FORWARDER, data: word(bob), value: 5n }),
  )
  const pending = await chain.flashblock(await sign({ to: STORAGE, data: store(1, 33) }))
  preconfirmed = pending.transactions[0]!.hash
})
const hashOf = (index: number) => block.transactions[index]!.hash
/** The members these tests look into. */
interface Trace extends Record<string, unknown> {
  pre: Record<Hex, object>
  post: Record<Hex, object>
}

const trace = (hash: Hash, options?: object): Promise<Trace> =>
  node.rpc('debug_traceTransaction', hash, ...(options ? [options] : []))

describe('a transaction of a sealed block', () => {
  test('then its gas is that of its receipt, and it sees what came before it', async () => {
    const { gas, structLogs } = await trace(hashOf(2))
    expect(gas).toBe(Number(block.receipts[2]!.gasUsed))
    expect(structLogs).toContainEqual(
      // Non-zero to other non-zero, cold (EIP-2929).
      expect.objectContaining({ op: 'SSTORE', gasCost: 5_000, storage: { [word(1)]: word(22) } }),
    )
  })

  test('then its frame has its whole gas, and its inner call what it passes on', async () => {
    const root = await trace(hashOf(3), CALLS)
    expect(root).toMatchObject({
      type: 'CALL',
      from: alice,
      to: FORWARDER,
      gas: '0x7a120',
      gasUsed: `0x${block.receipts[3]!.gasUsed.toString(16)}`,
      value: '0x5',
      calls: [{ type: 'CALL', from: FORWARDER, to: bob, value: '0x5', gasUsed: '0x0' }],
    })
  })

  test('then prestateTracer tells accounts as they were before it', async () => {
    const accounts = (await trace(hashOf(2), PRESTATE)) as Record<Hex, unknown>
    const receipt = block.receipts[1]!
    const paid = receipt.gasUsed * receipt.effectiveGasPrice
    expect(accounts[STORAGE]).toMatchObject({ nonce: 1, storage: { [word(1)]: word(11) } })
    expect(accounts[alice]).toEqual({
      balance: `0x${(1000n * ETHER - paid).toString(16)}`,
      nonce: 1,
    })
    expect(accounts[FEE_RECIPIENT]).toEqual({
      balance: `0x${(receipt.gasUsed * 7n).toString(16)}`,
    })
  })

  test('then diff mode tells what it has changed, and nothing else', async () => {
    const { pre, post } = await trace(hashOf(2), DIFF)
    expect(pre[STORAGE]).toMatchObject({ storage: { [word(1)]: word(11) } })
    expect(post[STORAGE]).toEqual({ storage: { [word(1)]: word(22) } })
    expect(post[alice]).toEqual({ balance: expect.any(String), nonce: 2 })
    const changed = Object.keys(post).sort()
    const baseFeeVault = '0x4200000000000000000000000000000000000019'
    expect(changed).toEqual([alice, FEE_RECIPIENT, STORAGE, baseFeeVault].sort())
  })
})

describe('a deposit', () => {
  test('then its frame is that of its call, mint or not, and its logs count from the block', async () => {
    expect(await trace(deposit, CALLS)).toMatchObject({
      type: 'CALL',
      from: NOBODY,
      to: LOGGER,
      gas: '0x186a0',
      value: '0x3',
      input: log,
      logs: [{ address: LOGGER, topics: [word(1), word(2)], index: '0x0', position: '0x0' }],
    })
  })

  test('then in diff mode the mint is there, and no fee', async () => {
    const { post } = await trace(deposit, DIFF)
    expect(post[NOBODY]).toEqual({ balance: '0x7', nonce: 1 })
    expect(post[LOGGER]).toEqual({ balance: '0x3' })
    expect(Object.keys(post)).toHaveLength(2)
  })
})

describe('a pre-confirmed transaction', () => {
  test('then it is traced on what is pre-confirmed before it', async () => {
    const { pre, post } = await trace(preconfirmed, DIFF)
    expect(pre[STORAGE]).toMatchObject({ storage: { [word(1)]: word(22) } })
    expect(post[STORAGE]).toEqual({ storage: { [word(1)]: word(33) } })
  })

  test('given an endpoint without pre-confirmations, then it is unknown', async () => {
    const { chain, sign, rpc } = await createTestNode({ preconfirmations: false })
    const { transactions } = await chain.flashblock(await sign({ to: LOGGER }))
    const traced = rpc('debug_traceTransaction', transactions[0]!.hash)
    expect(await errorOf(traced)).toMatchObject({ message: 'transaction not found' })
  })
})

describe('a block', () => {
  test('then by number, hash and RLP all its transactions are traced alike', async () => {
    const byNumber = (await node.rpc('debug_traceBlockByNumber', '0x1', CALLS)) as object[]
    expect(byNumber.map((entry) => Object.keys(entry))).toEqual(Array(4).fill(['txHash', 'result']))
    const single = await Promise.all(
      block.transactions.map(async ({ hash }) => ({
        txHash: hash,
        result: await trace(hash, CALLS),
      })),
    )
    expect(byNumber).toEqual(single)
    expect(await node.rpc('debug_traceBlockByHash', block.hash, CALLS)).toEqual(single)
    const rlp = await node.rpc('debug_getRawBlock', '0x1')
    expect(await node.rpc('debug_traceBlock', rlp, CALLS)).toEqual(single)
  })

  test('then pending is the block being built', async () => {
    const results = await node.rpc('debug_traceBlockByNumber', 'pending', CALLS)
    expect(results).toMatchObject([{ txHash: preconfirmed, result: { to: STORAGE } }])
  })

  test.each([
    ['debug_traceBlockByNumber', ['0x0'], -32000],
    ['debug_traceBlockByNumber', ['0x63'], -32001],
    ['debug_traceBlockByHash', [word(9)], -32001],
    ['debug_traceBlock', ['0x'], -32602],
    ['debug_traceBlock', ['0xc3c0c0c0'], -32602],
    ['debug_traceTransaction', [word(9)], -32000],
    ['debug_traceTransaction', ['0x9'], -32602],
  ])('given %s of %j, then it is %i', async (method, params, code) => {
    expect(await errorOf(node.rpc(method, ...params))).toMatchObject({ code })
  })
})

describe('eth_createAccessList', () => {
  const read = { from: bob, to: STORAGE, data: word(1) }

  test('then it has the slots that are used, and the gas is that of a call with the list', async () => {
    const found = await node.rpc('eth_createAccessList', read, 'latest')
    expect(found).toEqual({
      accessList: [{ address: STORAGE, storageKeys: [word(1)] }],
      gasUsed: expect.stringMatching(/^0x/),
    })
    const options = { tracer: 'callTracer' }
    const call = { ...read, accessList: (found as { accessList: object[] }).accessList }
    const traced = await node.rpc('debug_traceCall', call, 'latest', options)
    expect(traced).toMatchObject({ gasUsed: (found as { gasUsed: Hex }).gasUsed })
  })

  test('then sender, recipient and precompiles are left out, other addresses are not', async () => {
    const call = (to: Hex) =>
      node.rpc('eth_createAccessList', { from: bob, to: FORWARDER, data: word(to) })
    const warm = [bob, '0x0000000000000000000000000000000000000004'] as const
    for (const to of warm) expect(await call(to)).toMatchObject({ accessList: [] })
    expect(await call(LOGGER)).toMatchObject({
      accessList: [{ address: LOGGER, storageKeys: [] }],
    })
  })

  test('given a call that fails, then the list comes with the error', async () => {
    const found = await node.rpc('eth_createAccessList', { to: REVERTER })
    expect(found).toMatchObject({ accessList: [], error: 'execution reverted' })
  })
})
