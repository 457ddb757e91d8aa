import { expect, test } from 'vitest'
import { impersonatedTransaction } from '../rpc/cheats/accounts/impersonated-transaction.ts'
import { ECHO, LOGGER, REVERTER } from '../rpc/testing/contracts.ts'
import { alice, BOB, bob, CONFIG, createTestNode, word } from '../rpc/testing/test-node.ts'
import { decodeBlockRecord, encodeBlockRecord } from './block-record.ts'

/** A block with transactions of every type that users send, and every outcome. */
async function richBlock() {
  const { chain, sign } = await createTestNode()
  const authorization = await BOB.signAuthorization({
    chainId: Number(CONFIG.chainId),
    address: ECHO,
    nonce: 0,
  })
  const legacy = { type: 'legacy', gasPrice: 5_000_000_000n } as const
  const fees = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
  return chain.mine(
    await sign({ to: bob, value: 1n }),
    await sign({ ...legacy, ...fees, to: bob, value: 2n }),
    await sign({ ...legacy, ...fees, to: bob, chainId: undefined }),
    await sign({
      ...fees,
      type: 'eip2930',
      gasPrice: 5_000_000_000n,
      to: ECHO,
      data: '0x1234',
      accessList: [{ address: ECHO, storageKeys: [word(1)] }],
    }),
    await sign({ type: 'eip7702', to: bob, authorizationList: [authorization] }),
    await sign({ to: LOGGER, data: `${word(1)}${word(2).slice(2)}abcd` }),
    await sign({ to: REVERTER, data: '0xdead' }),
    await sign({ data: '0x600a600c600039600a6000f3' }),
  )
}

test('given a block of every kind of transaction, then its record holds all of it', async () => {
  const block = await richBlock()
  expect(block.transactions.map(({ type }) => type)).toEqual([2, 0, 0, 1, 4, 2, 2, 2])
  expect(decodeBlockRecord(encodeBlockRecord(block))).toEqual(block)
})

test('given a transaction in the name of somebody, then it is still that', async () => {
  const block = await richBlock()
  const fields = { chainId: Number(CONFIG.chainId), nonce: 3, gas: 21_000n, value: 0n, to: bob }
  const priced = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, data: '0x' } as const
  const transactions = [
    impersonatedTransaction(alice, { type: 'eip1559', ...fields, ...priced }),
    impersonatedTransaction(alice, { type: 'legacy', ...fields, gasPrice: 1n, data: '0x' }),
  ]
  const decoded = decodeBlockRecord(encodeBlockRecord({ ...block, transactions }))
  expect(decoded.transactions).toEqual(transactions)
})

test('given any byte of a record is changed, or its end is missing, then it is not believed', async () => {
  const record = encodeBlockRecord(await richBlock())
  for (let at = 0; at < record.length; at += 7) {
    const damaged = Uint8Array.from(record)
    damaged[at]! ^= 0x10
    expect(() => decodeBlockRecord(damaged)).toThrow('is not what was written')
  }
  for (const length of [0, 5, 100, record.length - 1]) {
    expect(() => decodeBlockRecord(record.subarray(0, length))).toThrow('is not what was written')
  }
})
