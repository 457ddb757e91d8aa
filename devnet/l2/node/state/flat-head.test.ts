import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import { WorldState } from '#protocol/execution/world-state'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { FlatHead } from './flat-head.ts'

const ADDRESSES = [1, 2, 3].map((n): Address => `0x${String(n).padStart(40, '0')}`)
const SLOTS = [1, 2, 3, 4].map((n): Hash => `0x${String(n).padStart(64, '0')}`)

const write = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      address: fc.constantFrom(...ADDRESSES),
      slot: fc.constantFrom(...SLOTS),
      value: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('balance' as const),
      address: fc.constantFrom(...ADDRESSES),
      value: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('clear' as const, 'destroy' as const),
      address: fc.constantFrom(...ADDRESSES),
      value: fc.constant(0),
    }),
  },
)
/** Mostly the newest state goes on; sometimes an older one, as after a reorganisation. */
const round = fc.record({
  back: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat(12)),
  flushes: fc.array(fc.array(write, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  /** What is read meanwhile: how far back, of whom, where. */
  reads: fc.array(fc.tuple(fc.nat(80), fc.nat(2), fc.nat(3)), { maxLength: 6 }),
})

describe('FlatHead', () => {
  test.each([
    { what: 'much room', maxValues: 1_000, rounds: 12, numRuns: 150 },
    { what: 'hardly any room', maxValues: 7, rounds: 12, numRuns: 100 },
    { what: 'more states than are kept', maxValues: 1_000, rounds: 90, numRuns: 10 },
  ])(
    'given any line of states and $what, when any of them is read, then as from its trie',
    async (given) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(round, { minLength: given.rounds / 2, maxLength: given.rounds }),
          async (rounds) => {
            const plain = new MemoryStore()
            const store: StateStore = {
              flat: new FlatHead(given.maxValues),
              get: (hash) => plain.get(hash),
              put: (hash, value) => plain.put(hash, value),
            }
            const roots: Hash[] = [EMPTY_TRIE_ROOT]
            for (const { back, flushes, reads } of rounds) {
              roots.length = Math.max(1, roots.length - back)
              const world = new WorldState(store, roots.at(-1)!)
              for (const writes of flushes) {
                for (const step of writes) await apply(world, step)
                world.endTransaction()
                roots.push(await world.flush(store))
                for (const [age, account, slot] of reads) {
                  expectSame(
                    store,
                    plain,
                    roots[Math.max(0, roots.length - 1 - age)]!,
                    account,
                    slot,
                  )
                }
              }
            }
            for (const root of roots) {
              for (const account of ADDRESSES.keys()) {
                for (const slot of SLOTS.keys()) expectSame(store, plain, root, account, slot)
              }
            }
          },
        ),
        { numRuns: given.numRuns, verbose: 1 },
      )
    },
  )

  test('given a slot that was written, when it is read at the head, then no trie is asked', async () => {
    const plain = new MemoryStore()
    const flat = new FlatHead()
    const writer: StateStore = { flat, get: plain.get.bind(plain), put: plain.put.bind(plain) }
    const world = new WorldState(writer, EMPTY_TRIE_ROOT)
    await apply(world, { kind: 'balance', address: ADDRESSES[0]!, value: 1 })
    const first = await world.flush(writer)
    await apply(world, { kind: 'slot', address: ADDRESSES[0]!, slot: SLOTS[0]!, value: 3 })
    const root = await world.flush(writer)
    const deaf = { flat, get: () => undefined }
    expect(BigInt(readStorage(deaf, root, ADDRESSES[0]!, SLOTS[0]!))).toBe(3n)
    expect(readAccount(deaf, root, ADDRESSES[0]!)?.balance).toBe(1n)
    // What the older state had is in its trie alone.
    expect(() => readAccount(deaf, `0x${'11'.repeat(32)}`, ADDRESSES[0]!)).toThrow()
    expect(readAccount(plain, first, ADDRESSES[0]!)?.balance).toBe(1n)
  })
})

async function apply(
  world: WorldState,
  step: typeof write extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const entry = await world.entry(step.address)
  switch (step.kind) {
    case 'slot': {
      // What has storage has a nonce, or it would be empty and vanish (EIP-161).
      world.update(entry, { nonce: 1n })
      const bytes = step.value === 0 ? new Uint8Array(0) : Uint8Array.of(step.value)
      return world.setSlot(entry, step.slot, bytes)
    }
    case 'balance':
      return world.update(entry, { balance: BigInt(step.value) })
    case 'clear':
      return world.clearStorage(entry)
    case 'destroy':
      return world.endTransaction([step.address])
  }
}

function expectSame(
  store: StateStore,
  plain: StateStore,
  root: Hash,
  account: number,
  slot: number,
): void {
  const [address, key] = [ADDRESSES[account]!, SLOTS[slot]!]
  expect(readAccount(store, root, address)).toEqual(readAccount(plain, root, address))
  expect(readStorage(store, root, address, key)).toBe(readStorage(plain, root, address, key))
}
