import { bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { encodeHeader } from '#protocol/execution/header'
import { outputRootPreimage } from '#protocol/execution/output-root'
import { localKey } from '#protocol/oracle/preimage-key'
import {
  type Hint,
  type Preimage,
  PreimageMissing,
  type PreimageOracle,
} from '#protocol/oracle/preimage-oracle'
import { recordingOracle } from '#protocol/oracle/recording-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { orderedTrieNodes } from '#protocol/trie/ordered-trie'
import type { Hash } from '#protocol/types/bytes'
import { type Claim, localPreimages } from './claim.ts'
import type { World } from './random-world.ts'

/** A preimage and what it is for: a kind of key, and of hash-keyed values the hint they came by. */
export interface KindedPreimage extends Preimage {
  kind: string
}

/**
 * All that the program asks for while it judges a claim, true or false: an adversary's host withholds
 * nothing, so that only the enclave's own checks stand between a false claim and a signature.
 */
export async function witnessOf(world: World, claim: Claim): Promise<KindedPreimage[]> {
  const kinds = new Map<Hash, string>()
  const source = worldOracle(world, claim)
  const recorder = recordingOracle({
    ...source,
    keccak(hash, hint) {
      if (!kinds.has(hash)) kinds.set(hash, `keccak256 ${hint.type}`)
      return source.keccak(hash, hint)
    },
  })
  const chains = new Map([[BigInt(world.config.l2ChainId), world.config]])
  await runProgram(recorder, { chains }).catch(() => undefined)
  return recorder.preimages().map((preimage) => ({ ...preimage, kind: kindOf(preimage, kinds) }))
}

function kindOf({ key, value }: Preimage, kinds: Map<Hash, string>): string {
  switch (key.type) {
    case 'local':
      return `local ${key.data.at(-1)}`
    case 'keccak256':
      return kinds.get(keccak256(value)) ?? 'keccak256 without a hint'
    case 'blob':
      return value.length === 32 ? 'blob element' : 'blob proof'
    default:
      return key.type
  }
}

/** Knows the whole world, but gives a value by `peek` only once it was asked for, as a host does. */
function worldOracle(world: World, claim: Claim): PreimageOracle {
  const fetched = new Map<Hash, Uint8Array>()
  const blocks = new Map<Hash, Uint8Array>()
  for (const { header, hash, transactions } of world.blocks) {
    blocks.set(hash, encodeHeader(header))
    const preimage = outputRootPreimage({ ...header, hash })
    blocks.set(keccak256(preimage), preimage)
    const nodes = orderedTrieNodes(transactions.map(({ raw }) => raw)).nodes
    for (const [node, value] of nodes) blocks.set(node, value)
  }
  const locals = new Map(
    localPreimages(claim).map(({ key, value }) => [bytesToHex(key.data), value]),
  )
  return {
    peek: (hash) => fetched.get(hash),
    async keccak(hash: Hash, hint: Hint) {
      const value =
        blocks.get(hash) ?? world.store.get(hash) ?? (await world.l1.oracle.keccak(hash, hint))
      fetched.set(hash, value)
      return value
    },
    async local(identifier) {
      const value = locals.get(bytesToHex(localKey(identifier).data))
      if (!value) throw new PreimageMissing(`boot value ${identifier}`)
      return value
    },
    async blob(versionedHash) {
      const sidecar = world.blobs.get(versionedHash)
      if (!sidecar) throw new PreimageMissing(`blob ${versionedHash}`)
      return sidecar
    },
  }
}
