import { createMPT } from '@ethereumjs/mpt'
import { encode } from '@ethereumjs/rlp'
import { bigIntToUnpaddedBytes, bytesToHex, hexToBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { AnvilAccount } from './reference-anvil.ts'

/**
 * The root an Ethereum state with these values has. anvil's own root is another one: its trie keeps
 * empty accounts and zero slots.
 */
export async function canonicalRoot(accounts: Record<Address, AnvilAccount>): Promise<Hash> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const [address, account] of Object.entries(accounts) as [Address, AnvilAccount][]) {
    const balance = BigInt(account.balance)
    if (account.nonce === 0 && balance === 0n && account.code === '0x') continue
    const value = encode([
      bigIntToUnpaddedBytes(BigInt(account.nonce)),
      bigIntToUnpaddedBytes(balance),
      await storageRoot(account.storage),
      hexToBytes(keccak256(account.code)),
    ])
    await trie.put(hexToBytes(address), value)
  }
  return bytesToHex(trie.root())
}

async function storageRoot(storage: Record<Hex, Hex>): Promise<Uint8Array> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const [slot, value] of Object.entries(storage) as [Hex, Hex][]) {
    if (BigInt(value) === 0n) continue
    const key = hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`)
    await trie.put(key, encode(bigIntToUnpaddedBytes(BigInt(value))))
  }
  return trie.root()
}
