import { buildWitness } from '#devnet/proving/prover/build-witness'
import type { World } from '#devnet/rollup/world/world'
import { localKey } from '#protocol/oracle/preimage-key'
import { LocalKey, type Preimage } from '#protocol/oracle/preimage-oracle'
import type { ProofRequest } from '#protocol/proof/types'
import { randomInt } from '#protocol/random/rng'

/** What a host that lies does to a whole and true witness before its enclave gets it. */
const LIES = {
  'another claim'(preimages: Preimage[]) {
    const { data } = localKey(LocalKey.claimedOutputRoot)
    return preimages.map((each) =>
      each.key.type === 'local' && isSame(each.key.data, data)
        ? { key: each.key, value: new Uint8Array(32).fill(1) }
        : each,
    )
  },
  'one value less'(preimages: Preimage[], at: number) {
    const left = hashed(preimages)[at % hashed(preimages).length]
    return preimages.filter((each) => each !== left)
  },
  'one bit turned over'(preimages: Preimage[], at: number) {
    const turned = hashed(preimages)[at % hashed(preimages).length]
    return preimages.map((each) =>
      each === turned ? { key: each.key, value: withBitTurned(each.value, at) } : each,
    )
  },
} as const satisfies Record<string, (preimages: Preimage[], at: number) => Preimage[]>

const NAMES = Object.keys(LIES) as (keyof typeof LIES)[]

/**
 * A witness that no enclave may sign by: each value of a true one is needed (it holds what the program
 * read, no more), so one that lacks a value or has another shows nothing.
 * @param request of a true claim
 */
export async function hostileWitness(
  world: World,
  request: ProofRequest,
  signal: AbortSignal,
): Promise<{ lie: string; preimages: Preimage[] }> {
  const { rollupConfig: config, clients, rng } = world
  const chainId = BigInt(config.l2ChainId)
  const { l1, l2 } = clients
  const sources = { chainId, chains: new Map([[chainId, config]]), l1, l2, signal }
  const whole = await buildWitness(request, sources)
  const lie = NAMES[randomInt(rng, NAMES.length)]!
  return { lie, preimages: LIES[lie](whole, randomInt(rng, 1_000_000)) }
}

const hashed = (preimages: Preimage[]) => preimages.filter(({ key }) => key.type === 'keccak256')

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

function withBitTurned(value: Uint8Array, at: number): Uint8Array {
  const turned = Uint8Array.from(value)
  turned[at % turned.length]! ^= 1 << (at % 8)
  return turned
}
