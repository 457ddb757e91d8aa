import fc from 'fast-check'
import { concat, type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import { encodeDeposit } from '#protocol/transaction/encode-deposit'
import type { Hash } from '#protocol/types/bytes'
import { nodeMethods } from '../node-methods.ts'
import { createInlineRunners } from '../runners/create-inline-runners.ts'
import { FORWARDER, INVALID, LOGGER, REVERTER, STORAGE } from '../testing/contracts.ts'
import { ALICE, BOB, bob, CONFIG, createTestNode, word } from '../testing/test-node.ts'
import { KeptReplays } from './kept-replays.ts'
import { traceBlock } from './trace-block.ts'

const NEW: Hex = `0x${'77'.repeat(20)}`
const OPTIONS = [
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
]
const store = (slot: number, value: number): Hex => concat([word(slot), word(value)])
/** Init code that stores at slot 1, then destroys what it creates (EIP-6780), and one that deploys STOP. */
const CREATED_AND_GONE = '0x600160015533ff'
const CREATED = '0x600760015560015ff3'

/** Two blocks with all that a transaction can do to a state, traced anew and on kept replays. */
async function openScene(replays = new KeptReplays()) {
  const node = await createTestNode()
  const { chain, sign } = node
  const deposit = (index: number, gas: bigint) =>
    encodeDeposit({
      sourceHash: word(index),
      from: NEW,
      to: LOGGER,
      mint: 10n,
      value: 3n,
      gas,
      isSystemTransaction: false,
      data: Uint8Array.from(Buffer.from(concat([word(1), word(2), word(3)]).slice(2), 'hex')),
    })
  const authorization = await BOB.signAuthorization({
    chainId: Number(CONFIG.chainId),
    address: STORAGE,
    nonce: 0,
  })
  const hashes: Hash[] = []
  const mine = async (number: number) => {
    const raws = [
      deposit(number, 100_000n),
      await sign({ to: STORAGE, data: store(1, 10 + number) }),
      await sign({ to: STORAGE, data: store(1, 20 + number) }),
      await sign({ to: LOGGER, data: concat([word(1), word(2), word(3)]) }),
      await sign({ data: CREATED_AND_GONE, gas: 200_000n }),
      await sign({ data: CREATED, value: 3n, gas: 200_000n }),
      await sign({ to: REVERTER, data: word(1) }),
      await sign({ to: INVALID }),
      await sign({ to: `0x${number}${'8'.repeat(39)}`, value: 0n }),
      await sign({ to: FORWARDER, data: word(`0x${number}${'9'.repeat(39)}`), value: 5n }),
      ...(number === 1
        ? [
            await sign({
              type: 'eip7702',
              to: bob,
              data: store(4, 4),
              authorizationList: [authorization],
            } as never),
          ]
        : [await sign({ to: bob, data: store(4, 5) })]),
      await sign({ to: STORAGE, data: store(1, 0) }),
      await sign({ to: ALICE.address, value: 1n }),
    ]
    hashes.push(...raws.map((raw) => keccak256(raw)))
    await chain.mine(...raws)
  }
  await mine(1)
  await mine(2)

  let executions = 0
  const executor = counting(await createExecutor(CONFIG), () => executions++)
  const context = { executor, store: chain.store, blockHash: chain.blockHash.bind(chain) }
  const kept = nodeMethods({
    chain,
    config: CONFIG,
    ...(await createInlineRunners(chain, CONFIG).then((runners) => ({
      ...runners,
      tracer: {
        ...runners.tracer,
        traceBlock: (request, signal) => traceBlock({ ...context, replays }, request, signal),
      } satisfies typeof runners.tracer,
    }))),
    clock: new VirtualClock(),
  })
  return {
    hashes,
    chain,
    node,
    anew: (hash: Hash, options: object) => node.rpc('debug_traceTransaction', hash, options),
    kept: (hash: Hash, options: object, signal = new AbortController().signal) =>
      kept.debug_traceTransaction!([hash, options], { signal }),
    executed: () => executions,
  }
}

/** Tells of each transaction that is executed. */
function counting(executor: Executor, note: () => void): Executor {
  const openBlock: Executor['openBlock'] = async (options) => {
    const block = await executor.openBlock(options)
    const execute: OpenBlock['execute'] = (...transaction) => {
      note()
      return block.execute(...transaction)
    }
    return new Proxy(block, {
      get: (target, name) => {
        if (name === 'execute') return execute
        const member = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  return { ...executor, openBlock }
}

describe('a block that was executed again for a trace', () => {
  test('given transactions of two blocks in any order, when they are traced, then each trace is that of a block from its beginning', async () => {
    const { hashes, anew, kept } = await openScene()
    const expected = new Map<Hash, unknown[]>()
    for (const hash of hashes) {
      expected.set(hash, await Promise.all(OPTIONS.map((options) => anew(hash, options))))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(hashes.length - 1), option: fc.nat(1) }), {
          maxLength: 30,
        }),
        async (asked) => {
          for (const { at, option } of asked) {
            const hash = hashes[at]!
            const trace = await kept(hash, OPTIONS[option]!)
            expect(trace, `transaction ${at}`).toEqual(expected.get(hash)![option])
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  test('given the transactions of a block one after the other, when they are traced, then each is executed once', async () => {
    const { hashes, kept, executed } = await openScene()
    const first = hashes.slice(0, hashes.length / 2)
    for (const hash of first) await kept(hash, {})
    expect(executed()).toBe(first.length)
  })

  test('given an earlier transaction, when it is traced after a later one, then nothing before it is executed', async () => {
    const { hashes, kept, executed } = await openScene()
    await kept(hashes[9]!, {})
    const before = executed()
    await kept(hashes[3]!, {})
    expect(executed()).toBe(before + 1)
  })

  test('given blocks with more gas than is kept, when the one used first is traced again, then it is executed from its beginning', async () => {
    const { hashes, kept, executed } = await openScene(new KeptReplays(150_000n))
    const [inFirst, inSecond] = [hashes[3]!, hashes[hashes.length / 2 + 3]!]
    for (const hash of [inFirst, inSecond]) await kept(hash, {})
    expect(executed()).toBe(8)
    await kept(inSecond, {})
    expect(executed()).toBe(9)
    await kept(inFirst, {})
    expect(executed()).toBe(13)
  })

  test('given a trace that was given up half-way, when the next one is asked for, then it is right', async () => {
    const { hashes, anew, kept } = await openScene()
    await kept(hashes[2]!, {})
    await expect(kept(hashes[4]!, {}, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(await kept(hashes[4]!, OPTIONS[0]!)).toEqual(await anew(hashes[4]!, OPTIONS[0]!))
  })

  test('given a block in whose place another one comes, when that is traced, then its own transactions are executed', async () => {
    const { hashes, chain, node, anew, kept } = await openScene()
    await kept(hashes.at(-1)!, {})
    await chain.reorg(1)
    const raws = [
      await node.sign({ to: STORAGE, data: store(1, 71), nonce: 1 }, BOB),
      await node.sign({ to: STORAGE, data: store(1, 72), nonce: 2 }, BOB),
    ]
    await chain.mine(...raws)
    const hash = keccak256(raws[1]!)
    expect(await kept(hash, OPTIONS[0]!)).toEqual(await anew(hash, OPTIONS[0]!))
  })
})
