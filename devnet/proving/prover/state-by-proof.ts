import { isHex, numberToHex } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256, keccak256Hex } from '#protocol/crypto/keccak'
import type { Hash } from '#protocol/types/bytes'
import type { StatePlace } from '#protocol/types/state'
import { keyBelow } from './key-below.ts'
import { pathTo } from './path-to.ts'

/** The nodes of one eth_getProof, root first. */
interface Proof {
  account: Uint8Array[]
  slot: Uint8Array[]
}

/**
 * State at a block by eth_getProof and eth_getCode (EIP-1186), for a node that does not give values
 * by their hash. What the blocks of a range read and nobody of them wrote is in the state under
 * their first: this one block serves them all.
 *
 * A branch that loses its last child but one folds into that child, which is on no proof of what was
 * deleted. Its place in the trie is known; a key that leads there is found by trying.
 */
export function stateByProof(l2: RpcClient, block: bigint) {
  const at = numberToHex(block)

  async function proof({ address, slot }: StatePlace, signal?: AbortSignal): Promise<Proof> {
    const answer = await l2.request('eth_getProof', [address, slot ? [slot] : [], at], signal)
    const { accountProof, storageProof } = Object(answer)
    const [first] = Array.isArray(storageProof) ? storageProof : []
    return { account: bytesOf(accountProof), slot: bytesOf(Object(first).proof) }
  }

  async function nodes(hash: Hash, place: StatePlace, signal?: AbortSignal): Promise<Uint8Array[]> {
    const { account, slot } = await proof(place, signal)
    const found = [...account, ...slot]
    if (found.some((node) => keccak256Hex(node) === hash)) return found
    const key = keccak256(hexToBytes(place.slot ?? place.address))
    const path = pathTo(hash, place.slot ? slot : account, key)
    const beside = path && (await keyBelow(path, { size: place.slot ? 32 : 20 }))
    if (!beside) return found
    const there = place.slot ? { ...place, slot: beside } : { address: beside }
    const sibling = await proof(there, signal)
    return [...found, ...sibling.account, ...sibling.slot]
  }

  return {
    /** Trie nodes on the way to an account or slot, the one with this hash among them if it is there. */
    nodes,
    /** The code of an account. */
    async code({ address }: StatePlace, signal?: AbortSignal): Promise<Uint8Array[]> {
      return bytesOf([await l2.request('eth_getCode', [address, at], signal)])
    },
  }
}

function bytesOf(list: unknown): Uint8Array[] {
  return Array.isArray(list) ? list.filter((item) => isHex(item)).map((hex) => hexToBytes(hex)) : []
}
