import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { concat, type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createExecutor } from '#protocol/execution/create-executor'
import { decodeHeader } from '#protocol/execution/header'
import { headerAttributes } from '#protocol/execution/header-attributes'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { BLOCKHASH, STORAGE } from '../../testing/contracts.ts'
import { CONFIG, createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'
import type { ExecutionWitness } from '../../traces/execution-witness.ts'

const store = (slot: number, value: number): Hex => concat([word(slot), word(value)])
const EIP1559 = { denominator: 250, elasticity: 6 }

/** Block 3 clears a slot, so that its new root needs siblings, and asks for the hash of block 1. */
let node: TestNode
let block: Block
beforeAll(async () => {
  node = await createTestNode()
  const { chain, sign } = node
  const stores = Array.from({ length: 8 }, (_, slot) => store(slot + 1, 7))
  await chain.mine(...(await Promise.all(stores.map((data) => sign({ to: STORAGE, data })))))
  await chain.mine()
  block = await chain.mine(
    await sign({ to: STORAGE, data: store(3, 0) }),
    await sign({ to: BLOCKHASH, data: word(1) }),
  )
})
const witnessOf = (selector: string) =>
  node.rpc('debug_executionWitness', selector) as Promise<ExecutionWitness>

/** Executes block 3 on nothing but a witness. */
async function executeOn({ state, codes, headers }: ExecutionWitness): Promise<Hash> {
  const values = new MemoryStore()
  for (const value of [...state, ...codes]) values.put(keccak256(value), hexToBytes(value))
  const ancestors = headers.map((header) => decodeHeader(hexToBytes(header)))
  const parent = ancestors.at(-1)!
  const executor = await createExecutor(CONFIG)
  const { header } = block
  const open = await executor.openBlock({
    store: values,
    parent,
    parentHash: keccak256(headers.at(-1)!),
    blockHash: async (number) => {
      const index = ancestors.findIndex((ancestor) => ancestor.number === number)
      return index < 0 ? undefined : keccak256(headers[index]!)
    },
    attributes: {
      ...headerAttributes(header),
      eip1559: EIP1559,
      minBaseFee: 0n,
      transactions: [],
    },
  })
  for (const { raw } of block.transactions) await open.execute(decodeTransaction(raw))
  return (await open.seal()).hash
}

describe('debug_executionWitness', () => {
  test('then it is all that it takes to make the same block', async () => {
    const witness = await witnessOf('0x3')
    expect(await executeOn(witness)).toBe(block.hash)
    const raw = (await node.rpc('debug_getRawHeader', '0x1')) as Hex
    expect(witness.headers[0]).toBe(raw)
    expect(witness.headers).toHaveLength(2)
    expect(witness.keys).toEqual(expect.arrayContaining([STORAGE, word(3), BLOCKHASH]))
  })

  test('then nothing in it is there in vain: without any node the block cannot be made', async () => {
    const witness = await witnessOf('0x3')
    for (const missing of witness.state) {
      const state = witness.state.filter((node) => node !== missing)
      await expect(executeOn({ ...witness, state })).rejects.toThrow()
    }
  })

  test('then by hash it is the same', async () => {
    expect(await node.rpc('debug_executionWitnessByBlockHash', block.hash)).toEqual(
      await witnessOf('0x3'),
    )
  })

  test('then it leaves nothing in the node', async () => {
    const { size } = node.chain.store
    await witnessOf('0x3')
    expect(node.chain.store.size).toBe(size)
  })

  test.each([
    ['0x0', -32000],
    ['0x63', -32001],
    ['now', -32602],
  ])('given block %s, then it is %i', async (selector, code) => {
    expect(await errorOf(witnessOf(selector))).toMatchObject({ code })
  })
})

describe('debug_executePayload', () => {
  const attributes = () => ({
    timestamp: `0x${block.header.timestamp.toString(16)}`,
    prevRandao: block.header.mixHash,
    suggestedFeeRecipient: block.header.miner,
    withdrawals: [],
    parentBeaconBlockRoot: block.header.parentBeaconBlockRoot,
    transactions: block.transactions.map(({ raw }) => bytesToHex(raw)),
    noTxPool: true,
    gasLimit: `0x${block.header.gasLimit.toString(16)}`,
    eip1559Params: '0x000000fa00000006',
    minBaseFee: '0x0',
  })
  const execute = (changes: object = {}, parent = block.header.parentHash) =>
    node.rpc('debug_executePayload', parent, { ...attributes(), ...changes }) as Promise<never>

  test("then a block's own attributes give its own witness", async () => {
    expect(await execute()).toEqual(await witnessOf('0x3'))
  })

  test('given a transaction that may not stand in the block, then it is left out', async () => {
    const { transactions } = attributes()
    const twice = [...transactions, transactions[0]!]
    expect(await execute({ transactions: twice })).toEqual(await witnessOf('0x3'))
  })

  test.each([
    [{ timestamp: undefined }, -32602],
    [{ gasLimit: 30_000_000 }, -32602],
    [{ eip1559Params: '0x00' }, -32602],
    [{ minBaseFee: undefined }, -32602],
    [{ withdrawals: [{}] }, -32602],
    [{ transactions: ['0x03c0'] }, -32602],
  ])('given %j, then it is %i', async (changes, code) => {
    expect(await errorOf(execute(changes))).toMatchObject({ code })
  })

  test('given an unknown parent, then it is -32001', async () => {
    expect(await errorOf(execute({}, word(5)))).toMatchObject({ code: -32001 })
  })
})

test('given the small debug methods, then there are no bad blocks, and a whole block comes as its bytes', async () => {
  expect(await node.rpc('debug_getBadBlocks')).toEqual([])
  expect(await node.rpc('debug_getRawTransactions', '0x3')).toEqual(
    block.transactions.map(({ raw }) => bytesToHex(raw)),
  )
})
