import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { encode } from '@ethereumjs/rlp'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { keccak256, parseEther, toRlp } from 'viem'
import { expect, test } from 'vitest'
import { LOGGER } from '../../testing/contracts.ts'
import { bob, createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

/** The 26 fields of the spec's block object. */
const FIELDS = [
  'number hash parentHash nonce sha3Uncles logsBloom transactionsRoot stateRoot receiptsRoot miner',
  'difficulty mixHash extraData size gasLimit gasUsed timestamp transactions uncles withdrawals',
  'withdrawalsRoot baseFeePerGas blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash',
]
  .flatMap((line) => line.split(' '))
  .sort()

/** The fields of a Prague header in their order (EIP-1559, -4895, -4844, -4788, -7685). */
const HEADER = [
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number',
  'gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed',
  'excessBlobGas parentBeaconBlockRoot requestsHash',
].flatMap((line) => line.split(' '))
const QUANTITIES = new Set(
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas'.split(' '),
)

type Json = Record<string, never>
const list = (value: unknown) => value as Json[]
const minimal = (quantity: string): `0x${string}` => {
  const digits = quantity.slice(2) === '0' ? '' : quantity.slice(2)
  return `0x${digits.length % 2 ? '0' : ''}${digits}`
}

async function withTransfer(): Promise<TestNode> {
  const node = await createTestNode()
  await node.chain.mine(await node.sign({ to: bob, value: parseEther('1') }))
  return node
}

test('given a sealed block, then it has the 26 fields and the constants (RPC-BLK-03, -08, -09, -15, -24, -25)', async () => {
  const { rpc } = await withTransfer()
  const block: Json = await rpc('eth_getBlockByNumber', 'latest', false)
  expect(Object.keys(block).sort()).toStrictEqual(FIELDS)
  expect(block).toMatchObject({
    number: '0x1',
    nonce: '0x0000000000000000',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    difficulty: '0x0',
    excessBlobGas: '0x0',
    uncles: [],
    withdrawals: [],
  })
})

test('given two blocks, then each hash is keccak256 of the RLP of the fields shown, and they link (RPC-BLK-06, -07)', async () => {
  const { rpc } = await withTransfer()
  const blocks: Json[] = await Promise.all(
    ['0x0', '0x1'].map((number) => rpc('eth_getBlockByNumber', number, false)),
  )
  for (const block of blocks) {
    const fields = HEADER.map((name) =>
      QUANTITIES.has(name) ? minimal(block[name]!) : block[name]!,
    )
    expect(keccak256(toRlp(fields))).toBe(block.hash)
  }
  expect(blocks[1]?.parentHash).toBe(blocks[0]?.hash)
})

test('given the raw transactions, then transactionsRoot and size fit them (RPC-BLK-11, -18)', async () => {
  const { chain, rpc } = await withTransfer()
  const block: Json = await rpc('eth_getBlockByNumber', '0x1', false)
  const raw = hexToBytes(await rpc('debug_getRawTransaction', block.transactions![0]))
  const trie = new MerklePatriciaTrie()
  await trie.put(encode(0), raw)
  expect(block.transactionsRoot).toBe(bytesToHex(trie.root()))
  const header = hexToBytes(await rpc('debug_getRawHeader', '0x1'))
  // header ‖ [raw] ‖ [] ‖ []: list prefixes of 3 (over 255 bytes) and 2 (over 55 bytes) bytes.
  const item = encode(raw).length
  expect(Number(block.size)).toBe(3 + header.length + 2 + item + 1 + 1)
  expect(chain.latest().size).toBe(Number(block.size))
})

test('given no flag, then transactions are hashes; with it, then they are whole (RPC-BLK-20, -22, -23)', async () => {
  const { rpc } = await withTransfer()
  const hashes: Json = await rpc('eth_getBlockByNumber', 'latest', false)
  const full: Json = await rpc('eth_getBlockByNumber', 'latest', true)
  const transaction = full.transactions![0] as Json
  expect(hashes.transactions).toStrictEqual([transaction.hash])
  expect(hashes.gasUsed).toBe('0x5208')
  expect(transaction).toMatchObject({
    blockHash: hashes.hash,
    blockNumber: '0x1',
    transactionIndex: '0x0',
    type: '0x2',
    to: bob,
    value: '0xde0b6b3a7640000',
    chainId: '0x509f455',
  })
})

test('given flashblocks, then the pending block grows by them and has no number or hash (RPC-PEND-01…06, -11, -13)', async () => {
  const node = await withTransfer()
  const { chain, rpc, sign } = node
  const latest: Json = await rpc('eth_getBlockByNumber', 'latest', false)
  const empty: Json = await rpc('eth_getBlockByNumber', 'pending', false)
  expect(Object.keys(empty).sort()).toStrictEqual(FIELDS)
  expect(empty).toMatchObject({
    number: null,
    hash: null,
    parentHash: latest.hash,
    transactions: [],
    gasUsed: '0x0',
  })
  await chain.flashblock(await sign({ to: bob, value: 1n }))
  await chain.flashblock(await sign({ to: bob, value: 2n }), await sign({ to: bob, value: 3n }))
  const pending: Json = await rpc('eth_getBlockByNumber', 'pending', true)
  expect(list(pending.transactions).map(({ value }) => value)).toStrictEqual(['0x1', '0x2', '0x3'])
  expect(list(pending.transactions)[2]).toMatchObject({
    blockHash: null,
    blockNumber: null,
    transactionIndex: '0x2',
  })
  expect(Number(pending.gasUsed)).toBe(3 * 21_000)
  expect(await rpc('eth_getBlockByNumber', 'latest', false)).toStrictEqual(latest)
  const nulls = Object.entries(pending).filter(([, value]) => value === null)
  expect(nulls.map(([name]) => name).sort()).toStrictEqual(['hash', 'number'])
})

test('given a last flashblock, when it is sealed, then every other field stays (RPC-PEND-12)', async () => {
  const { chain, rpc, sign } = await withTransfer()
  await chain.flashblock(await sign({ to: bob, value: 1n }))
  const pending: Json = await rpc('eth_getBlockByNumber', 'pending', false)
  await chain.seal()
  const sealed: Json = await rpc('eth_getBlockByNumber', '0x2', false)
  expect({ ...sealed, number: null, hash: null }).toStrictEqual(pending)
})

test('given a block with a log, then its bloom is not empty (RPC-BLK-10)', async () => {
  const { chain, rpc, sign } = await createTestNode()
  await chain.mine(await sign({ to: LOGGER, data: `${word(1)}${word(2).slice(2)}` }))
  expect(await rpc('eth_getBlockByNumber', 'latest', false)).not.toMatchObject({
    logsBloom: `0x${'0'.repeat(512)}`,
  })
})

test('given numbers and tags, then each picks its block, and zeros and letter case do not matter (RPC-SEL-01…11, OPEN-10, OPEN-11)', async () => {
  const { chain, rpc, sign } = await withTransfer()
  await chain.mine(await sign({ to: bob }))
  await chain.mine(await sign({ to: bob }))
  chain.markSafe(chain.blockByNumber(2n)!)
  chain.markFinalized(chain.blockByNumber(1n)!)
  const number = async (selector: unknown) =>
    ((await rpc('eth_getBlockByNumber', selector, false)) as Json).number
  expect(await number('0x2')).toBe('0x2')
  expect(await number('0x0002')).toBe('0x2')
  expect(await number('latest')).toBe('0x3')
  expect(await number('LATEST')).toBe('0x3')
  expect(await number('safe')).toBe('0x2')
  expect(await number('finalized')).toBe('0x1')
  expect(await number('earliest')).toBe('0x0')
  expect(await rpc('eth_getBlockByNumber', '0x4', false)).toBeNull()
  expect(await rpc('eth_getBlockByNumber', '0xffffffffffffffff', false)).toBeNull()
})

test.each([
  [[], 'block: missing'],
  [['latest'], 'fullTransactions: missing'],
  [['latest', 'true'], 'fullTransactions: must be true or false, not a JSON string'],
  [[16, false], 'block: must be a hex number or a tag, not a JSON number'],
  [['16', false], expect.stringContaining('block: "16" is neither')],
  [['newest', false], expect.stringContaining('block: "newest" is neither')],
  [['0x', false], 'block: 0x holds no digits, zero is 0x0'],
  [['0x10000000000000000', false], 'block: has more than 64 bits'],
])('given params %j, then they are -32602 (RPC-BLK-01, -02, RPC-SEL-08)', async (params, data) => {
  const { rpc } = await createTestNode()
  expect(await errorOf(rpc('eth_getBlockByNumber', ...params))).toStrictEqual({
    code: -32602,
    message: 'Invalid params',
    data,
  })
})

test('given profile base, then pending has a real number, a zero hash and no size', async () => {
  const { rpc } = await createTestNode({ profile: 'base' })
  const pending: Json = await rpc('eth_getBlockByNumber', 'pending', false)
  expect(pending).toMatchObject({ number: '0x1', hash: word(0) })
  expect(pending).not.toHaveProperty('size')
})

test('given no pre-confirmations, then pending is latest (OPEN-04)', async () => {
  const { chain, rpc, sign } = await createTestNode({ preconfirmations: false })
  await chain.flashblock(await sign({ to: bob }))
  expect(await rpc('eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0x0' })
})
