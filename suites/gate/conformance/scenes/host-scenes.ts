import { toHex } from 'viem'
import { type ScriptedEnclave, startScriptedEnclave, startScriptedRegistry } from '#mocks/index'
import { sleep } from '#protocol/clock/clock'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { judgePatience, type RunningHost, startHost, using } from '../hosts/run-host.ts'
import { keccak256 } from '../spec/hash.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { HttpReply } from '../wire/http-client.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { type ListedEnclaves, listEnclaves } from './listed-enclaves.ts'
import { provableRange, requestFor } from './proofs.ts'

/** So often a host that is not healthy is asked whether it is. */
const LOOKS = 8
/** A proof waits so long for keys and documents that are asked for beside it; milliseconds. */
const MOST_FOR_LISTS = 500

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

/** Signatures of all other proposals in a reply. */
export function signaturesIn({ body }: RpcReply): unknown[] {
  const result = body.result as { Tee?: { proposals?: { signature?: unknown }[] } } | null
  return result?.Tee?.proposals?.map(({ signature }) => signature) ?? []
}

async function healthOf(host: RunningHost): Promise<HttpReply> {
  return (await host.rpc.get('/healthz')).http
}

/** As a load balancer does that waits for it. */
async function lookAgain(host: RunningHost): Promise<HttpReply[]> {
  const looks: HttpReply[] = []
  while (looks.length < LOOKS) looks.push(await healthOf(host))
  return looks
}

/** What a host with a registry said, step by step. Its second enclave alone is ever valid. */
export interface GatedHost {
  /** No signer is valid, asked again and again; then the registry is down; then the second one is valid, and the first tells no key. */
  fresh: HttpReply[]
  freshProof: RpcReply
  /** Prove frames that were sent while no signer was valid. */
  framesWhileInvalid: number
  down: HttpReply[]
  downProof: RpcReply
  healthy: HttpReply
  /** What the method healthz said while it was not healthy, and when it was. */
  methodFresh: RpcReply
  methodHealthy: RpcReply
  /** After it was healthy: the registry is down, then no signer is valid, then no enclave tells its key. */
  laterDown: HttpReply
  laterInvalid: HttpReply
  laterSilent: HttpReply
  laterProof: RpcReply
  /** Proofs that were asked for meanwhile, each where no signer can be known to be valid; by what was so. */
  refused: ReadonlyMap<string, RpcReply>
}

/** Milliseconds that a slow registry takes, far less than a host has to wait for it. */
const SLOW = 2_000

