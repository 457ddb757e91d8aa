import type { RpcMethods, RpcViews } from '#devnet/base/json-rpc/json-rpc-server'
import type { Engine } from '#protocol/evm/engine'
import { createExecutor } from '#protocol/execution/create-executor'
import { branchMethods } from './branch-methods.ts'
import type { Branching } from './cheats/cheat-rpc.ts'
import { type NodeMethodsOptions, nodeMethods } from './node-methods.ts'
import { nodeViews } from './node-views.ts'
import { createInlineFirstRunner } from './runners/create-inline-first-runner.ts'
import { InlineTurns } from './runners/inline-turns.ts'
import type { CallWorkers } from './workers/call-workers.ts'
import type { WorkerCallRunner } from './workers/worker-call-runner.ts'

export interface NodeFacesOptions extends Omit<NodeMethodsOptions, 'runner' | 'tracer'> {
  /** Who runs calls that take long, and all traces: threads, or the one thread there is. */
  workers: CallWorkers
  /** Where the node makes branches: with threads alone, of which each has many chains. */
  branching?: (Branching & Pick<WorkerCallRunner, 'on'>) | undefined
  /** Gives an engine that nothing else uses. Default: a fresh one. */
  lendEngine?: (() => Engine) | undefined
  /** What a server adds to the methods of each path. */
  finish?(methods: RpcMethods): RpcMethods
}

/** What a node is asked, whoever carries it there. */
export interface NodeFaces {
  /** At `/`. */
  methods: RpcMethods
  /** At the other paths. */
  views: RpcViews
}

/**
 * The methods of a node at all its paths, whatever they are served by: `nodeMethods` over the chain,
 * with calls begun at once and handed to the workers where they take long.
 */
export async function nodeFaces(options: NodeFacesOptions): Promise<NodeFaces> {
  const { chain, config, lendEngine, workers, branching, finish = (methods) => methods } = options
  // Of the node and of all its branches.
  const here = {
    executor: await createExecutor(config, lendEngine?.()),
    turns: new InlineTurns(),
    simulator: {
      executor: await createExecutor(config, lendEngine?.()),
      turns: new InlineTurns(),
    },
  }
  const inlineFirst = createInlineFirstRunner({
    ...here,
    store: chain.store,
    blockHash: (number) => chain.blockHash(number),
    workers,
  })
  const cheats = options.cheats && { ...options.cheats, branching }
  const context = { ...options, ...(cheats && { cheats }), runner: inlineFirst, tracer: workers }
  return {
    methods: finish(nodeMethods(context)),
    views: nodeViews(
      context,
      finish,
      branching && branchMethods(context, branching, { ...here, on: branching.on }),
    ),
  }
}
