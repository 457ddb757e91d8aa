import type { Logger } from 'pino'
import type { Clock } from '../../../enclave-sim/clock/clock.ts'
import { createExecutor } from '../../../enclave-sim/execution/create-executor.ts'
import type { ExecutionConfig } from '../../../enclave-sim/execution/types.ts'
import type { Profile } from '../../config.ts'
import { createJsonRpcServer } from '../../json-rpc/create-json-rpc-server.ts'
import type { ChainView } from '../chain-view.ts'
import { createInlineCallRunner } from './calls/inline-call-runner.ts'
import { nodeMethods } from './create-node-rpc.ts'

export interface NodeRpcOptions {
  chain: ChainView
  config: ExecutionConfig
  clock: Clock
  /** Default 127.0.0.1. */
  host?: string
  /** 0 picks a free one. */
  port: number
  profile?: Profile
  preconfirmations?: boolean
  blockTime?: number
  pendingEnvLag?: number
  logger?: Pick<Logger, 'error'>
}

export interface RunningNodeRpc {
  url: string
  wsUrl: string
  port: number
  stop(): Promise<void>
}

/**
 * Serves the node's RPC over HTTP and WebSocket on one port.
 * @throws RollbedError PORT_BUSY
 */
export async function startNodeRpc(options: NodeRpcOptions): Promise<RunningNodeRpc> {
  const { chain, config, host = '127.0.0.1', logger } = options
  const runner = createInlineCallRunner({
    executor: await createExecutor(config),
    store: chain.store,
    blockHash: async (number) => chain.blockByNumber(number)?.hash,
  })
  const server = createJsonRpcServer({
    methods: nodeMethods({ ...options, runner }),
    clock: options.clock,
    service: 'L2 node',
    webSocket: true,
    onInternalError: (error, method) => logger?.error({ err: error, method }, 'RPC method failed'),
  })
  const port = await server.listen({ host, port: options.port })
  return {
    url: `http://${host}:${port}`,
    wsUrl: `ws://${host}:${port}`,
    port,
    stop: () => server.close(),
  }
}
