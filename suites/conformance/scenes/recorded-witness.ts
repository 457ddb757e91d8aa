import { keccak256, toHex } from 'viem'
import { startScriptedEnclave } from '../../../mocks/index.ts'
import { cannotJudge } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { startHost, using } from '../hosts/run-host.ts'
import { type PreimagePair, readPairs } from '../spec/enclave-messages.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import { provableRange, requestFor } from './proofs.ts'
import type { Scene } from './scene-store.ts'

const KEY = keccak256(toHex('recording enclave'))

/** What a host sent to its enclave for one proof request. */
export interface Recording {
  request: ProofRequestJson
  /** Payloads of the Prove frames; one is right (PIPE-06). */
  payloads: Uint8Array[]
}

/** Starts a host before an enclave that only records, and asks it for a proof. */
export async function recordProve(t: CaseContext): Promise<Recording> {
  const request = requestFor(await t.scene(provableRange))
  return using([startScriptedEnclave(KEY)], async ([enclave]) => {
    const host = await startHost(t, { enclaves: [enclave!.endpoint] })
    await host.rpc.call('prover_prove', [request])
    host.interrupt()
    return { request, payloads: enclave!.proveRequests() }
  })
}

/** Key/value pairs with which an enclave can prove three blocks of the chain. */
export const recordedWitness: Scene<{ request: ProofRequestJson; pairs: PreimagePair[] }> = {
  name: 'recorded witness',
  kind: 'fact',
  async build(t) {
    const { request, payloads } = await recordProve(t)
    if (payloads.length !== 1) cannotJudge('The host sent no witness that could be recorded.')
    return { request, pairs: readPairs(payloads[0]!) }
  },
}
