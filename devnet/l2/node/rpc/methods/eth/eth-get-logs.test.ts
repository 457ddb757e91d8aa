import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ECHO, LOGGER } from '../../testing/contracts.ts'
import { createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

const data = (...topics: number[]): Hex =>
  `0x${topics.map((topic) => word(topic).slice(2)).join('')}`
const log = (node: TestNode, first: number, second: number, payload = 0) =>
  node.sign({ to: LOGGER, data: data(first, second, payload) })

type Json = Record<string, never>
const list = (value: unknown) => value as string[]

/** Blocks 1 to 3 with logs (n, 1) and (n, 2), and a pre-confirmed log (9, 1). */
async function chainWithLogs(options = {}): Promise<TestNode> {
  const node = await createTestNode(options)
  for (const number of [1, 2, 3]) {
    await node.chain.mine(await log(node, number, 1), await log(node, number, 2))
  }
  await node.chain.flashblock(await log(node, 9, 1))
  return node
}

let node: TestNode
beforeAll(async () => {
  node = await chainWithLogs()
})
const query = async (filter: object): Promise<Json[]> => node.rpc('eth_getLogs', filter)
/** Both topics of each log found, in order. */
const found = async (filter: object) =>
  (await query(filter)).map(({ topics }) => list(topics).map(Number).join('.'))
const all = { fromBlock: 'earliest', toBlock: 'latest' }

describe('log objects', () => {
  test('given a sealed log, then it has the ten fields, placed in its block (RPC-LOG-01…12)', async () => {
    const block: Json = await node.rpc('eth_getBlockByNumber', '0x2', false)
    expect(
      await query({ fromBlock: '0x2', toBlock: '0x2', topics: [null, word(2)] }),
    ).toStrictEqual([
      {
        address: LOGGER,
        topics: [word(2), word(2)],
        data: word(0),
        blockNumber: '0x2',
        blockTimestamp: block.timestamp,
        transactionHash: block.transactions![1],
        transactionIndex: '0x1',
        blockHash: block.hash,
        logIndex: '0x1',
        removed: false,
      },
    ])
  })

  test('given a pre-confirmed log, then it has the block being built and a zero hash (OPEN-09)', async () => {
    const logs = await query({ fromBlock: 'pending', toBlock: 'pending' })
    expect(logs).toMatchObject([
      { blockNumber: '0x4', blockHash: word(0), logIndex: '0x0', removed: false },
    ])
    expect(logs[0]).toHaveProperty('blockTimestamp')
  })
})

describe('ranges', () => {
  test.each([
    [{}, ['3.1', '3.2']],
    [{ fromBlock: '0x2' }, ['2.1', '2.2', '3.1', '3.2']],
    [{ toBlock: 'latest' }, ['3.1', '3.2']],
    [{ fromBlock: '0x1', toBlock: '0x2' }, ['1.1', '1.2', '2.1', '2.2']],
    [{ fromBlock: '0x2', toBlock: '0x2' }, ['2.1', '2.2']],
    [{ fromBlock: '0x3', toBlock: '0x9' }, ['3.1', '3.2']],
    [{ fromBlock: '0x4' }, []],
    [{ fromBlock: '0x4', toBlock: '0x9' }, []],
    [{ fromBlock: 'pending', toBlock: 'pending' }, ['9.1']],
    [{ fromBlock: 'pending' }, ['9.1']],
    [{ fromBlock: 'pending', toBlock: 'latest' }, ['9.1']],
    [{ toBlock: 'pending' }, ['3.1', '3.2', '9.1']],
    [{ fromBlock: '0x3', toBlock: 'pending' }, ['3.1', '3.2', '9.1']],
    [{ fromBlock: '0x4', toBlock: 'pending' }, ['9.1']],
    [{ fromBlock: '0x5', toBlock: 'pending' }, []],
    [{ fromBlock: 'earliest', toBlock: 'safe' }, []],
  ])('given the range %j, then it finds %j (OPEN-14…16)', async (filter, logs) => {
    expect(await found(filter)).toStrictEqual(logs)
  })

  test.each([
    { fromBlock: '0x2', toBlock: '0x1' },
    { toBlock: '0x1' },
    { fromBlock: '0x9', toBlock: '0x8' },
  ])('given the inverted range %j, then it is -32602 (OPEN-16)', async (filter) => {
    expect(await errorOf(query(filter))).toMatchObject({ code: -32602 })
  })

  test('given blocks 2,000 apart, then they are answered, and 2,001 are -32614 (LIM-01, LIM-02)', async () => {
    expect(await query({ fromBlock: '0x0', toBlock: '0x7d0' })).toHaveLength(6)
    expect(await errorOf(query({ fromBlock: '0x0', toBlock: '0x7d1' }))).toMatchObject({
      code: -32614,
      message: 'eth_getLogs is limited to a 2,000 range',
    })
  })

  test('given blockHash, then it picks its block and the range has no effect (RPC-FLT-16, -17)', async () => {
    const { hash } = node.chain.blockByNumber(2n)!
    expect(await found({ blockHash: hash })).toStrictEqual(['2.1', '2.2'])
    expect(await found({ blockHash: hash, fromBlock: '0x3', toBlock: 'nonsense' })).toStrictEqual([
      '2.1',
      '2.2',
    ])
    expect(await errorOf(query({ blockHash: word(5) }))).toStrictEqual({
      code: -32001,
      message: `block not found: hash ${word(5)}`,
      data: undefined,
    })
  })
})

describe('address and topics', () => {
  test.each([
    [{ address: LOGGER }, 6],
    [{ address: ECHO }, 0],
    [{ address: [ECHO, LOGGER.toUpperCase().replace('0X', '0x')] }, 6],
    [{ address: [] }, 6],
    [{ address: null }, 6],
    [{ topics: [word(2)] }, 2],
    [{ topics: [null, word(2)] }, 3],
    [{ topics: [word(2), word(2)] }, 1],
    [{ topics: [[word(1), word(3)], word(1)] }, 2],
    [{ topics: [[], word(1)] }, 3],
    [{ topics: [] }, 6],
    [{ topics: [null, null, null] }, 6],
    [{ topics: [null, null, word(1)] }, 0],
    [{ address: ECHO, topics: [word(2)] }, 0],
  ])('given %j, then it finds %i (RPC-FLT-07…15, -19, OPEN-20)', async (criteria, count) => {
    expect(await query({ ...all, ...criteria })).toHaveLength(count)
  })

  test.each([
    [undefined, 'filter: missing'],
    ['latest', 'filter: must be an object, not a JSON string'],
    [{ adress: LOGGER }, 'filter: has an unknown key "adress"'],
    [{ address: '0x12' }, 'address: must be 20 bytes (40 hex digits), got 2 digits'],
    [
      { topics: [word(1).slice(0, -2)] },
      'topics[0]: must be 32 bytes (64 hex digits), got 62 digits',
    ],
    [
      { topics: [null, [word(1), '0x']] },
      'topics[1][1]: must be 32 bytes (64 hex digits), got 0 digits',
    ],
    [{ topics: word(1) }, 'topics: must be an array, not a JSON string'],
    [{ topics: [null, null, null, null, null] }, 'topics: has 5 positions, the limit is 4'],
    [{ fromBlock: 1 }, 'fromBlock: must be a hex number or a tag, not a JSON number'],
    [{ toBlock: '0x' }, 'toBlock: 0x holds no digits, zero is 0x0'],
    [{ toBlock: word('0xff0000000000000000') }, 'toBlock: has more than 64 bits'],
  ])('given the filter %j, then it is -32602 (RPC-FLT-01)', async (filter, text) => {
    const error = await errorOf(node.rpc('eth_getLogs', filter))
    expect(error.code).toBe(-32602)
    expect(error.data).toBe(text)
  })
})

test('given profile base, then blockHash beside a range, a high toBlock and a range are other errors', async () => {
  const base = await chainWithLogs({ profile: 'base' })
  const code = async (filter: object) => (await errorOf(base.rpc('eth_getLogs', filter))).code
  const { hash } = base.chain.latest()
  expect(await code({ blockHash: hash, fromBlock: '0x1' })).toBe(-32602)
  expect(await code({ fromBlock: '0x1', toBlock: '0x9' })).toBe(-32602)
  expect(await code({ fromBlock: '0x0', toBlock: '0x186a1' })).toBe(-32602)
  for (const filter of [{ fromBlock: 'pending' }, { fromBlock: 'pending', toBlock: 'latest' }]) {
    const fromPending: Json[] = await base.rpc('eth_getLogs', filter)
    expect(fromPending.map(({ blockNumber }) => blockNumber)).toStrictEqual(['0x3', '0x3'])
  }
})

test('given logs and receipts that were read while pre-confirmed, when their block is sealed, then they have its hash', async () => {
  const own = await createTestNode()
  const raw = await log(own, 5, 1)
  const { transactions } = await own.chain.flashblock(raw)
  const read = async (at: string) => {
    const [found] = (await own.rpc('eth_getLogs', { fromBlock: at, toBlock: at })) as Json[]
    const receipt: Json = await own.rpc('eth_getTransactionReceipt', transactions.at(-1)!.hash)
    const [inReceipt] = receipt.logs as unknown as Json[]
    return [found!.blockHash, receipt.blockHash, inReceipt!.blockHash]
  }
  for (let i = 0; i < 2; i++) expect(await read('pending')).toEqual(Array(3).fill(word(0)))
  const { hash } = await own.chain.seal()
  for (let i = 0; i < 2; i++) expect(await read('latest')).toEqual(Array(3).fill(hash))
})
