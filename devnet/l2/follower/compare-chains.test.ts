import { beforeEach, expect, test } from 'vitest'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { blockJson } from '../node/rpc/json/block-json.ts'
import { profileValues } from '../node/rpc/profile-differences.ts'
import { type ChainByHand, createChainByHand } from '../node/rpc/testing/chain-by-hand.ts'
import { CONFIG } from '../node/rpc/testing/test-node.ts'
import { type ChainDifference, compareChains } from './compare-chains.ts'

type Json = Record<string, unknown>

let clock: VirtualClock
let ours: ChainByHand
/** What the other node has, by number; null: it is no longer kept. */
let others: (Json | null)[]
let abort: AbortController

beforeEach(async () => {
  clock = new VirtualClock()
  ours = await createChainByHand(CONFIG, {})
  others = [json(0n)]
  abort = new AbortController()
})

const json = (number: bigint): Json => ({
  ...blockJson(ours.blockByNumber(number)!, false, profileValues('spec')),
})

async function seal(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await ours.seal()
    others.push(json(ours.latest().header.number))
  }
}

const theirs: RpcClient = {
  async request(method, [tag]) {
    if (method === 'eth_blockNumber') return `0x${(others.length - 1).toString(16)}`
    return others[Number(tag)] ?? null
  },
}

function compare(lastBlock?: bigint): Promise<ChainDifference | undefined> {
  return compareChains({ ours, theirs, clock, lastBlock, signal: abort.signal })
}

test('given the same blocks, when the last was compared, then there is no difference', async () => {
  await seal(3)
  expect(await compare(3n)).toBeUndefined()
})

test('given a block that stays another, then its number, field and both values are told', async () => {
  await seal(3)
  others[2] = { ...others[2], hash: '0x02', gasUsed: '0x5208' }
  const found = compare(3n)
  await clock.advance(11_000)
  expect(await found).toEqual({ number: 2n, field: 'gasUsed', ours: '0x0', theirs: '0x5208' })
})

test('given a block that is another for a while, as in a reorg, then there is no difference', async () => {
  await seal(2)
  const right = others[2]!
  others[2] = { ...right, hash: '0x02' }
  const found = compare(2n)
  await clock.advance(5_000)
  others[2] = right
  await clock.advance(1_000)
  expect(await found).toBeUndefined()
})

test('given another genesis, then that is told at once', async () => {
  others[0] = { ...others[0], hash: '0x00', timestamp: '0x1' }
  expect(await compare()).toMatchObject({ number: 0n, field: 'timestamp', theirs: '0x1' })
})

test('given a node that no longer keeps a block, then it is passed over', async () => {
  await seal(2)
  others[1] = null
  expect(await compare(2n)).toBeUndefined()
})

test('given a node that never comes so far, then that is the difference', async () => {
  await seal(2)
  others.pop()
  const found = compare(2n)
  await clock.advance(11_000)
  expect(await found).toMatchObject({ number: 2n, field: 'number', theirs: 1n })
})

test('given the signal, then comparing ends without a difference', async () => {
  const found = compare()
  await clock.advance(1_000)
  abort.abort()
  expect(await found).toBeUndefined()
})
