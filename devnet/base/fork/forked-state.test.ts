import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY } from '#protocol/crypto/keccak'
import { readAccount, readCode, readStorage } from '#protocol/execution/account-reader'
import { writeAlloc } from '#protocol/execution/genesis'
import { WorldState } from '#protocol/execution/world-state'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import { ForkCache } from './fork-cache.ts'
import { ForkedState } from './forked-state.ts'

const ADDRESSES = [1, 2, 3].map((n): Address => `0x${String(n).padStart(40, '0')}`)
const SLOTS = [1, 2, 3].map((n): Hash => `0x${String(n).padStart(64, '0')}`)

const address = fc.constantFrom(...ADDRESSES)
const slots = fc.dictionary(fc.constantFrom(...SLOTS), fc.integer({ min: 1, max: 3 }))
const account = fc.record({ balance: fc.nat(2), code: fc.nat(2), slots })
const remoteAccounts = fc.dictionary(address, account, { maxKeys: 3 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('balance' as const), address, value: fc.nat(3) }),
  fc.record({ kind: fc.constant('code' as const), address, value: fc.nat(2) }),
  fc.record({
    ...{ kind: fc.constant('slot' as const), address },
    ...{ slot: fc.constantFrom(...SLOTS), value: fc.nat(3) },
  }),
  fc.record({
    kind: fc.constantFrom('clear' as const, 'destroy' as const, 'revert' as const),
    address,
  }),
  fc.record({ kind: fc.constant('flush' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('given a state of another chain and any changes of it, when the changes lie over what is read of that chain, then accounts, code and slots are those of the same changes in the whole state', async () => {
  await fc.assert(
    fc.asyncProperty(remoteAccounts, fc.array(step, { maxLength: 30 }), async (accounts, steps) => {
      const whole = new MemoryStore()
      const root = await writeAlloc(whole, alloc(accounts))
      const fork = forkOf(whole, root)
      const inWhole = await play(new WorldState(whole, root), whole, steps)
      const inFork = await play(new WorldState(fork, EMPTY_TRIE_ROOT), fork, steps)
      // The second time also by another store without anything in memory, as after a restart.
      for (const each of [fork, freshOver(fork)]) {
        expect(await read(each, inFork)).toEqual(await read(whole, inWhole))
      }
    }),
    { numRuns: 150, verbose: 1 },
  )
})

test('given a state of a fork, when it is retained and younger ones come and go, then all of it stays readable', async () => {
  const whole = new MemoryStore()
  const root = await writeAlloc(
    whole,
    alloc({ [ADDRESSES[0]!]: { balance: 1, code: 1, slots: { [SLOTS[0]!]: 2 } } }),
  )
  const fork = new PrunedStore(forkOf(whole, root))
  const world = new WorldState(fork, EMPTY_TRIE_ROOT)
  const entry = await world.entry(ADDRESSES[0]!)
  await world.setSlot(entry, SLOTS[1]!, Uint8Array.of(7))
  const kept = await world.flush(fork)
  fork.retain(kept)
  for (let block = 0; block < 40; block++) {
    await world.setSlot(entry, SLOTS[0]!, Uint8Array.of(block + 10))
    const next = await world.flush(fork)
    fork.retain(next)
    fork.nextGeneration()
    fork.release(next)
  }
  expect(readStorage(fork, kept, ADDRESSES[0]!, SLOTS[0]!)).toMatch(/02$/)
  expect(readStorage(fork, kept, ADDRESSES[0]!, SLOTS[1]!)).toMatch(/07$/)
  expect(readCode(fork, kept, ADDRESSES[0]!)).toHaveLength(1)
})

function alloc(
  accounts: Record<string, { balance: number; code: number; slots: Record<string, number> }>,
) {
  const entries = Object.entries(accounts).map(([at, { balance, code, slots: values }]) => [
    at,
    {
      balance: BigInt(balance),
      // Only what has code has storage.
      ...(code > 0 && {
        nonce: 1n,
        code: bytesToHex(new Uint8Array(code).fill(code)),
        storage: Object.fromEntries(
          Object.entries(values).map(([slot, value]) => [slot, word(value)]),
        ),
      }),
    },
  ])
  return Object.fromEntries(entries.filter(([, each]) => !isNothing(each as object)))
}

const isNothing = (each: { balance?: bigint; code?: string }) => each.balance === 0n && !each.code

function word(value: number): Hash {
  return `0x${String(value).padStart(64, '0')}`
}

/** The fork of a chain that is here as a whole: it answers as a node would. */
function forkOf(whole: MemoryStore, root: Hash): StateStore {
  const cache = new ForkCache('')
  onTestFinished(() => cache.close())
  const remote = {
    async request(method: string, [at, second, third]: readonly unknown[]) {
      const slot = method === 'eth_getStorageAt' ? (second as Hash) : undefined
      expect(slot ? third : second).toBe('0x5')
      const { nonce = 0n, balance = 0n } = readAccount(whole, root, at as Address) ?? {}
      if (slot) return readStorage(whole, root, at as Address, slot)
      if (method === 'eth_getCode') return bytesToHex(readCode(whole, root, at as Address))
      return `0x${(method === 'eth_getBalance' ? balance : nonce).toString(16)}`
    },
  }
  return freshOver(new ForkedState(remote, cache, 5n))
}

function freshOver(below: StateStore | ForkedState): StateStore {
  const written = new MemoryStore()
  return {
    isFork: true,
    get: (hash, kind) => written.get(hash) ?? below.get(hash, kind),
    put: (hash, value) => written.put(hash, value),
    fetch: (...missed) => below.fetch!(...missed),
  }
}

/** @returns the root of the state that the steps lead to */
async function play(world: WorldState, store: StateStore, steps: readonly Step[]): Promise<Hash> {
  for (const next of steps) {
    if (next.kind === 'flush') {
      await world.flush(store)
      continue
    }
    const entry = await world.entry(next.address)
    const hasCode = bytesToHex(entry.codeHash) !== KECCAK_EMPTY
    world.checkpoint()
    if (next.kind === 'balance') world.update(entry, { balance: BigInt(next.value) })
    if (next.kind === 'code') world.setCode(entry, new Uint8Array(next.value).fill(next.value))
    if (next.kind === 'slot' && hasCode) {
      await world.setSlot(
        entry,
        next.slot,
        next.value === 0 ? new Uint8Array(0) : Uint8Array.of(next.value),
      )
    }
    if (next.kind === 'clear' || next.kind === 'revert') world.clearStorage(entry)
    if (next.kind === 'revert') world.revert()
    else world.commit()
    world.endTransaction(next.kind === 'destroy' ? [next.address] : [])
  }
  return world.flush(store)
}

async function read(store: StateStore, root: Hash): Promise<unknown> {
  const world = new WorldState(store, root)
  const all = []
  for (const each of ADDRESSES) {
    const entry = await world.entry(each)
    const { exists, nonce, balance } = entry
    const code = bytesToHex(await world.code(entry))
    const values = []
    for (const slot of SLOTS) values.push(bytesToHex(await world.slot(entry, slot)))
    all.push({ each, exists, nonce, balance, code, values })
  }
  return all
}
