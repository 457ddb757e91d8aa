import { bigIntMax } from '@ethereumjs/util'
import { predeploys } from '#fixtures/chain/constants'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { withoutLeadingZeros } from '#protocol/bytes/without-leading-zeros'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY } from '#protocol/crypto/keccak'
import { BEACON_ROOTS, HISTORY_STORAGE } from '#protocol/execution/predeploys'
import { WorldState } from '#protocol/execution/world-state'
import type { Alloc, AllocAccount } from '#protocol/types/account'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'

/**
 * Predeploys that people hold value in, or that others were made by: what the forked chain has there stays.
 * The others belong to the L1 that a chain stands on, and this one stands on another.
 */
const KEPT: ReadonlySet<Address> = new Set([
  predeploys.weth9,
  predeploys.optimismMintableERC20Factory,
  predeploys.optimismMintableERC721Factory,
])
const OWN: ReadonlySet<Address> = new Set([
  ...Object.values(predeploys).filter((address) => !KEPT.has(address)),
  // Every block writes slots of theirs that nobody has read: each would be a question to the other chain.
  BEACON_ROOTS,
  HISTORY_STORAGE,
])

/**
 * Lays what every devnet begins with over the state of a forked chain. The predeploys that belong to L1
 * are this devnet's; other contracts of the alloc are put only where the forked chain has none. Funded
 * accounts keep their nonce; code is taken from them, for the keys are public and on known chains others
 * have delegated them (EIP-7702). Returns the state root.
 *
 * @throws ForkError
 */
export async function writeForkAlloc(store: StateStore, alloc: Alloc): Promise<Hash> {
  const accounts = Object.entries(alloc).map(
    ([address, account]) => [address.toLowerCase() as Address, account] as const,
  )
  await Promise.all(
    accounts.map(([address]) => (store.get(address) ? undefined : store.fetch?.(address, 'node'))),
  )
  const world = new WorldState(store, EMPTY_TRIE_ROOT)
  for (const [address, account] of accounts) await lay(world, address, account)
  return world.flush(store)
}

async function lay(world: WorldState, address: Address, account: AllocAccount): Promise<void> {
  const { code, storage = {}, balance, nonce = 0n } = account
  const entry = await world.entry(address)
  const hasCode = bytesToHex(entry.codeHash) !== KECCAK_EMPTY
  if (code && hasCode && !OWN.has(address)) return
  world.update(entry, {
    balance: balance ?? entry.balance,
    nonce: bigIntMax(entry.nonce, nonce),
  })
  if (!code && !hasCode) return
  world.clearStorage(entry)
  world.setCode(entry, hexToBytes(code ?? '0x'))
  for (const [slot, value] of Object.entries(storage) as [Hash, Hash][]) {
    await world.setSlot(entry, slot, withoutLeadingZeros(hexToBytes(value)))
  }
}
