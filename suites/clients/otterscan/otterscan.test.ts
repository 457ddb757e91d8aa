import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FEE_RECIPIENT, GENESIS_TIME } from '#devnet/l2/node/rpc/testing/chain-by-hand'
import {
  CONTRACTS,
  ECHO,
  FORWARDER,
  REVERTER,
  STORAGE,
} from '#devnet/l2/node/rpc/testing/contracts'
import {
  alice,
  BOB,
  bob,
  CONFIG,
  createTestNode,
  ETHER,
  errorOf,
  type TestNode,
  word,
} from '#devnet/l2/node/rpc/testing/test-node'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import {
  type ReferenceAnvil,
  startReferenceAnvil,
} from '#suites/oracles/differential/reference-anvil'

const BASE_FEE = 1_000_000_000n
/** Creates a contract by CREATE and one by CREATE2, and is one itself: each has the code 00. */
const FACTORY: Hex = '0x6360015ff35f526004601c5ff0505f6004601c5ff55060015ff3'
/** Gives what it was sent to bob, and is gone. */
const WILL: Hex = `0x73${bob.slice(2)}ff`
/** STATICCALL and DELEGATECALL of a contract. */
const ASKER: Hex = `0x5f5f5f5f73${ECHO.slice(2)}5afa505f5f5f5f73${ECHO.slice(2)}5af45000`

interface Operation {
  type: number
  from: Hex
  to: Hex
  value: Hex
}

interface Entry {
  type: string
  depth: number
  from: Hex
  to: Hex
  value: Hex | null
  input: Hex
  output: Hex
}

interface Page {
  txs: { hash: Hash; blockNumber: Hex }[]
  receipts: { transactionHash: Hash; timestamp: Hex; logs: unknown; logsBloom: unknown }[]
  firstPage: boolean
  lastPage: boolean
}

/** The same three blocks here and in anvil. */
let node: TestNode
let anvil: ReferenceAnvil
const blocks: Block[] = []
/** Of all transactions. */
const hashes: Hash[] = []
const ours = <T>(method: string, ...params: unknown[]): Promise<T> => node.rpc(method, ...params)
const theirs = <T>(method: string, ...params: unknown[]): Promise<T> =>
  anvil.request<T>(method, params)

beforeAll(async () => {
  node = await createTestNode()
  anvil = await startReferenceAnvil({
    chainId: Number(CONFIG.chainId),
    rules: 'prague',
    alloc: {
      ...CONTRACTS,
      [alice]: { balance: 1000n * ETHER },
      [bob]: { balance: 1000n * ETHER },
    },
    timestamp: GENESIS_TIME,
    coinbase: FEE_RECIPIENT,
    baseFeePerGas: BASE_FEE,
  })
  const made = [
    [
      await node.sign({ to: FORWARDER, data: word(bob), value: 5n }),
      await node.sign({ to: REVERTER, data: '0xc0ffee' }),
      await node.sign({ data: FACTORY }),
    ],
    [
      await node.sign({ to: alice, value: 1n }, BOB),
      await node.sign({ to: STORAGE, data: word(1) }),
    ],
    [await node.sign({ data: WILL, value: 7n }), await node.sign({ data: ASKER })],
  ]
  for (const raws of made) {
    blocks.push(await node.chain.mine(...raws))
    await anvil.makeBlock(raws.map(bytesToHex), BASE_FEE)
  }
  hashes.push(...blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)))
})
afterAll(() => anvil.stop())

describe('given the same transactions here and in anvil', () => {
  test('then both say the same level', async () => {
    expect(await ours('ots_getApiLevel')).toBe(await theirs('ots_getApiLevel'))
  })

  test('then the traces are the same, but for creations, selfdestructs and values that are none', async () => {
    for (const hash of hashes) {
      const entries = await ours<Entry[]>('ots_traceTransaction', hash)
      const calls = entries.filter(({ type }) => type.endsWith('CALL'))
      const asAnvil = calls.map((entry) => ({ ...entry, value: entry.value ?? '0x0' }))
      expect(asAnvil).toEqual(await theirs('ots_traceTransaction', hash))
    }
  })

  test('then the operations inside are the same, but for what the transaction does itself', async () => {
    for (const hash of hashes) {
      const { from, to, value } = await ours<{ from: Hex; to: Hex | null; value: Hex }>(
        'eth_getTransactionByHash',
        hash,
      )
      const answer = await theirs<Operation[]>('ots_getInternalOperations', hash)
      const [first] = answer
      const isOwn =
        first?.from === from && (to === null || first.to === to) && value === first.value
      const inside = isOwn ? answer.slice(1) : answer
      expect(await ours('ots_getInternalOperations', hash)).toEqual(inside)
    }
  })

  test('then what a transaction reverted with is the same', async () => {
    for (const hash of hashes) {
      const error = await ours('ots_getTransactionError', hash)
      expect(error).toBe(await theirs('ots_getTransactionError', hash))
    }
    expect(await ours('ots_getTransactionError', hashes[1])).toBe('0xc0ffee')
  })

  test('then both know where code is', async () => {
    const created = blocks[0]!.receipts[2]!.contractAddress
    for (const address of [alice, ECHO, created]) {
      for (const block of ['0x0', '0x1', 'latest']) {
        const answer = await theirs('ots_hasCode', address, block)
        expect(await ours('ots_hasCode', address, block)).toBe(answer)
      }
    }
  })

  test('then a nonce of a sender leads to the same transaction', async () => {
    for (const [sender, nonce] of [
      [alice, 0],
      [alice, 5],
      [alice, 6],
      [bob, 0],
      [ECHO, 0],
    ] as const) {
      const answer = await theirs('ots_getTransactionBySenderAndNonce', sender, `0x${nonce}`)
      expect(await ours('ots_getTransactionBySenderAndNonce', sender, nonce)).toBe(answer)
    }
  })

  test('then contracts have the same creators', async () => {
    const traces = await ours<Entry[]>('ots_traceTransaction', hashes[2])
    const created = traces.filter(({ type }) => type.startsWith('CREATE')).map(({ to }) => to)
    expect(created).toHaveLength(3)
    for (const address of [...created, alice, ECHO]) {
      const answer = await theirs('ots_getContractCreator', address)
      expect(await ours('ots_getContractCreator', address)).toEqual(answer)
    }
  })

  test.each([
    ['Before', alice, 0, 3],
    ['Before', alice, 3, 2],
    ['Before', bob, 0, 25],
    ['Before', STORAGE, 0, 25],
    ['After', alice, 0, 2],
    ['After', alice, 1, 25],
    ['After', ECHO, 0, 1],
  ] as const)(
    'then ots_searchTransactions%s of %s at %i finds the same',
    async (way, address, block, size) => {
      const method = `ots_searchTransactions${way}`
      const [mine, other] = [
        await ours<Page>(method, address, block, size),
        await theirs<Page>(method, address, block, size),
      ]
      const places = mine.txs.map(({ hash }) => hashes.indexOf(hash))
      expect(places).toEqual(places.toSorted((one, another) => another - one))
      // To anvil a selfdestruct is nothing; and forwards it tells each block from its beginning.
      const isWill = (place: number) => place === 5 && address === bob
      const answer = other.txs.map(({ hash }) => hashes.indexOf(hash))
      expect(places.filter((place) => !isWill(place))).toEqual(
        answer.sort((one, another) => another - one),
      )
    },
  )
})

