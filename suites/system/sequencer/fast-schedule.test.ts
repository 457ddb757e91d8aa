import { bytesToHex } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import { sleep } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { timestampMs } from '#protocol/derivation/base-time'
import { seededRng } from '#protocol/random/rng'
import type { Header } from '#protocol/types/block'
import { isDeposit } from '#protocol/types/transaction'
import { transfer } from './transfer.ts'
import { unrulyExecutor } from './unruly-executor.ts'
import { GENESIS_TIME, startVirtualNode, type VirtualNode } from './virtual-node.ts'

/** Denim with block 2: one block of 2 s, then one at 4.000 s and one every 200 ms. */
const upgrades = { azul: 'genesis', denim: 'block 2' } as const
const dueOf = (number: number) => (number < 2 ? 2_000 * number : 4_000 + 200 * (number - 2))

/** number@milliseconds since genesis at which it was sealed */
function seals({ node, clock }: VirtualNode): string[] {
  const entries: string[] = []
  node.chain.on('sealed', ({ header }) => {
    entries.push(`${header.number}@${clock.now() - GENESIS_TIME * 1000}`)
  })
  return entries
}
const onTime = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}@${dueOf(from + index)}`)

/** Whether each block bears the time of its slot, none left out. */
function expectSlots({ node: { chain } }: VirtualNode, count: number): void {
  for (let number = 0; number <= count; number++) {
    const ms = timestampMs(chain.blockByNumber(BigInt(number))!) - BigInt(GENESIS_TIME * 1000)
    expect(Number(ms), `block ${number}`).toBe(dueOf(number))
  }
}

describe('a sequencer over the boundary', () => {
  test('given an idle chain, then it seals each block at the time that it bears: 2 s, 4 s, and from there five times a second', async () => {
    const virtual = await startVirtualNode({ upgrades })
    const entries = seals(virtual)
    await virtual.clock.advance(6_000)
    expect(entries).toEqual(onTime(1, 12))
    expectSlots(virtual, 12)
    await virtual.node.stop()
  })

  test('given a standstill over the boundary, when it is over, then every slot gets its block, none is skipped, and the next is on time', async () => {
    const clock = new VirtualClock(GENESIS_TIME * 1000)
    let stands = true
    const executor = await unrulyExecutor((transaction) =>
      stands && transaction.type !== 0x7e ? sleep(clock, 5_150) : undefined,
    )
    const virtual = await startVirtualNode({ upgrades, clock, executor })
    const entries = seals(virtual)
    await virtual.node.chain.submit(transfer(0, 0))
    await clock.advance(5_300)
    expect(entries).toEqual([])
    stands = false
    await clock.advance(50)
    // 5,350 ms after genesis: blocks 1 to 8 were due, the last at 5,200 ms.
    expect(entries).toEqual(Array.from({ length: 8 }, (_, index) => `${index + 1}@5350`))
    await clock.advance(650)
    expect(entries.slice(8)).toEqual(onTime(9, 12))
    expectSlots(virtual, 12)
    await virtual.node.stop()
  })
})

describe('blocks of 200 ms', () => {
  test("given no users, then each has two deposits, whose sender's nonce goes on by two", async () => {
    const { node } = await startVirtualNode({ upgrades, manual: true })
    for (let number = 1; number <= 6; number++) await node.seal()
    const nonces = [1, 2, 3, 4].map((number) =>
      node.chain
        .blockByNumber(BigInt(number))!
        .receipts.map(({ depositNonce }) => Number(depositNonce)),
    )
    expect(nonces).toEqual([[0], [1, 2], [3, 4], [5, 6]])
    await node.stop()
  })

  test('given what only a block of 2 s could hold, when blocks have a tenth of it, then it goes with a reason, and its sender goes on', async () => {
    const { node } = await startVirtualNode({ upgrades, manual: true })
    const discarded: string[] = []
    node.chain.on('discarded', ({ transaction: { hash }, reason }) =>
      discarded.push(`${hash} ${reason.code}`),
    )
    // Random bytes do not compress: 20 kB x 0.8365 x 400 = 6.7M of DA footprint, where 6M are left.
    const data = bytesToHex(seededRng(1).bytes(20_000))
    const large = [transfer(0, 0, { gas: 6_000_001n }), transfer(1, 0, { gas: 1_000_000n, data })]
    const hashes: string[] = []
    for (const each of large) hashes.push(await node.chain.submit(each))
    for (const number of [1, 2]) {
      await node.seal()
      expect(node.chain.latest().header.number).toBe(BigInt(number))
    }
    await node.flashblock()
    expect(discarded).toEqual(hashes.map((hash) => `${hash} EXCEEDS_BLOCK_GAS_LIMIT`))
    for (const each of large) {
      await expect(node.chain.submit(each)).rejects.toThrow('exceeds block gas limit')
    }
    for (const user of [0, 1]) await node.chain.submit(transfer(user, 0))
    await node.flashblock()
    expect(node.chain.poolContent()).toEqual({ pending: [], queued: [] })
    await node.stop()
  })

  // base/base, anvil's Denim network: blocks 1 to 5 of a chain whose genesis is one of them.
  test('given Denim from genesis, then blocks 1 to 5 are at 200, 400, 600, 800 and 0 ms, with two transactions each', async () => {
    const { node } = await startVirtualNode({ upgrades: { denim: 'genesis' }, manual: true })
    for (let number = 1; number <= 5; number++) await node.seal()
    const all = [1n, 2n, 3n, 4n, 5n].map((number) => node.chain.blockByNumber(number)!)
    expect(all.map((block) => Number(timestampMs(block) % 1000n))).toEqual([200, 400, 600, 800, 0])
    for (const { transactions } of all) {
      expect(transactions).toHaveLength(2)
      expect(transactions.every(isDeposit)).toBe(true)
    }
    await node.stop()
  })

  test('given the first of them, then its header has the new gas, its own base fee is of the old, and the next one is of the new', async () => {
    const { node } = await startVirtualNode({ upgrades, manual: true })
    // 40 gas a byte that is not zero (EIP-7623). A block's target is 10 million, then 1.
    const send = async (user: number, bytes: number) => {
      const gas = BigInt(40 * bytes + 21_000)
      await node.chain.submit(transfer(user, 0, { data: `0x${'11'.repeat(bytes)}`, gas }))
      await node.flashblock()
    }
    for (const user of [0, 1, 2]) await send(user, 100_000)
    await node.seal()
    await send(3, 50_000)
    // It is built in two seconds, too, and each tenth of them may fill a tenth of it.
    for (let tenth = 2; tenth <= 10; tenth++) await node.flashblock()
    for (let number = 2; number <= 3; number++) await node.seal()
    const header = (number: bigint) => node.chain.blockByNumber(number)!.header
    const [before, first, next] = [header(1n), header(2n), header(3n)]
    expect(first.gasLimit).toBe(before.gasLimit / 10n)
    expect(next.gasLimit).toBe(first.gasLimit)
    const { denominator, elasticity } = feeParameters(before)
    expect(feeParameters(first)).toEqual({ denominator: 10n * denominator, elasticity })
    // Jovian: a version, and 4 + 4 + 8 bytes.
    expect(first.extraData).toHaveLength(2 + 2 * 17)
    expect(first.baseFeePerGas).toBe(raised(before))
    expect(next.baseFeePerGas).toBe(raised(first))
    await node.stop()
  })
})

/** u32 denominator and u32 elasticity behind the version (OP specs, Jovian). */
function feeParameters({ extraData }: Header) {
  const part = (from: number) => BigInt(`0x${extraData.slice(2 + 2 * from, 2 + 2 * (from + 4))}`)
  return { denominator: part(1), elasticity: part(5) }
}

/** EIP-1559 for a block that used more than its target, by its own parameters (OP specs, Holocene). */
function raised(parent: Header): bigint {
  const { denominator, elasticity } = feeParameters(parent)
  const target = parent.gasLimit / elasticity
  const over = parent.gasUsed - target
  expect(over).toBeGreaterThan(0n)
  return parent.baseFeePerGas + (parent.baseFeePerGas * over) / target / denominator
}
