import { bytesToHex } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import { MemoryStore } from '../trie/memory-store.ts'
import type { Alloc, AllocAccount } from '../types/account.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { readCode, readStorage } from './account-reader.ts'
import { writeAlloc } from './genesis.ts'
import { WorldState } from './world-state.ts'

const ADDRESSES: Address[] = [1, 2, 3].map((n): Address => `0x${String(n).padStart(40, '0')}`)
const SLOTS: Hash[] = [1, 2, 3].map((n): Hash => `0x${String(n).padStart(64, '0')}`)
const ZERO: Hash = `0x${'00'.repeat(32)}`

const address = fc.constantFrom(...ADDRESSES)
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('balance' as const), address, value: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('code' as const), address, value: fc.nat(2) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      address,
      slot: fc.constantFrom(...SLOTS),
      value: fc.nat(3),
    }),
  },
  fc.record({ kind: fc.constantFrom('clear' as const, 'destroy' as const), address }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('checkpoint' as const, 'commit' as const, 'revert' as const),
    }),
  },
  fc.record({ kind: fc.constantFrom('end' as const, 'flush' as const) }),
)

/** The obvious implementation: a copy of everything at each checkpoint. */
class Model {
  accounts = new Map<Address, Required<Omit<AllocAccount, 'nonce'>>>()
  readonly saved: (typeof this.accounts)[] = []

  account(address: Address) {
    const account = this.accounts.get(address) ?? { balance: 0n, code: '0x' as const, storage: {} }
    this.accounts.set(address, account)
    return account
  }

  checkpoint() {
    this.saved.push(structuredClone(this.accounts))
  }

  /** EIP-161, over all: in this test every account has been touched. */
  dropEmpty() {
    for (const [address, { balance, code }] of this.accounts) {
      if (balance === 0n && code === '0x') this.accounts.delete(address)
    }
  }

  async root(): Promise<Hash> {
    const alloc: Alloc = Object.fromEntries(this.accounts)
    return writeAlloc(new MemoryStore(), structuredClone(alloc))
  }
}

describe('WorldState', () => {
  test('given any changes, checkpoints, reverts and flushes, then it reads and commits as a model that copies everything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = new MemoryStore()
        const world = new WorldState(store, EMPTY_TRIE_ROOT)
        const model = new Model()
        for (const next of steps) {
          await apply(world, model, next, store)
          for (const address of ADDRESSES) await compare(world, model, address)
        }
        await endTransaction(world, model)
        const root = await world.flush(store)
        expect(root).toBe(await model.root())
        for (const [address, { code, storage }] of model.accounts) {
          expect(bytesToHex(readCode(store, root, address))).toBe(code)
          for (const slot of SLOTS) {
            expect(readStorage(store, root, address, slot)).toBe(storage[slot] ?? ZERO)
          }
        }
      }),
      { numRuns: 200, verbose: 1 },
    )
  })

  test('given transactions that are taken back, then it reads and commits as the model did before them', async () => {
    const steps = fc.array(
      step.filter(({ kind }) => kind !== 'flush'),
      { maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(steps, steps, fc.nat(), async (first, second, which) => {
        const store = new MemoryStore()
        const world = new WorldState(store, EMPTY_TRIE_ROOT)
        const model = new Model()
        for (const next of first) await apply(world, model, next, store)
        await endTransaction(world, model)
        // What stands in the trie goes another way than what is new.
        await world.flush(store)
        world.allowRewind()
        const ends = [structuredClone(model.accounts)]
        for (const next of second) {
          await apply(world, model, next, store)
          if (next.kind === 'end' || next.kind === 'destroy') {
            ends.push(structuredClone(model.accounts))
          }
        }
        const count = which % ends.length
        world.rewind(count)
        model.accounts = ends[count]!
        for (const address of ADDRESSES) await compare(world, model, address)
        expect(await world.flush(store)).toBe(await model.root())
      }),
      { numRuns: 200, verbose: 1 },
    )
  })

  test('given changes, then an account is named once, and the lineage is another when more has changed', async () => {
    const world = new WorldState(new MemoryStore(), EMPTY_TRIE_ROOT)
    const entry = await world.entry(ADDRESSES[0]!)
    const isNew = async (change: () => unknown) => {
      const before = world.lineage
      await change()
      return world.lineage !== before
    }
    expect(await isNew(() => world.update(entry, { balance: 1n }))).toBe(false)
    expect([...world.takeChanged()]).toEqual([entry])
    expect([...world.takeChanged()]).toEqual([])
    expect(await isNew(() => world.endTransaction())).toBe(false)
    expect(await isNew(() => world.update(entry, { balance: 0n }))).toBe(false)
    world.takeChanged()
    // EIP-161: it vanishes.
    expect(await isNew(() => world.endTransaction())).toBe(false)
    expect([...world.takeChanged()]).toEqual([entry])

    world.update(entry, { nonce: 1n })
    expect(await isNew(() => world.setSlotAtHand(entry, SLOTS[0]!, Uint8Array.of(1)))).toBe(false)
    expect(await isNew(() => world.setSlot(entry, SLOTS[0]!, Uint8Array.of(2)))).toBe(true)
    expect(await isNew(() => world.clearStorage(entry))).toBe(true)
    expect(await isNew(() => world.abandonTransaction())).toBe(true)
    expect(await isNew(() => world.abandonTransaction())).toBe(false)
  })
})

