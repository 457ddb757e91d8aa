import type { RpcCall } from '#mocks/index'
import type { CaseContext } from '../conformance-case.ts'
import type { CallerWorld } from '../drivers/caller-world.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import { listenTo, type Spoilt } from './listen-to.ts'
import { proofRequestIn } from './proof-request-in.ts'
import {
  NO_LONGER_VALID,
  type Parity,
  STAND_IN,
  STAND_IN_PUBLIC_KEYS,
  type StandIn,
  signAgain,
} from './sign-again.ts'

/** What the caller asked the prover host, and what it was told. */
export interface AskedHost {
  method: string
  params: readonly unknown[]
  response: JsonObject
}

/** What a caller asks of its prover host, and what it is told. */
export interface HostLine {
  asked: readonly AskedHost[]
  /** What it asked `prover_prove` for, answered or not. */
  requests: readonly ProofRequestJson[]
  /** From now on the host's signatures end in this parity. */
  signWith(parity: Parity): Promise<void>
  /** The host's next proof is of a signer that L1 holds valid no more; its keys are as before. */
  loseSigner(): void
  /** Answers of the host to this method wait until `release`; `reached`: one is there. */
  hold(method: string): { reached(): boolean; release(): void }
}

export interface HostLineOptions {
  world: CallerWorld
  begin: (call: RpcCall) => void
  spoilt: () => Spoilt | undefined
}

/** Opens a line to the world's prover host, which hears what a caller asks; a client's world has none. */
export async function openHostLine(
  { clock, overhear }: CaseContext,
  { world, begin, spoilt }: HostLineOptions,
): Promise<{ url: string; line: HostLine; forget(): void; stop(): Promise<void> }> {
  const asked: AskedHost[] = []
  const requests: ProofRequestJson[] = []
  let isSignerLost = false
  let standIn: StandIn | undefined
  let held: { method: string; reached: boolean; open: Promise<void> } | undefined
  const { proverUrl } = world.description

  const answerOf = ({ method, params }: RpcCall, response: JsonObject): JsonObject => {
    if (!('result' in response)) return response
    if (standIn && method === 'enclave_signerPublicKey')
      return { ...response, result: STAND_IN_PUBLIC_KEYS }
    const { Tee } = (response.result ?? {}) as { Tee?: Parameters<typeof signAgain>[0] }
    const signer = isSignerLost ? NO_LONGER_VALID : standIn
    if (method !== 'prover_prove' || !Tee || !signer) return response
    isSignerLost = false
    const result = { Tee: signAgain(Tee, proofRequestIn(params), signer) }
    return { ...response, result }
  }

  const listen = () =>
    listenTo(proverUrl, clock, {
      begin(call) {
        begin(call)
        const { method, params = [] } = call
        if (method === 'prover_prove') requests.push(proofRequestIn(params))
      },
      spoilt,
      async hear(call, truth) {
        const response = answerOf(call, truth)
        const { method, params } = call
        asked.push({ method, params, response })
        overhear(proverUrl, { method, params }, response)
        if (method === held?.method) {
          held.reached = true
          await held.open
        }
        return response
      },
    })
  const proxy = proverUrl ? await listen() : undefined

  const line: HostLine = {
    asked,
    requests,
    async signWith(parity) {
      standIn = { imageHash: standIn?.imageHash ?? (await world.admit(STAND_IN)), parity }
    },
    loseSigner() {
      isSignerLost = true
    },
    hold(method) {
      const { promise: open, resolve } = Promise.withResolvers<void>()
      const mine = { method, reached: false, open }
      held = mine
      return {
        reached: () => mine.reached,
        release() {
          held = undefined
          resolve()
        },
      }
    },
  }
  return {
    url: proxy?.url ?? proverUrl,
    line,
    forget() {
      asked.length = 0
      requests.length = 0
    },
    stop: async () => proxy?.stop(),
  }
}