describe('given blocks of users', () => {
  test('when paged, then pages follow each other until the last, and say so', async () => {
    const [first, last] = [
      await ours<Page>('ots_searchTransactionsBefore', alice, 0, 2),
      await ours<Page>('ots_searchTransactionsBefore', alice, 2, 25),
    ]
    expect(first.txs.map(({ hash }) => hash)).toEqual([hashes[6], hashes[5]])
    expect([first.firstPage, first.lastPage]).toEqual([true, false])
    expect(last.txs.map(({ hash }) => hash)).toEqual([hashes[2], hashes[1], hashes[0]])
    expect([last.firstPage, last.lastPage]).toEqual([false, true])
    expect(last.receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      last.txs.map(({ hash }) => hash),
    )
    expect(last.receipts[0]).toMatchObject({ logs: null, logsBloom: null })
    expect(BigInt(last.receipts[0]!.timestamp)).toBe(blocks[0]!.header.timestamp)
    const oldest = await ours<Page>('ots_searchTransactionsAfter', alice, 0, 1)
    expect([oldest.firstPage, oldest.lastPage]).toEqual([false, true])
    expect(oldest.txs).toHaveLength(3)
  })

  test('when one is asked for, then its details are its header, its count and its fees', async () => {
    const { transactions, logsBloom, ...header } = await ours<Record<string, Hash[]>>(
      'eth_getBlockByNumber',
      '0x1',
      false,
    )
    const receipts = await ours<Record<string, Hex>[]>('eth_getBlockReceipts', '0x1')
    const fees = receipts.reduce(
      (sum, { gasUsed, effectiveGasPrice, l1Fee = '0x0' }) =>
        sum + BigInt(gasUsed!) * BigInt(effectiveGasPrice!) + BigInt(l1Fee),
      0n,
    )
    const details = await ours('ots_getBlockDetails', 1)
    expect(details).toEqual({
      block: { ...header, logsBloom: null, transactionCount: 3 },
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: `0x${fees.toString(16)}`,
    })
    expect(await ours('ots_getBlockDetailsByHash', blocks[0]!.hash)).toEqual(details)
    const { uncles, ...rest } = header
    expect(await ours('erigon_getHeaderByNumber', 1)).toEqual({ ...rest, logsBloom })
  })

  test('when its transactions are paged, then inputs are cut to the selector and receipts have no logs', async () => {
    interface Transactions {
      fullblock: { transactionCount: number; transactions: { hash: Hash; input: Hex }[] }
      receipts: Page['receipts']
    }
    const page = (number: number) => ours<Transactions>('ots_getBlockTransactions', 1, number, 2)
    const { fullblock, receipts } = await page(0)
    expect(fullblock.transactionCount).toBe(3)
    expect(fullblock.transactions).toMatchObject([
      { hash: hashes[1] },
      { hash: hashes[2], input: FACTORY.slice(0, 10) },
    ])
    expect(receipts).toMatchObject(
      [1, 2].map((at) => ({ transactionHash: hashes[at], logs: null, logsBloom: null })),
    )
    // Otterscan shows each page backwards: pages are counted from the end of the block.
    const pages = await Promise.all([1, 2, 3].map(page))
    const shown = pages.map((each) => each.fullblock.transactions.map(({ hash }) => hash))
    expect(shown).toEqual([[hashes[0]], [], []])
  })

  test('when what is asked for is unknown or no number, then the error says so', async () => {
    const unknown = await errorOf(ours('ots_traceTransaction', word(9)))
    expect(unknown).toMatchObject({ code: -32000, message: 'transaction not found' })
    expect(await errorOf(ours('ots_getBlockDetails', 99))).toMatchObject({ code: -32001 })
    for (const size of [0, 1_001, -1, 1.5, '25']) {
      const refused = await errorOf(ours('ots_searchTransactionsBefore', alice, 0, size))
      expect(refused).toMatchObject({ code: -32602, data: expect.stringContaining('pageSize') })
    }
  })
})
