import type { Mistake } from '#mocks/callers/make-mistake'
import type { LaunchEnclave } from '#mocks/enclave/enclave-boot'
import type { EnclaveAnswer, WireHabits } from '#mocks/enclave/serve-enclave'
import type { LaunchHost } from '#mocks/host/host-process'
import type { Clock } from '#protocol/clock/clock'
import type { AttributionCodec } from './attribution-codec.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface RpcCall extends JsonObject {
  method: string
  params: readonly unknown[]
}

/** An implementation that breaks exactly one rule, put together from a working one and a change. */
export interface Mutant {
  /** `area.what-is-broken`, permanent. */
  id: string
  /** The rule of fixtures/rules/rules.yaml that it breaks. */
  rule: string
  /** Area of the conformance cases that must notice. */
  area: string
  /** Which target it stands in for; `attribution` is the client library that writes suffixes. */
  target:
    | 'rpc'
    | 'rpcTestnet'
    | 'rpcPlain'
    | 'ws'
    | 'api'
    | 'prover'
    | 'l1'
    | 'attribution'
    | 'enclave'
    | 'host'
    | 'enclaveCommand'
    | 'localEnclaveCommand'
    | 'proposer'
    | 'challenger'
    | 'registrar'
    | 'client'
  /** What it does wrong, in a few words. */
  says: string
  /** Made from a list of members; any case may notice it. */
  isGenerated?: true
  /** Public issues and pull requests, `owner/name#number`, of real nodes that had this bug. */
  seenIn?: readonly string[]
  /** Tells `noteChange` each time that it makes its mistake. */
  tellsChange?: true
  /** Fresh hooks for one proxy, so that they may keep state. */
  apply(context: MutantContext): MutantHooks
}

/** Makes mutants of one area that stand in for one target; their ids are `area.name`. */
export const mutantsOf =
  (area: string, target: Mutant['target']) =>
  (rule: string, name: string, says: string, apply: Mutant['apply']): Mutant => ({
    id: `${area}.${name}`,
    rule,
    area,
    target,
    says,
    apply,
  })

/** Names where a real node had the bug: `owner/name#number` of issues or pull requests. */
export const seenIn = (places: readonly string[], mutant: Mutant): Mutant => ({
  ...mutant,
  seenIn: places,
})

export interface MutantContext {
  clock: Clock
  /** Asks the real target; gives the result, or null on an error. */
  ask(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Requests under way at the proxy. */
  underWay?(): number
  /** Told each time that something other than the target's own answer goes out. */
  noteChange?(): void
}

/** Where a mutant may meddle. Everything else passes unchanged. */
export interface MutantHooks {
  /**
   * A JSON-RPC call on its way in; an object with `reply` answers without asking the target. `socket` is
   * one and the same for all that comes and goes by a WebSocket connection, absent over HTTP.
   */
  call?(call: RpcCall, socket?: object): RpcCall | { reply: JsonObject }
  /** A JSON-RPC response on its way out. */
  response?(response: JsonObject, call: RpcCall): JsonObject | Promise<JsonObject>
  /** A whole HTTP exchange, for what is not JSON-RPC; `forward` asks the target. */
  http?(request: HttpExchange, forward: Forward): Promise<HttpAnswer>
  /** A WebSocket message to the client: what to send instead, null to drop it. */
  message?(message: JsonObject, socket: object): SentMessage | null
  /** The text of a WebSocket message of a client, before all else: null to leave it without an answer. */
  text?(text: string, socket: object): string | null
  /** A WebSocket connection is gone. */
  left?(socket: object): void
  /** An enclave on its wire; `answer` gets the real one's. */
  enclave?: { habits?: WireHabits; answer?: (forward: EnclaveAnswer) => EnclaveAnswer }
  /** How a prover host is started. */
  host?(launch: LaunchHost): LaunchHost
  /** How an enclave is started. */
  boot?(launch: LaunchEnclave): LaunchEnclave
  /** What is wrong in the source of a caller. */
  mistake?: Mistake
  /** The codec of builder codes that runs in this process. */
  attribution?(real: AttributionCodec): AttributionCodec
}

export interface SentMessage {
  message: JsonObject
  /** Milliseconds. */
  delay: number
  /** How often it is sent; once by default. */
  times?: number
}

export interface HttpExchange {
  method: string
  /** Path and query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Bytes of the body that came with its first piece; absent where nobody counted. */
  firstPiece?: number
  /** Whether it came in chunks, its length not told before. */
  isChunked?: boolean
}

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export type Forward = (request: HttpExchange) => Promise<HttpAnswer>
