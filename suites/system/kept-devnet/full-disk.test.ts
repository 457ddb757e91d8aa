import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { FaultyDisk } from '#devnet/faults/faulty-disk'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import type { Node } from '#devnet/l2/node/start-node'
import type { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import { transfer } from '../sequencer/transfer.ts'
import { GENESIS_TIME, startVirtualNode, type VirtualNode } from '../sequencer/virtual-node.ts'

let folder: string
let ends: (() => Promise<void> | void)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-full-'))
  ends = [() => rmSync(folder, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
})

/** A node on the clock, with what its chain says of the disk, oldest first. */
async function start(
  options: { disk?: FaultyDisk; isKept?: boolean } = {},
): Promise<VirtualNode & { warned: (string | undefined)[] }> {
  const { disk, isKept = true } = options
  const kept = isKept ? new KeptChain(new KeptDatabase(join(folder, 'l2.sqlite'))) : undefined
  const virtual = await startVirtualNode({ kept, disk })
  ends.push(
    () => kept?.close(),
    () => virtual.node.stop(),
  )
  const warned: (string | undefined)[] = []
  virtual.node.chain.on('waits', (reason) => warned.push(reason?.code))
  return { ...virtual, warned }
}

/** Sends one transaction every 100 ms for a while. */
async function load({ node, clock }: VirtualNode, user: number, milliseconds: number) {
  const accepted: Hash[] = []
  const refused: RollbedError[] = []
  for (let passed = 0; passed < milliseconds; passed += 100) {
    const nonce = accepted.length
    await node.chain
      .submit(transfer(user, nonce))
      .then((hash) => accepted.push(hash))
      .catch((error: RollbedError) => refused.push(error))
    await clock.advance(100)
  }
  return { accepted, refused }
}

const unsealed = ({ chain }: Node, hashes: readonly Hash[]): Hash[] =>
  hashes.filter((hash) => !('hash' in (chain.findTransaction(hash)?.block ?? {})))

/** Seconds since genesis. */
const head = ({ chain }: Node) => Number(chain.latest().header.timestamp) - GENESIS_TIME

describe.each([
  ['full', true],
  ['read_only', true],
  ['full', false],
] as const)('a disk that is %s under a chain, kept: %s', (fault, isKept) => {
  test('given load, when there is no room for a minute, then it refuses in words, changes nothing, and goes on by itself with all that it accepted', async () => {
    const disk = new FaultyDisk()
    const virtual = await start({ disk, isKept })
    const { node, clock, warned } = virtual
    const before = await load(virtual, 0, 5_000)
    const clear = await disk.effects[fault]()
    const during = await load(virtual, 1, 60_000)
    expect(warned).toEqual(['HISTORY_NOT_WRITTEN'])
    expect(new Set(during.refused.map(({ code }) => code))).toEqual(new Set(['CHAIN_WAITS']))
    expect(during.refused[0]?.message).toMatch(/^transactions are not accepted .*: Block \d+ /)
    // What was pre-confirmed stays as it was shown, and what is kept can be read.
    const pending = node.chain.pending()!
    const { number } = node.chain.latest().header
    expect(node.chain.blockByNumber(number)?.hash).toBe(node.chain.latest().hash)
    await clock.advance(10_000)
    expect(node.chain.pending()).toBe(pending)

    await clear?.()
    await clock.advance(1_000)
    expect(warned).toEqual(['HISTORY_NOT_WRITTEN', undefined])
    const held = node.chain.blockByNumber(number + 1n)!
    expect(held.header.transactionsRoot).toBe(pending.header.transactionsRoot)
    expect(held.header.stateRoot).toBe(pending.header.stateRoot)
    // Blocks that fell due meanwhile followed at once, at their times.
    await clock.advance(4_000)
    expect(head(node)).toBe(Math.floor((clock.now() / 1000 - GENESIS_TIME) / 2) * 2)
    expect(unsealed(node, [...before.accepted, ...during.accepted])).toEqual([])
    expect(during.accepted.length + during.refused.length).toBe(600)
    const after = await load(virtual, 2, 1_000)
    expect(after.refused).toEqual([])
  })
})

test('given a disk that refuses, when the chain waits, then it tries again once a second and no more', async () => {
  const disk = new FaultyDisk()
  const { node, clock } = await start({ disk })
  await clock.advance(2_000)
  const clear = await disk.effects.read_only()
  await clock.advance(3_000)
  let tries = 0
  const { store } = node.chain
  const put = store.put.bind(store)
  store.put = (hash, value) => {
    tries += 1
    put(hash, value)
  }
  await clock.advance(1_000)
  const oneTry = tries
  tries = 0
  await clock.advance(20_000)
  expect(oneTry).toBeGreaterThan(0)
  expect(tries).toBe(20 * oneTry)
  await clear?.()
})

test('given a chain that waits, when another life begins on the same file, then it goes on from what is kept', async () => {
  const disk = new FaultyDisk()
  const first = await start({ disk })
  const { accepted } = await load(first, 0, 4_000)
  await disk.effects.full()
  await load(first, 1, 20_000)
  const { hash } = first.node.chain.latest()
  for (const end of ends.splice(1).reverse()) await end()
  const again = await start()
  expect(again.node.chain.latest().hash).toBe(hash)
  const sealed = accepted.filter((each) => !unsealed(again.node, [each]).length)
  expect(sealed.length).toBeGreaterThan(10)
})

describe.each(['full', 'read_only'] as const)('a cheat on a disk that is %s', (fault) => {
  const target = `0x${'42'.repeat(20)}` as const
  const balance = ({ chain }: Node) =>
    chain.account(chain.stateRootOf(chain.latest()), target)?.balance ?? 0n

  test('then it is refused in words and has changed nothing, also for the next life', async () => {
    const disk = new FaultyDisk()
    const { node, clock, warned } = await start({ disk })
    await clock.advance(4_000)
    // No page is free that the patches could go to.
    await node.cheats.edit((state) => state.setBalance(target, 5n))
    const pending = node.chain.pending()
    const clear = await disk.effects[fault]()
    // A single row may still find room in a page that is there.
    const code = Uint8Array.from({ length: 20_000 }, (_, at) => at % 251)
    const cheat = () =>
      node.cheats.edit(async (state) => {
        await state.setCode(target, code)
        await state.setBalance(target, 7n)
      })
    await expect(cheat()).rejects.toMatchObject({ code: 'HISTORY_NOT_WRITTEN' })
    expect(balance(node)).toBe(5n)
    expect(node.chain.pending()).toBe(pending)
    const { stateRoot } = node.chain.pending()!.header
    expect(node.chain.account(stateRoot, target)?.balance).toBe(5n)
    // What the disk did not take is no reason to wait: the next block may be small enough.
    expect(warned).toEqual([])
    for (const end of ends.splice(1).reverse()) await end()
    const again = await start()
    expect(balance(again.node)).toBe(5n)
    await clear?.()
    await again.node.cheats.edit((state) => state.setBalance(target, 7n))
    for (const end of ends.splice(1).reverse()) await end()
    expect(balance((await start()).node)).toBe(7n)
  })

  test('given it goes back to a snapshot, then nothing of that is done that is not on disk', async () => {
    const disk = new FaultyDisk()
    const { node, clock } = await start({ disk })
    await clock.advance(2_000)
    await node.cheats.edit((state) => state.setBalance(target, 5n))
    const snapshot = await node.cheats.snapshot()
    await clock.advance(2_000)
    const { hash } = node.chain.latest()
    await disk.effects.read_only()
    await expect(node.cheats.revert(snapshot)).rejects.toMatchObject({
      code: 'HISTORY_NOT_WRITTEN',
    })
    expect(node.chain.latest().hash).toBe(hash)
    for (const end of ends.splice(1).reverse()) await end()
    expect((await start()).node.chain.latest().hash).toBe(hash)
  })
})

test('given a slow disk, then a block is sealed as much later', async () => {
  const disk = new FaultyDisk()
  const { node, clock } = await start({ disk })
  await disk.effects.slow({ delay: 700 })
  await clock.advance(2_699)
  expect(head(node)).toBe(0)
  await clock.advance(1)
  expect(head(node)).toBe(2)
})

/** Why no small file system can be had here; undefined: `folder` is one. */
function mountSmall(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a tmpfs'
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder])
  if (status !== 0) return String(stderr)
  ends.push(() => void spawnSync('umount', ['-l', folder]))
  return undefined
}

test('given a file system that is really full, when there is room again, then every accepted transaction has its receipt', async (context) => {
  const missing = mountSmall()
  if (missing) return context.skip(missing)
  const virtual = await start()
  const { node, clock, warned } = virtual
  const before = await load(virtual, 0, 4_000)
  const ballast = join(folder, 'ballast')
  const fill = () => {
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  }
  fill()
  const during = await load(virtual, 1, 60_000)
  expect(warned).toEqual(['HISTORY_NOT_WRITTEN'])
  expect(during.refused[0]?.message).toMatch(/disk/)
  expect(during.refused.length).toBeGreaterThan(0)
  truncateSync(ballast, 0)
  await clock.advance(5_000)
  expect(warned).toEqual(['HISTORY_NOT_WRITTEN', undefined])
  expect(unsealed(node, [...before.accepted, ...during.accepted])).toEqual([])
  expect(node.chain.latest().header.number).toBeGreaterThan(30n)
})
