import { type Hex, keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { STORAGE } from '../../testing/contracts.ts'
import { createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

const MAPPED = keccak256('0x01')
let node: TestNode
beforeAll(async () => {
  node = await createTestNode()
  const { chain, sign } = node
  const store = (slot: Hex, value: number) =>
    sign({ to: STORAGE, data: `${slot}${word(value).slice(2)}` })
  await chain.mine(await store(word(16), 5), await store(MAPPED, 6))
  await chain.flashblock(await store(word(16), 7))
})
const read = (...params: unknown[]): Promise<Hex> => node.rpc('eth_getStorageAt', ...params)

test('given a slot in hex, then it is read as 32 bytes (RPC-STOR-02, -03, -05, -06)', async () => {
  expect(await read(STORAGE, '0x10', 'latest')).toBe(word(5))
  expect(await read(STORAGE, '0x010', 'latest')).toBe(word(5))
  expect(await read(STORAGE, word(16), 'latest')).toBe(word(5))
  expect(await read(STORAGE, MAPPED, 'latest')).toBe(word(6))
  expect(await read(STORAGE, '0x11', 'latest')).toBe(word(0))
  expect(await read(`0x${'77'.repeat(20)}`, '0x0', 'latest')).toBe(word(0))
})

test('given a selector, then it decides the state (RPC-STOR-07, -08)', async () => {
  expect(await read(STORAGE, '0x10', 'earliest')).toBe(word(0))
  expect(await read(STORAGE, '0x10', 'pending')).toBe(word(7))
  expect(await read(STORAGE, '0x10', node.chain.latest().hash)).toBe(word(5))
  expect(await errorOf(read(STORAGE, '0x10', '0x9'))).toMatchObject({ code: -32001 })
})

test.each([
  [[], 'address: missing'],
  [
    [`0x${'11'.repeat(19)}`, '0x0', 'latest'],
    'address: must be 20 bytes (40 hex digits), got 38 digits',
  ],
  [[STORAGE, 0, 'latest'], 'position: must be a 0x hex string, not a JSON number'],
  [[STORAGE, `0x1${'0'.repeat(64)}`, 'latest'], 'position: must be at most 32 bytes, got 33'],
  [[STORAGE, '0x0'], 'block: missing (deployed nodes answer this: ask at /base)'],
])('given params %j, then they are -32602 (RPC-STOR-01, -02, -04)', async (params, data) => {
  expect(await errorOf(read(...params))).toMatchObject({ code: -32602, data })
})

test('given profile base, then pending reads latest, and the block may be left out', async () => {
  const base = await createTestNode({ profile: 'base' })
  await base.chain.flashblock(
    await base.sign({ to: STORAGE, data: `${word(1)}${word(9).slice(2)}` }),
  )
  expect(await base.rpc('eth_getStorageAt', STORAGE, '0x1', 'pending')).toBe(word(0))
  expect(await base.rpc('eth_getStorageAt', STORAGE, '0x1')).toBe(word(0))
})
