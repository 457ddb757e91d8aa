import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { EnclaveClient } from '#devnet/proving/prover/enclave-client'
import type { Clock } from '#protocol/clock/clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Rng } from '#protocol/random/rng'

/**
 * The whole rollup, to be loaded, faulted and watched: either simulated in this thread, or what
 * `rollbed up` starts. Plans, loads and checkers know no more of it than this.
 */
export interface World extends AsyncDisposable {
  readonly kind: 'simulated' | 'real'
  /** Virtual in a simulated world: it moves only in `runUntil`. */
  readonly clock: Clock
  /** For loads: seeded by the world's seed, and nobody else's. */
  readonly rng: Rng
  readonly facts: WorldFacts
  /** What the L2 chain is derived by. */
  readonly rollupConfig: RollupConfig
  readonly clients: WorldClients
  /** What every part did. Its times begin with the world's start: by `recorder.now()` a moment is held to them. */
  readonly recorder: EventRecorder
  /** Everything that can be faulted here is registered with it. */
  readonly faults: FaultEngine
  /** Milliseconds since the world was ready. */
  now(): number
  /** Lets the world live until `now()` is this many milliseconds. Returns at once when it is later. */
  runUntil(time: number): Promise<void>
  /** Ends everything. Idempotent. */
  stop(): Promise<void>
}

export type WorldFacts = Pick<
  DevnetDescription,
  'chainId' | 'l1ChainId' | 'accounts' | 'contracts' | 'enclaves' | 'attestationRoot' | 'seed'
>

/** The ways in, over the links `client-l2`, `client-l1`, `actor-rollup`, `actor-host` and `client-api`. */
export interface WorldClients {
  readonly l2: RpcClient
  readonly l1: RpcClient
  readonly rollup: RpcClient
  readonly host: RpcClient
  /** A request to the builder-code API. Rejects where no answer comes. */
  api(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>
  /** A WebSocket to the L2 node, over the link `subscriber`. */
  subscriber(events: SubscriberEvents): Promise<Subscriber>
  /** @throws RollbedError TARGET_UNKNOWN */
  enclave(cid: number): EnclaveClient
}

export interface ApiRequest {
  method: string
  path: string
  body?: string
  headers?: Readonly<Record<string, string>>
}

export interface ApiAnswer {
  status: number
  body: string
}

/** One connection on which the node may speak unasked. */
export interface Subscriber {
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /** Stops reading, or goes on: what comes meanwhile waits on its way. */
  pause(): void
  resume(): void
  close(): void
}

export interface SubscriberEvents {
  /** `params` of an eth_subscription message. */
  notification(params: unknown): void
  closed(reason: string): void
}
