import { hexToBytes } from '@ethereumjs/util'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { localKey } from '#protocol/oracle/preimage-key'
import { LocalKey, type Preimage } from '#protocol/oracle/preimage-oracle'
import type { Address, Hash } from '#protocol/types/bytes'
import type { World } from './random-world.ts'

/** What an enclave is asked to sign: the boot values of the program (PIPE-09..14). */
export interface Claim {
  l1Head: Hash
  /** undefined: none is said. */
  l1HeadNumber: bigint | undefined
  agreedRoot: Hash
  claimedRoot: Hash
  claimedNumber: bigint
  chainId: bigint
  proposer: Address
  interval: bigint
}

/** That block `to` follows from block `from`, which holds. */
export function honestClaim(world: World, from: number, to: number): Claim {
  const head = world.l1.head()
  return {
    l1Head: head.hash,
    l1HeadNumber: head.number,
    agreedRoot: world.rootOf(from),
    claimedRoot: world.rootOf(to),
    claimedNumber: BigInt(to),
    chainId: BigInt(world.config.l2ChainId),
    proposer: roleKeys.proposer.address,
    interval: 1n,
  }
}

/**
 * Whether a claim about a world holds, by what the world was built from. It says nothing of how
 * derivation comes to that.
 */
export function holds(world: World, claim: Claim): boolean {
  const { blocks, includedIn, l1, config } = world
  const roots = blocks.map((_, number) => world.rootOf(number))
  const from = roots.indexOf(claim.agreedRoot)
  const to = Number(claim.claimedNumber)
  const head = Array.from({ length: Number(l1.head().number) + 1 }, (_, n) => l1.at(n)).find(
    ({ hash }) => hash === claim.l1Head,
  )
  if (from < 0 || !head || claim.chainId !== BigInt(config.l2ChainId)) return false
  const named = claim.l1HeadNumber === undefined || claim.l1HeadNumber === head.number
  const reached = to < blocks.length && includedIn[to]! <= Number(head.number)
  return named && to > from && reached && claim.claimedRoot === roots[to]
}

export function localPreimages(claim: Claim): Preimage[] {
  const values: [number, Uint8Array][] = [
    [LocalKey.l1Head, hexToBytes(claim.l1Head)],
    [LocalKey.agreedOutputRoot, hexToBytes(claim.agreedRoot)],
    [LocalKey.claimedOutputRoot, hexToBytes(claim.claimedRoot)],
    [LocalKey.claimedL2Block, u64(claim.claimedNumber)],
    [LocalKey.chainId, u64(claim.chainId)],
    [LocalKey.proposer, hexToBytes(claim.proposer)],
    [LocalKey.intermediateBlockInterval, u64(claim.interval)],
  ]
  if (claim.l1HeadNumber !== undefined) {
    values.push([LocalKey.l1HeadNumber, u64(claim.l1HeadNumber)])
  }
  return values.map(([identifier, value]) => ({ key: localKey(identifier), value }))
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
