import { isHex, numberToHex } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { HeaderReader } from '#devnet/l1/raw-header'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { decodeHeader } from '#protocol/execution/header'
import type { Hash } from '#protocol/types/bytes'
import type { StatePlace } from '#protocol/types/state'
import { witnessPreimages } from './payload-witness.ts'
import { stateByProof } from './state-by-proof.ts'

/** A trie node or code, by its hash, and where in the state it was missed. */
export interface WantedState {
  hash: Hash
  kind: 'node' | 'code'
  place: StatePlace | undefined
}

/** Values, the wanted one among them. @throws StateUnavailable */
export type L2State = (wanted: WantedState, signal?: AbortSignal) => Promise<Uint8Array[]>

type Way = (wanted: WantedState, signal?: AbortSignal) => Promise<Uint8Array[]>

/**
 * Reads L2 state in whatever way a node has, best first: debug_dbGet for the value alone,
 * debug_executionWitness for all under a block, eth_getProof and eth_getCode. A way that the node
 * does not know is not tried again.
 *
 * @param options.agreed the block before the range
 * @param options.head the newest block that was executed
 * @throws StateUnavailable where no way brings the value; its methods do
 */
export function l2State(options: {
  l2: RpcClient
  readHeader: HeaderReader
  agreed: Hash
  head(): Hash
}): L2State {
  const { l2, readHeader, agreed, head } = options
  const numberOf = async (hash: Hash, signal?: AbortSignal) =>
    decodeHeader(await readHeader(hash, signal)).number

  let asked: Hash | undefined
  const byWitness: Way = async (_, signal) => {
    if (head() === asked) return []
    asked = head()
    const child = numberToHex((await numberOf(asked, signal)) + 1n)
    return witnessPreimages(await l2.request('debug_executionWitness', [child], signal))
  }

  let proofs: ReturnType<typeof stateByProof> | undefined
  const byProof: Way = async ({ hash, kind, place }, signal) => {
    if (!place) return []
    proofs ??= stateByProof(l2, await numberOf(agreed, signal))
    return kind === 'code' ? proofs.code(place, signal) : proofs.nodes(hash, place, signal)
  }

  let ways: Way[] = [databaseValue(l2), byWitness, byProof]
  return async (wanted, signal) => {
    let refusal: RpcRefused | undefined
    for (const way of ways) {
      try {
        const values = await way(wanted, signal)
        if (values.some((value) => keccak256Hex(value) === wanted.hash)) return values
      } catch (error) {
        if (!(error instanceof RpcRefused)) throw error
        if (error.methodUnknown) ways = ways.filter((other) => other !== way)
        refusal = error
      }
    }
    throw new StateUnavailable(wanted, refusal)
  }
}

function databaseValue(l2: RpcClient): Way {
  return async ({ hash, kind }, signal) => {
    // Geth's schema stores code under 'c' ‖ hash; others under the hash alone.
    const keys = kind === 'code' ? [`0x63${hash.slice(2)}`, hash] : [hash]
    let refusal: unknown
    for (const key of keys) {
      try {
        const value = await l2.request('debug_dbGet', [key], signal)
        if (isHex(value) && keccak256Hex(hexToBytes(value)) === hash) return [hexToBytes(value)]
      } catch (error) {
        if (!(error instanceof RpcRefused) || error.methodUnknown) throw error
        refusal = error
      }
    }
    if (refusal) throw refusal
    return []
  }
}

/** No way to a piece of state: the program cannot go on. */
export class StateUnavailable extends RollbedError {
  constructor({ hash, kind, place }: WantedState, cause?: RpcRefused) {
    const of = place ? ` of ${place.address}${place.slot ? `, slot ${place.slot}` : ''}` : ''
    const why = cause ? `: ${cause.message}` : ''
    super('STATE_UNAVAILABLE', `The L2 node does not give the ${kind} ${hash}${of}${why}`, {
      cause,
      hint: 'It must serve debug_dbGet, debug_executionWitness, or eth_getProof and eth_getCode, for the block before the range.',
    })
  }
}
