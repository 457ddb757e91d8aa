import { toHex } from 'viem'
import { type ScriptedEnclave, startScriptedEnclave, startScriptedRegistry } from '#mocks/index'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { type RunningHost, startHost, using } from '../hosts/run-host.ts'
import { keccak256 } from '../spec/hash.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { HttpReply } from '../wire/http-client.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { provableRange, requestFor } from './proofs.ts'

const KEYS = ['first enclave', 'second enclave', 'third enclave'].map((name) =>
  keccak256(toHex(name)),
)

/** Runs `use` with so many scripted enclaves, which answer as those of the chain do. */
export function withEnclaves<T>(
  { profile }: Pick<CaseContext, 'profile'>,
  count: number,
  use: (enclaves: ScriptedEnclave[]) => Promise<T>,
): Promise<T> {
  const namesSchedule = profile === 'today'
  const start = (key: (typeof KEYS)[number]) => startScriptedEnclave(key, { namesSchedule })
  return using(KEYS.slice(0, count).map(start), use)
}

/** A request that a host can collect a witness for: one block. */
export async function oneBlock(t: CaseContext): Promise<ProofRequestJson> {
  const range = await t.scene(provableRange)
  return {
    ...requestFor(range),
    claimed_l2_output_root: range.roots[0]!,
    claimed_l2_block_number: range.agreedNumber + 1,
  }
}

/** Signature of the aggregate in a reply; every scripted enclave has its own. */
export function signatureIn({ body }: RpcReply): unknown {
  const result = body.result as { Tee?: { aggregate_proposal?: { signature?: unknown } } } | null
  return result?.Tee?.aggregate_proposal?.signature
}

async function healthOf(host: RunningHost): Promise<HttpReply> {
  return (await host.rpc.get('/healthz')).http
}

/** What a host with a registry said, step by step. Its second enclave alone is ever valid. */
export interface GatedHost {
  /** No signer is valid, asked twice; then the registry is down; then the second one is valid. */
  fresh: HttpReply[]
  freshProof: RpcReply
  /** Prove frames that were sent while no signer was valid. */
  framesWhileInvalid: number
  down: HttpReply
  downProof: RpcReply
  healthy: HttpReply
  /** After it was healthy: the registry is down, then no signer is valid. */
  laterDown: HttpReply
  laterInvalid: HttpReply
  laterProof: RpcReply
}

export const gatedHost: Scene<GatedHost> = {
  name: 'gated host',
  kind: 'observation',
  async build(t) {
    const request = await oneBlock(t)
    const l1 = t.targets.l1!
    return withEnclaves(t, 2, (enclaves) =>
      using([startScriptedRegistry({ l1, clock: t.clock })], async ([registry]) => {
        const endpoints = enclaves.map((enclave) => enclave.endpoint)
        const { url, address, valid } = registry!
        const host = await startHost(t, { enclaves: endpoints, l1: url, registry: address })
        const prove = () => host.rpc.call('prover_prove', [request])
        const fresh = [await healthOf(host), await healthOf(host)]
        const freshProof = await prove()
        registry!.isDown = true
        const [down, downProof] = [await healthOf(host), await prove()]
        const framesWhileInvalid = enclaves.flatMap((enclave) => enclave.proveRequests()).length
        registry!.isDown = false
        valid.add(enclaves[1]!.signer)
        const healthy = await healthOf(host)
        registry!.isDown = true
        const laterDown = await healthOf(host)
        registry!.isDown = false
        valid.clear()
        const [laterInvalid, laterProof] = [await healthOf(host), await prove()]
        host.interrupt()
        return {
          fresh,
          freshProof,
          framesWhileInvalid,
          down,
          downProof,
          healthy,
          laterDown,
          laterInvalid,
          laterProof,
        }
      }),
    )
  },
}

/** One proof request and what it caused. */
export interface RoutedProof {
  signature: unknown
  /** Prove frames of the first and second enclave. */
  frames: number[]
  /** Key requests of the first and second enclave. */
  keyRequests: number[]
  /** Calldata of the calls to the registry. */
  registryCalls: string[]
}

export interface RoutedProofs {
  /** Of the first and second enclave. */
  signatures: string[]
  signers: string[]
  bothValid: RoutedProof
  secondValid: RoutedProof
  /** The first does not answer for its key. */
  firstFails: RoutedProof
  log: string
}

export const routedProofs: Scene<RoutedProofs> = {
  name: 'routed proofs',
  kind: 'observation',
  async build(t) {
    const request = await oneBlock(t)
    const l1 = t.targets.l1!
    return withEnclaves(t, 2, (enclaves) =>
      using([startScriptedRegistry({ l1, clock: t.clock })], async ([registry]) => {
        const { url, address, valid, calls } = registry!
        const [first, second] = enclaves as [ScriptedEnclave, ScriptedEnclave]
        const endpoints = [first.endpoint, second.endpoint]
        const host = await startHost(t, { enclaves: endpoints, l1: url, registry: address })
        const prove = async (): Promise<RoutedProof> => {
          const before = { calls: calls.length, counts: enclaves.map(countsOf) }
          const signature = signatureIn(await host.rpc.call('prover_prove', [request]))
          const grown = enclaves.map((enclave, index) => {
            const [frames, keys] = countsOf(enclave)
            return [frames - before.counts[index]![0], keys - before.counts[index]![1]] as const
          })
          return {
            signature,
            frames: grown.map(([frames]) => frames),
            keyRequests: grown.map(([, keys]) => keys),
            registryCalls: calls.slice(before.calls),
          }
        }
        valid.add(first.signer).add(second.signer)
        const bothValid = await prove()
        valid.delete(first.signer)
        const secondValid = await prove()
        valid.add(first.signer)
        first.script.error = 'no key today'
        const firstFails = await prove()
        host.interrupt()
        await host.ended
        return {
          signatures: enclaves.map((enclave) => enclave.proof.signature),
          signers: enclaves.map((enclave) => enclave.signer),
          bothValid,
          secondValid,
          firstFails,
          log: host.output(),
        }
      }),
    )
  },
}

/** Prove frames and key requests so far. */
function countsOf(enclave: ScriptedEnclave): readonly [frames: number, keys: number] {
  const keys = enclave.requests.filter((payload) => payload[0] === 1)
  return [enclave.proveRequests().length, keys.length]
}
