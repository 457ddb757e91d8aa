import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { methodsFrom } from '#devnet/base/json-rpc/methods-from'
import { endsPreconfirmations } from '#protocol/upgrades/schedule'
import { type CheatOptions, cheatMethods } from './cheats/cheat-methods.ts'
import { overFork } from './fork/over-fork.ts'
import { KeptJson } from './json/kept-json.ts'
import { PendingLogIndex } from './logs/pending-log-index.ts'
import { METHOD_TABLE } from './method-table.ts'
import type { NodeMethod, NodeRpc } from './node-rpc.ts'
import { type ProfileValues, profileValues } from './profile-differences.ts'
import type { CallRunner } from './runners/call-runner.ts'
import { isPreconfirmed } from './selector/block-to-come.ts'
import type { ShownChainOptions } from './shown-chain.ts'
import { createSubscriptions } from './subscriptions/create-subscriptions.ts'
import type { TraceRunner } from './traces/trace-runner.ts'
import { RequestLog } from './watching/request-log.ts'
import { SubscriptionList } from './watching/subscription-list.ts'

export interface NodeMethodsOptions extends ShownChainOptions {
  /** Where calls, estimates and simulations run. */
  runner: CallRunner
  /** Where traces run. */
  tracer: TraceRunner
  /** Default: none are offered. */
  cheats?: CheatOptions
}

/**
 * The node's JSON-RPC methods over a chain, to be served by `createJsonRpcServer`.
 * @example
 * const methods = nodeMethods({ chain, config, clock, ...(await createInlineRunners(chain, config)) })
 * const port = await createJsonRpcServer({ methods, clock }).listen({ port: 0 })
 */
export function nodeMethods(options: NodeMethodsOptions): Record<string, RpcMethod> {
  const { chain, config, runner, clock } = options
  const usual = endsPreconfirmations(config.upgrades) ? 'base' : 'spec'
  const profile = profileValues(options.profile ?? usual)
  const rpc: NodeRpc = {
    chain,
    config,
    runner,
    tracer: options.tracer,
    clock,
    machine: options.machine ?? clock,
    json: new KeptJson(),
    pendingLogs: new PendingLogIndex(),
    profile: { ...profile, logsMaxRange: options.logsRange ?? profile.logsMaxRange },
    get preconfirmations() {
      return options.preconfirmations !== false && isPreconfirmed(rpc)
    },
    blockTime: options.blockTime ?? 2,
    pendingEnvLag: options.pendingEnvLag ?? 0,
    fork: options.fork,
    walletOf: (code) => options.walletOf?.(code),
  }
  const methods = methodsFrom<NodeMethod>(
    METHOD_TABLE,
    (method) => (params, context) => method(rpc, params, context),
  )
  if (!simulates(rpc.profile, options.preconfirmations ?? true)) delete methods.eth_simulateV1
  const { requests = new RequestLog(), subscriptions = new SubscriptionList() } =
    options.cheats ?? {}
  const all = { ...methods, ...createSubscriptions(rpc, subscriptions) }
  if (!options.cheats) return overFork(rpc, all)
  const cheats = cheatMethods(rpc, { ...options.cheats, requests, subscriptions })
  return requests.watch(overFork(rpc, { ...all, ...cheats }), clock)
}

/** RPC-ENV-17, OPEN-03. */
function simulates(profile: ProfileValues, preconfirmations: boolean): boolean {
  return preconfirmations || profile.simulateWithoutPreconfirmations === 'offered'
}
