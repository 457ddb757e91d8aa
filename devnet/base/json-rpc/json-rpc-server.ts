import type { Clock } from '#protocol/clock/clock'
import type { Health } from '../process/supervisor.ts'
import type { AccessOptions } from './guard-access.ts'

/** Params as they came: positional, by name, or absent. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>> | undefined

export interface RpcContext {
  /** Aborted when the caller goes away. */
  signal: AbortSignal
  /** Present on WebSocket connections only; sends one eth_subscription notification. */
  connection?: RpcConnection
}

export interface RpcConnection {
  notify(method: string, params: unknown): void
  /** Closes it, and says why. */
  cutOff?(reason: string): void
  /** Runs when the socket closes. */
  onClose(action: () => void): void
}

/** Throws or rejects with JsonRpcError for what the caller shall see; anything else is -32603. */
export type RpcMethod = (params: RpcParams, context: RpcContext) => unknown

export type RpcMethods = Readonly<Record<string, RpcMethod>>

/** What a server answers at paths beside `/`. */
export interface RpcViews {
  /**
   * Asked at each call, so that views may come and go.
   * @param path such as `/base`, without a query or a slash at its end
   */
  at(path: string): RpcMethods | undefined
  /** For the answer at any other path. */
  readonly paths: readonly string[]
}

export interface JsonRpcServerOptions {
  /** At `/`. */
  methods: RpcMethods
  /** Default: nothing beside `/`. */
  views?: RpcViews | undefined
  clock: Clock
  /** What a busy port is wanted for, in the error's words. */
  service?: string
  /** Who may call beside this machine; default nobody. */
  access?: AccessOptions | undefined
  /** Told of each request over HTTP, and of each WebSocket that is opened. */
  onCaller?: (() => void) | undefined
  /** Served at GET /healthz; default: not there. */
  health?: (() => Health) | undefined
  /** Accept WebSocket upgrades on the same port. */
  webSocket?: boolean
  /** Milliseconds that calls in flight get to finish once the server closes. Default 5000. */
  closeGrace?: number
  /** Bytes; larger bodies get 413 and -32007. Default 15 MB (OPEN-01); on a WebSocket 4 MB at most. */
  maxBodyBytes?: number
  /** Calls in a batch; more get -32010. Default 1000. */
  maxBatch?: number
  /** Characters; longer answers become -32008. Default 160 MB, as reth. */
  maxResponse?: number
  /** Characters of all answers of a batch together; beyond, it is given up with -32008. Default 25 MB, as geth. */
  maxBatchResponse?: number
  /** Milliseconds after which no member of a batch is begun any more. Default 30,000. */
  maxBatchTime?: number
  /** Bytes that may wait for all callers; beyond, who reads least is cut off. Default 176 MB: the longest answer and room; 64 MB where it is not one caller's. */
  maxUnsentInAll?: number
  /** Bytes of requests that have not come whole, of all callers; beyond, who has sent most gets -32005 or 1013. Default 64 MB. */
  maxUnfinishedInAll?: number
  /** Bytes that may wait for one WebSocket client before it is closed as too slow. Default 16 MB. */
  maxUnsentBytes?: number
  /** GET paths that answer with a method's result: 200 and the bare result, 500 and the bare error. */
  getProxies?: Readonly<Record<string, string>>
  /** Hears of exceptions in methods; callers only see -32603. */
  onInternalError?: (error: unknown, method: string) => void
}

/** Hears what it is told, text by text. */
export interface InProcessPeer {
  onMessage(text: string): void
  /** The server closed, or nothing is served at the path any more. */
  onClose(): void
}

export interface InProcessConnection {
  send(text: string): void
  /** Nothing is told any more, not even that. */
  close(): void
}

/**
 * Connects a caller of the same process, as over a WebSocket.
 * @param path such as `/base`
 */
export type ConnectInProcess = (path: string, peer: InProcessPeer) => InProcessConnection

export interface JsonRpcServer {
  connect: ConnectInProcess
  /** @returns the bound port; port 0 picks a free one. @throws PortBusy */
  listen(options: { host?: string; port: number }): Promise<number>
  /** Stops accepting, waits for calls in flight, closes sockets. Idempotent. */
  close(): Promise<void>
}
