import { startRequestCounter } from '#mocks/index'
import { cannotJudge } from '../case-failure.ts'
import type { Scene } from '../conformance-case.ts'
import { startHost, using } from '../hosts/run-host.ts'
import { type PreimagePair, readPairs } from '../spec/enclave-messages.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { withEnclaves } from './host-scenes.ts'
import { provableRange, requestFor } from './proofs.ts'

/** What a host without a registry did for a proof, in front of an enclave that only records. */
export interface RecordedProof {
  request: ProofRequestJson
  reply: RpcReply
  /** Signature of what the enclave answered. */
  signature: string
  /** L1 and L2 block number of each proposal that it answered. */
  numbers: readonly number[]
  /** Payloads of the Prove frames; one is right (PIPE-06). */
  payloads: Uint8Array[]
  /** HTTP requests that reached L1 and L2. */
  requests: { L1: number; L2: number }
  /** Whether the L1 beacon API was asked for blobs. */
  asksForBlobs: boolean
  /** Whether L2 was asked for debug_executePayload (HOST-CFG-19). */
  asksForPayloadWitness: boolean
  /** The reply to the request before, which the enclave answered with the error `SAYS_NO`. */
  refused: RpcReply
}

/** Long, in two lines, with a colon, capitals and letters of more than one byte: nothing of it may be lost. */
export const SAYS_NO = `Rollbed says: no — ${'Nein, non, いいえ; '.repeat(20)}\nand that is all`

/** More than one piece of a frame holds (LIM-07), and more than the range has: they are passed on as they are. */
export const PROPOSALS = 300

export const recordedProof: Scene<RecordedProof> = {
  name: 'recorded proof',
  kind: 'observation',
  async build(t) {
    const request = requestFor(await t.scene(provableRange))
    const { l1, rpc, l1Beacon } = t.targets
    const counters = [l1!, rpc!, l1Beacon!].map((target) =>
      startRequestCounter({ target, clock: t.clock }),
    )
    return using(counters, ([ofL1, ofL2, ofBeacon]) =>
      withEnclaves(t, 1, async ([enclave]) => {
        const enclaves = [enclave!.endpoint]
        const upstreams = { l1: ofL1!.url, l2: ofL2!.url, l1Beacon: ofBeacon!.url }
        const host = await startHost(t, { enclaves, ...upstreams })
        enclave!.script.proveError = SAYS_NO
        const refused = await host.rpc.call('prover_prove', [request])
        delete enclave!.script.proveError
        enclave!.script.proposals = PROPOSALS
        const before = enclave!.proveRequests().length
        const reply = await host.rpc.call('prover_prove', [request])
        const requests = { L1: ofL1!.requests(), L2: ofL2!.requests() }
        const asksForPayloadWitness = ofL2!.asked('debug_executePayload')
        const asksForBlobs = ofBeacon!.looked(/\/blob(s|_sidecars)\//)
        const payloads = enclave!.proveRequests().slice(before)
        host.interrupt()
        const { signature, l1Number, l2Number } = enclave!.proof
        return {
          numbers: [Number(l1Number), Number(l2Number)],
          request,
          reply,
          signature,
          payloads,
          requests,
          asksForBlobs,
          asksForPayloadWitness,
          refused,
        }
      }),
    )
  },
}

/** Key/value pairs with which an enclave can prove three blocks of the chain. */
export const recordedWitness: Scene<{ request: ProofRequestJson; pairs: PreimagePair[] }> = {
  name: 'recorded witness',
  kind: 'fact',
  async build(t) {
    const { request, payloads } = await t.scene(recordedProof)
    if (payloads.length !== 1) cannotJudge('The host sent no witness that could be recorded.')
    return { request, pairs: readPairs(payloads[0]!) }
  },
}
