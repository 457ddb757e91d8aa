import type { Logger } from 'pino'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { AccessOptions } from '#devnet/base/json-rpc/guard-access'
import type { ConnectInProcess } from '#devnet/base/json-rpc/json-rpc-server'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { urlOf } from '#devnet/base/process/url-of'
import { type Need, needParts } from '#devnet/base/supervisor/need-parts'
import type { Branches } from '../branches/branches.ts'
import type { CheatOptions } from './cheats/cheat-methods.ts'
import { nodeFaces } from './node-faces.ts'
import type { ShownChainOptions } from './shown-chain.ts'
import { createWorkerCallRunner, type WorkerCallRunner } from './workers/worker-call-runner.ts'

export interface StartNodeRpcOptions extends ShownChainOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** 0 picks a free one. */
  port: number
  /** Who may call beside this machine; default nobody. */
  access?: AccessOptions | undefined
  /** Chains upon blocks of this one, each at a path of its own; where cheats are offered. */
  branches?: Branches
  /** The chain may be cheated by RPC, and the node signs for dev accounts. */
  cheats?: CheatOptions
  /** Worker threads for calls, simulations, estimates and traces; see createWorkerCallRunner. */
  callThreads?: number
  /** One starts before anybody needs it, once a caller comes after a while; default true. */
  warmsUp?: boolean
  /** Milliseconds one of these may run, 5,000 by default. */
  callTimeLimit?: number
  /** Knows whether the devnet around the node is well. */
  supervisor?: Supervisor | undefined
  logger?: Pick<Logger, 'error'>
}

/**
 * Milliseconds after which the first caller starts a worker thread: not while a devnet is starting. Of one
 * that nobody asks anything the thread would be a sixth of the memory.
 */
const WARM_UP_DELAY = 3_000

/** A transaction that L1 never hears of is not accepted. */
const NEEDS: readonly Need[] = [{ methods: /^eth_send/, allOf: ['L1'] }]

export interface RunningNodeRpc {
  url: string
  wsUrl: string
  port: number
  /** For callers of this process. */
  connect: ConnectInProcess
  /** The threads of calls, for faults. */
  callThreads: Pick<WorkerCallRunner, 'kill' | 'hang'>
  stop(): Promise<void>
}

/**
 * Serves the node's RPC over HTTP and WebSocket on one port: at `/` as told, at the paths of `nodeViews`
 * as these say.
 * @throws RollbedError PORT_BUSY
 */
export async function startNodeRpc(options: StartNodeRpcOptions): Promise<RunningNodeRpc> {
  const { chain, config, host = '127.0.0.1', callThreads, callTimeLimit, logger } = options
  const { machine = options.clock } = options
  const runner = createWorkerCallRunner({
    config,
    clock: machine,
    store: chain.store,
    blockHash: (number) => chain.blockHash(number),
    ...(callThreads !== undefined && { threads: callThreads }),
    ...(callTimeLimit !== undefined && { timeLimit: callTimeLimit }),
  })
  const { supervisor } = options
  const health = supervisor && (() => supervisor.health())
  let { port } = options
  const urls = () => ({ http: urlOf(host, port), ws: urlOf(host, port, 'ws') })
  /** What the next caller sets off. */
  let awaited: (() => void) | undefined
  const { branches } = options
  const faces = await nodeFaces({
    ...options,
    workers: runner,
    branching: branches && { branches, urls, on: runner.on },
    finish: (methods) => (supervisor ? needParts(methods, NEEDS, supervisor) : methods),
  })
  const server = createJsonRpcServer({
    ...faces,
    health,
    clock: machine,
    service: options.preconfirmations === false ? 'endpoint without pre-confirmations' : 'L2 node',
    webSocket: true,
    access: options.access,
    onCaller: () => awaited?.(),
    onInternalError: (error, method) => logger?.error({ err: error, method }, 'RPC method failed'),
  })
  port = await server.listen({ host, port: options.port })
  const { warmsUp = true } = options
  const warmUp = machine.after(WARM_UP_DELAY, () => {
    if (!warmsUp) return
    awaited = () => {
      awaited = undefined
      runner.warm()
    }
  })
  return {
    url: urls().http,
    wsUrl: urls().ws,
    port,
    connect: server.connect,
    callThreads: runner,
    async stop() {
      warmUp.cancel()
      awaited = undefined
      // First, because the server waits for the calls that run.
      await runner.stop()
      await server.close()
    },
  }
}
