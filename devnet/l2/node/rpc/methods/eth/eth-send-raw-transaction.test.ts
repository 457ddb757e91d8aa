import { bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { alice, bob, createTestNode, errorOf } from '../../testing/test-node.ts'

test('given a transaction that the pool takes, then its hash comes back', async () => {
  const { rpc, sign } = await createTestNode()
  const raw = bytesToHex(await sign({ to: bob, value: 1n }))
  expect(await rpc('eth_sendRawTransaction', raw)).toBe(keccak256(raw))
})

test('given what cannot be decoded, then it is -32602; given what the pool refuses, then -32000 with its words', async () => {
  const { chain, rpc, sign } = await createTestNode()
  expect(await errorOf(rpc('eth_sendRawTransaction', '0x02c0'))).toMatchObject({
    code: -32602,
    message: 'failed to decode signed transaction',
    data: expect.any(String),
  })
  const message = 'nonce too low: next nonce 5, tx nonce 4'
  chain.submit = () => Promise.reject(new RollbedError('NONCE_TOO_LOW', message))
  const raw = bytesToHex(await sign({ to: bob }))
  expect(await errorOf(rpc('eth_sendRawTransaction', raw))).toStrictEqual({
    code: -32000,
    message,
    data: undefined,
  })
})

test('given more bytes than the pool takes, then they are refused in its words, and not read', async () => {
  const { rpc } = await createTestNode()
  // Not even hex, which would have to be looked at.
  const raw = `0x${'zz'.repeat(131_073)}`
  expect(await errorOf(rpc('eth_sendRawTransaction', raw))).toStrictEqual({
    code: -32000,
    message: 'oversized data: transaction size 131073, limit 131072',
    data: undefined,
  })
  const data = 'data: has 1048577 bytes, the limit is 1048576'
  const long = `0x${'00'.repeat(1_048_577)}`
  expect(await errorOf(rpc('web3_sha3', long))).toMatchObject({ code: -32602, data })
})

test.each(['spec', 'base'] as const)(
  'given pooled transactions in profile %s, then the nonce at pending counts them',
  async (profile) => {
    const { chain, rpc, sign } = await createTestNode({ profile })
    await chain.flashblock(await sign({ to: bob }))
    for (const nonce of [1, 2, 3]) await chain.addToPool(await sign({ to: bob, nonce }))
    expect(await rpc('eth_getTransactionCount', alice, 'pending')).toBe('0x4')
    expect(await rpc('eth_getTransactionCount', alice, 'latest')).toBe('0x0')
  },
)

/** A transaction in the pool, and when the answer about its receipt has come. */
async function pooledReceipt(profile: 'spec' | 'base') {
  const machine = new VirtualClock(0)
  const { chain, rpc, sign } = await createTestNode({ profile, machine })
  const raw = await sign({ to: bob })
  const { hash } = await chain.addToPool(raw)
  const asked = { isAnswered: false }
  const answer = rpc('eth_getTransactionReceipt', hash).finally(() => {
    asked.isAnswered = true
  })
  await new Promise(setImmediate)
  return { chain, machine, raw, hash, asked, answer }
}

test('given a transaction in the pool, then its receipt is null at once in profile spec', async () => {
  const { answer } = await pooledReceipt('spec')
  expect(await answer).toBeNull()
})

test('given a transaction in the pool in profile base, then its receipt comes with the next flashblock', async () => {
  const { chain, raw, hash, asked, answer } = await pooledReceipt('base')
  expect(asked.isAnswered).toBe(false)
  await chain.flashblock(raw)
  expect(await answer).toMatchObject({ transactionHash: hash, status: '0x1' })
})

test('given a transaction in the pool in profile base that no flashblock takes, then its receipt is null after 300 ms', async () => {
  const { machine, asked, answer } = await pooledReceipt('base')
  await machine.advance(299)
  expect(asked.isAnswered).toBe(false)
  await machine.advance(1)
  expect(await answer).toBeNull()
})

test('given a transaction, then its price is its cap in the pool and what it paid in a block', async () => {
  const { chain, rpc, sign } = await createTestNode()
  const raw = await sign({ to: bob, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 7n })
  const { hash } = await chain.addToPool(raw)
  expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({
    gasPrice: '0x12a05f200',
    blockNumber: null,
    transactionIndex: null,
  })
  const { header } = await chain.mine(raw)
  const paid = `0x${(header.baseFeePerGas + 7n).toString(16)}`
  expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ gasPrice: paid })
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ effectiveGasPrice: paid })
})
