import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { startL1Prefetch } from '#devnet/l2/node/sequencer/l1-prefetch'
import { type Node, startNode } from '#devnet/l2/node/start-node'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { l1Source } from '#protocol/derivation/l1-source'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { type ScriptedL1, scriptedL1 } from '#protocol/derivation/testing/scripted-l1'
import { headerAttributes } from '#protocol/execution/header-attributes'
import type { Block, PayloadAttributes } from '#protocol/types/block'
import { transfer } from '../sequencer/transfer.ts'
import { depositLog } from './l1-logs.ts'

const GENESIS_TIME = 1_700_000_000
const RECIPIENT = `0x${'f7'.repeat(20)}` as const

let resources: ResourceStack
let clock: VirtualClock
let l1: ScriptedL1
let node: Node
let config: RollupConfig
let removed: Block[]

beforeEach(async () => {
  resources = new ResourceStack()
  clock = new VirtualClock(GENESIS_TIME * 1000)
  l1 = scriptedL1(BigInt(GENESIS_TIME))
  const source = l1Source(l1.oracle)
  const { hash } = l1.head()
  const genesis = await rollupGenesis({
    l1Start: { number: 0n, hash, timestamp: GENESIS_TIME },
    contracts: l1ContractAddresses(roleKeys.deployer.address),
    fork: 'jovian',
    blockTime: 2,
  })
  config = genesis.config
  const l1View = resources.add(
    await startL1Prefetch({
      origin: { number: 0n, hash },
      clock,
      async fetchBlock(number) {
        if (number > l1.head().number) return undefined
        const at = l1.at(Number(number)).hash
        return { header: await source.header(at), receipts: await source.receipts(at) }
      },
    }),
  )
  const { block, store } = genesis
  node = resources.add(
    await startNode({
      ...{ config, genesis: block, store, clock, l1View, l1RpcUrl: 'unused' },
      manual: true,
    }),
  )
  removed = []
  node.chain.on('reorg', (event) => removed.push(...event.removed))
})
afterEach(() => resources.stop())

/** One L1 block and six L2 blocks, the last of which may have it as their origin. */
async function epoch(content: Parameters<ScriptedL1['mine']>[0] = {}): Promise<void> {
  l1.mine(content)
  await clock.advance(12_000)
  for (let i = 0; i < 6; i++) await seal()
}

async function seal(): Promise<Block> {
  await node.flashblock()
  return await node.seal()
}

describe('given an L1 that drops the newest L2 blocks’ origin', () => {
  let dropped: Block[]

  beforeEach(async () => {
    await epoch()
    const deposit = { from: RECIPIENT, to: RECIPIENT, mint: 5n, value: 0n, gas: 50_000n } as const
    await epoch({
      logs: [depositLog(config.depositContractAddress, { ...deposit, data: '0x' })],
    })
    await node.chain.submit(transfer(0, 0))
    await seal()
    await node.chain.submit(transfer(0, 1))
    await node.flashblock()
    dropped = blocksWithOrigin(l1.head().hash)
    l1.rewind(1)
    l1.mine({ extraData: '0x01' })
    l1.mine()
    await clock.advance(1_000)
  })

  function blocksWithOrigin(hash: string): Block[] {
    const blocks: Block[] = []
    for (let number = node.chain.latest().header.number; number > 0n; number--) {
      const block = node.chain.blockByNumber(number)!
      if (l2Parent(config, block).l1Origin.hash === hash) blocks.push(block)
    }
    return blocks
  }

  test('when the next block is built, exactly those blocks are gone, newest first', async () => {
    await seal()
    expect(dropped).not.toEqual([])
    expect(removed).toEqual(dropped)
    expect(blocksWithOrigin(l2Parent(config, dropped[0]!).l1Origin.hash)).toEqual([])
    expect(node.chain.divergence()).toBeUndefined()
  })

  test('then what users sent, sealed or pre-confirmed, is in the first new block', async () => {
    await seal()
    const block = await seal()
    const sent = [...(node.chain.blockByNumber(block.header.number - 1n)?.transactions ?? [])]
    const nonces = [...sent, ...block.transactions].flatMap((each) =>
      each.type === 0x7e ? [] : [each.nonce],
    )
    expect(nonces).toEqual([0n, 1n])
  })

  test('then the deposit of the dropped L1 block is gone, too', async () => {
    const { stateRoot } = dropped[0]!.header
    expect(node.chain.account(stateRoot, RECIPIENT)?.balance).toBe(5n)
    const block = await seal()
    expect(node.chain.account(block.header.stateRoot, RECIPIENT)?.balance ?? 0n).toBe(0n)
  })

  test('then the new blocks go on to the L1 block that took its place', async () => {
    let block = await seal()
    while (l2Parent(config, block).l1Origin.number < 2n) block = await seal()
    expect(l2Parent(config, block).l1Origin.hash).toBe(l1.at(2).hash)
  })
})

describe('given a block of the sequencer that L1 gives otherwise', () => {
  let parent: Block
  let attributes: PayloadAttributes

  beforeEach(async () => {
    parent = await seal()
    await node.chain.submit(transfer(0, 0))
    const { header, transactions } = await seal()
    await seal()
    attributes = {
      ...headerAttributes(header),
      eip1559: { denominator: 50, elasticity: 6 },
      minBaseFee: 1_000_000n,
      transactions: transactions.slice(0, 1).map(({ raw }) => raw),
    }
  })

  test('when adopted, it takes the place of that and all after it, and users’ transactions wait', async () => {
    const block = await node.adopt(parent, attributes)
    expect(node.chain.latest()).toBe(block)
    expect(block?.header.parentHash).toBe(parent.hash)
    expect(block?.transactions.map(({ raw }) => raw)).toEqual(attributes.transactions)
    expect(removed.map(({ header }) => header.number)).toEqual([3n, 2n])
    expect((await seal()).transactions).toHaveLength(2)
  })

  test('when it is what stands there already, nothing changes', async () => {
    const before = node.chain.latest()
    const { transactions } = node.chain.blockByNumber(2n)!
    const all = { ...attributes, transactions: transactions.map(({ raw }) => raw) }
    expect(await node.adopt(parent, all)).toEqual(node.chain.blockByNumber(2n))
    expect(node.chain.latest()).toBe(before)
  })

  test('when a transaction may not stand in it, nothing changes', async () => {
    const before = node.chain.latest()
    const transactions = [...attributes.transactions, transfer(0, 7)]
    expect(await node.adopt(parent, { ...attributes, transactions })).toBeUndefined()
    expect(node.chain.latest()).toBe(before)
  })

  test('when its parent is gone, it is refused', async () => {
    const foreign = { ...parent, hash: `0x${'99'.repeat(32)}` as const }
    await expect(node.adopt(foreign, attributes)).rejects.toMatchObject({
      code: 'BLOCK_NOT_CANONICAL',
    })
  })
})
