import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { Branch } from '../branches/branch.ts'
import type { Branching } from './cheats/cheat-rpc.ts'
import { inUse } from './in-use.ts'
import { type NodeMethodsOptions, nodeMethods } from './node-methods.ts'
import {
  createInlineFirstRunner,
  type InlineFirstOptions,
} from './runners/create-inline-first-runner.ts'
import type { WorkerCallRunner } from './workers/worker-call-runner.ts'

/** Who runs the calls of all branches: short ones here, one after another, others in threads. */
interface BranchRunners
  extends Pick<WorkerCallRunner, 'on'>,
    Required<Pick<InlineFirstOptions, 'executor' | 'turns' | 'simulator'>> {}

/**
 * The methods of a node, asked of its branches. They are made when a branch is asked first, and a
 * branch is open and awake as long as somebody asks it or has a connection to it.
 */
export function branchMethods(
  options: NodeMethodsOptions,
  branching: Branching,
  runners: BranchRunners,
): (
  id: string,
  view: string,
  manner: Pick<NodeMethodsOptions, 'profile' | 'preconfirmations'>,
) => RpcMethods | undefined {
  const { branches } = branching
  const made = new WeakMap<
    Branch,
    { common: Partial<NodeMethodsOptions>; views: Map<string, RpcMethods> }
  >()
  return (id, view, manner) => {
    const branch = branches.get(id)
    if (!branch) return undefined
    const known = made.get(branch) ?? {
      common: ofBranch(branch, options, branching, runners),
      views: new Map<string, RpcMethods>(),
    }
    made.set(branch, known)
    const methods =
      known.views.get(view) ??
      inUse(branches, id, nodeMethods({ ...options, ...known.common, ...manner }))
    known.views.set(view, methods)
    return methods
  }
}

/** What a branch has of its own. */
function ofBranch(
  from: Branch,
  { config, cheats }: NodeMethodsOptions,
  branching: Branching,
  runners: BranchRunners,
): Partial<NodeMethodsOptions> {
  const { chain } = from
  const { executor, turns, simulator } = runners
  const access = accessTo(from, config)
  const onThreads = runners.on(access)
  return {
    chain,
    runner: createInlineFirstRunner({ ...access, executor, turns, simulator, workers: onThreads }),
    tracer: onThreads,
    ...(cheats && {
      cheats: {
        ...cheats,
        control: from.cheats,
        time: undefined,
        accounts: cheats.accounts.withoutImpersonation(),
        branching: { ...branching, from },
      },
    }),
  }
}

const accessTo = ({ chain, store }: Branch, config: ExecutionConfig) => ({
  config,
  store,
  blockHash: (number: bigint) => chain.blockHash(number),
})
