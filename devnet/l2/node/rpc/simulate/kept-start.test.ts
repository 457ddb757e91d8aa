import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'
import { BEACON_ROOTS } from '#protocol/execution/predeploys'
import { createInlineRunners } from '../runners/create-inline-runners.ts'
import { GENESIS_TIME } from '../testing/chain-by-hand.ts'
import { FORWARDER, REVERTER, STORAGE } from '../testing/contracts.ts'
import {
  getSlot,
  OTHER,
  POOR,
  quantity,
  type SimulatedElement,
  setSlot,
} from '../testing/simulation-scene.ts'
import { alice, bob, CONFIG, createTestNode, word } from '../testing/test-node.ts'

/** A node whose calls run on an executor that counts the scratches it opens, and the same chain without. */
async function openScene() {
  let opened = 0
  const executor = await createExecutor(CONFIG)
  const counting: Executor = {
    ...executor,
    openScratch(options) {
      opened++
      return executor.openScratch(options)
    },
  }
  const node = await createTestNode()
  const { runner } = await createInlineRunners(node.chain, CONFIG, async () => counting)
  const kept = await createTestNode({ chain: node.chain, runner } as never)
  const simulate =
    (on: typeof node) =>
    (payload: object, selector: unknown = 'latest'): Promise<SimulatedElement[]> =>
      on.rpc('eth_simulateV1', payload, selector)
  return {
    node,
    kept: simulate(kept),
    /** By a node that has never simulated before. */
    async anew(payload: object) {
      const runners = await createInlineRunners(node.chain, CONFIG)
      return simulate(await createTestNode({ chain: node.chain, ...runners } as never))(payload)
    },
    opened: () => opened,
  }
}

const blocks = (...blockStateCalls: object[]) => ({ blockStateCalls })

describe('simulations one after the other upon one block', () => {
  const call = fc.constantFrom<object>(
    setSlot(1, 5),
    setSlot(1, 0),
    getSlot(1),
    { from: alice, to: bob, value: quantity(7) },
    { from: POOR, to: FORWARDER, data: word(OTHER), value: quantity(3) },
    { from: alice, data: '0x600760015560015ff3' },
    { from: alice, data: '0x600160015533ff' },
    { to: REVERTER, data: word(1) },
    { to: BEACON_ROOTS, data: word(GENESIS_TIME + 2n) },
    // Refused: the whole simulation fails.
    { from: alice, to: bob, gas: quantity(2n ** 60n) },
  )
  const overrides = fc.constantFrom<object>(
    {},
    { stateOverrides: { [STORAGE]: { state: { [word(1)]: word(9) } } } },
    { stateOverrides: { [STORAGE]: { code: '0x' } } },
    { stateOverrides: { [alice]: { balance: '0x1', nonce: '0x9' } } },
    { blockOverrides: { time: quantity(GENESIS_TIME + 1_000n) } },
    { blockOverrides: { number: '0x5' } },
  )
  const block = fc
    .tuple(fc.array(call, { maxLength: 3 }), overrides)
    .map(([calls, rest]) => ({ ...rest, calls }))

  test('given any simulations, then each answers as it would on a node that has never simulated', async () => {
    const { kept, anew } = await openScene()
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 2 }), async (list) => {
        const answer = await kept(blocks(...list)).catch(({ message }) => message)
        expect(answer).toEqual(await anew(blocks(...list)).catch(({ message }) => message))
      }),
      { numRuns: 20 },
    )
  })

  test('given the same block below, then its state is opened once; and anew for another one', async () => {
    const { node, kept, opened } = await openScene()
    for (let i = 0; i < 3; i++) await kept(blocks({ calls: [setSlot(1, i)] }))
    expect(opened()).toBe(1)
    await node.chain.mine()
    const [after] = await kept(blocks({ calls: [getSlot(1)] }))
    expect(opened()).toBe(2)
    expect(after!.number).toBe('0x2')
  })

  test('given very many simulations upon one block, then the state is opened anew now and then', async () => {
    const { kept, opened } = await openScene()
    for (let i = 0; i < 65; i++) await kept(blocks({ calls: [] }))
    expect(opened()).toBe(2)
  })
})