/** What an enclave says that tells no key. */
const NO_KEY = 'no key today'

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
        const fresh = await lookAgain(host)
        const methodFresh = await host.rpc.call('healthz')
        const freshProof = await prove()
        registry!.isDown = true
        const [down, downProof] = [await lookAgain(host), await prove()]
        const framesWhileInvalid = enclaves.flatMap((enclave) => enclave.proveRequests()).length
        registry!.isDown = false
        const refused = new Map<string, RpcReply>()
        Object.assign(registry!, { reverts: true })
        refused.set('the registry reverts', await prove())
        Object.assign(registry!, { reverts: false, takes: SLOW })
        refused.set('the registry is slow, and says no', await prove())
        Object.assign(registry!, { takes: 0 })
        enclaves[0]!.script.error = NO_KEY
        refused.set('one enclave tells no key, and the other is not valid', await prove())
        valid.add(enclaves[1]!.signer)
        const healthy = await healthOf(host)
        const methodHealthy = await host.rpc.call('healthz')
        registry!.isDown = true
        const laterDown = await healthOf(host)
        refused.set('the registry fails that said yes a moment ago', await prove())
        registry!.isDown = false
        valid.clear()
        delete enclaves[0]!.script.error
        const [laterInvalid, laterProof] = [await healthOf(host), await prove()]
        for (const { script } of enclaves) script.error = NO_KEY
        const laterSilent = await healthOf(host)
        refused.set('no enclave tells a key', await prove())
        judgePatience(host)
        host.interrupt()
        return {
          fresh,
          freshProof,
          framesWhileInvalid,
          down,
          downProof,
          healthy,
          methodFresh,
          methodHealthy,
          laterDown,
          laterInvalid,
          laterProof,
          laterSilent,
          refused,
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
  publicKeys: Uint8Array[]
  /** The first does not answer for its key; it does in the proofs that follow. */
  firstFails: RoutedProof
  /** The second does not answer for its key, until the first proves. */
  bothValid: RoutedProof
  secondValid: RoutedProof
  /** Two requests at once, while both are valid. */
  atOnce: { replies: RpcReply[]; keyRequests: number; registryCalls: number }
  /** Both are valid, and the registry takes its time to say so. */
  slowRegistry: RoutedProof
  /** Keys and documents before, while and after these proofs were made. */
  listed: ListedEnclaves[]
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
        const asked: Promise<ListedEnclaves>[] = []
        const list = (when: string) => {
          const answer = listEnclaves(host, enclaves, when)
          // It is awaited further down; what is thrown before that says more.
          answer.catch(() => {})
          asked.push(answer)
          return answer
        }
        const prove = async (whileProving?: string): Promise<RoutedProof> => {
          const before = { calls: calls.length, counts: enclaves.map(countsOf) }
          let atProof: ReturnType<typeof countsOf>[] | undefined
          for (const { script } of enclaves)
            script.onProve = async () => {
              atProof ??= enclaves.map(countsOf)
              for (const each of enclaves) delete each.script.error
              if (!whileProving) return
              // A host that takes one request after the other answers when the proof is there.
              await Promise.race([list(whileProving), sleep(t.clock, MOST_FOR_LISTS, t.signal)])
            }
          const signature = signatureIn(await host.rpc.call('prover_prove', [request]))
          const frames = enclaves.map((enclave) => countsOf(enclave)[0])
          const keys = (atProof ?? enclaves.map(countsOf)).map(([, count]) => count)
          return {
            signature,
            frames: frames.map((count, index) => count - before.counts[index]![0]),
            keyRequests: keys.map((count, index) => count - before.counts[index]![1]),
            registryCalls: calls.slice(before.calls),
          }
        }
        valid.add(first.signer).add(second.signer)
        await list('before any proof')
        first.script.error = NO_KEY
        const firstFails = await prove()
        await list('after a proof of the second, while the first had failed')
        second.script.error = 'no key for nobody'
        const bothValid = await prove('while the first proves')
        await list('after a proof of the first')
        valid.delete(first.signer)
        const secondValid = await prove('while the second proves')
        await list('after a proof of the second')
        const listed = await Promise.all(asked)
        valid.add(first.signer)
        const atOnce = await proveAtOnce(() => host.rpc.call('prover_prove', [request]), {
          first,
          calls,
        })
        judgePatience(host)
        registry!.takes = SLOW
        const slowRegistry = await prove()
        host.interrupt()
        await host.ended
        return {
          slowRegistry,
          signatures: enclaves.map((enclave) => enclave.proof.signature),
          signers: enclaves.map((enclave) => enclave.signer),
          publicKeys: enclaves.map((enclave) => enclave.publicKey),
          firstFails,
          bothValid,
          secondValid,
          atOnce,
          listed,
          log: host.output(),
        }
      }),
    )
  },
}

async function proveAtOnce(
  prove: () => Promise<RpcReply>,
  { first, calls }: { first: ScriptedEnclave; calls: readonly string[] },
): Promise<RoutedProofs['atOnce']> {
  delete first.script.onProve
  const [keys, asked] = [countsOf(first)[1], calls.length]
  const replies = await Promise.all([prove(), prove()])
  return {
    replies,
    keyRequests: countsOf(first)[1] - keys,
    registryCalls: calls.length - asked,
  }
}

/** Prove frames and key requests so far. */
function countsOf(enclave: ScriptedEnclave): readonly [frames: number, keys: number] {
  const keys = enclave.requests.filter((payload) => payload[0] === 1)
  return [enclave.proveRequests().length, keys.length]
}