async function apply(
  world: WorldState,
  model: Model,
  next: typeof step extends fc.Arbitrary<infer T> ? T : never,
  store: MemoryStore,
): Promise<void> {
  switch (next.kind) {
    case 'balance':
      model.account(next.address).balance = BigInt(next.value)
      return world.update(await world.entry(next.address), { balance: BigInt(next.value) })
    case 'code': {
      const code = new Uint8Array(next.value).fill(next.value)
      model.account(next.address).code = bytesToHex(code)
      return world.setCode(await world.entry(next.address), code)
    }
    case 'slot': {
      // Only what has code can write storage.
      const account = model.accounts.get(next.address)
      if (!account || account.code === '0x') return
      const value: Hash = `0x${String(next.value).padStart(64, '0')}`
      account.storage[next.slot] = value
      const bytes = next.value === 0 ? new Uint8Array(0) : Uint8Array.of(next.value)
      return world.setSlot(await world.entry(next.address), next.slot, bytes)
    }
    case 'clear': {
      const account = model.accounts.get(next.address)
      if (account) account.storage = {}
      return world.clearStorage(await world.entry(next.address))
    }
    case 'destroy':
      model.accounts.delete(next.address)
      model.saved.length = 0
      world.endTransaction([next.address])
      return model.dropEmpty()
    case 'checkpoint':
      model.checkpoint()
      return world.checkpoint()
    case 'commit':
      if (model.saved.pop()) world.commit()
      return
    case 'revert': {
      const saved = model.saved.pop()
      if (!saved) return
      model.accounts = saved
      return world.revert()
    }
    case 'end':
      return endTransaction(world, model)
    case 'flush':
      await endTransaction(world, model)
      expect(await world.flush(store)).toBe(await model.root())
  }
}

async function endTransaction(world: WorldState, model: Model): Promise<void> {
  model.saved.length = 0
  model.dropEmpty()
  world.endTransaction()
}

async function compare(world: WorldState, model: Model, address: Address): Promise<void> {
  const entry = await world.entry(address)
  const account = model.accounts.get(address)
  expect(entry.exists).toBe(account !== undefined)
  expect(entry.balance).toBe(account?.balance ?? 0n)
  expect(bytesToHex(await world.code(entry))).toBe(account?.code ?? '0x')
  for (const slot of SLOTS) {
    const value = account?.storage[slot] ?? ZERO
    expect(bytesToHex(await world.slot(entry, slot))).toBe(
      BigInt(value) === 0n ? '0x' : `0x0${BigInt(value)}`,
    )
  }
}
