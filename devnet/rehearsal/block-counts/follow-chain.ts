import type { ChainView } from '#devnet/l2/node/chain-view'
import { callEnvironment } from '#devnet/l2/node/rpc/calls/call-environment'
import { callMessage } from '#devnet/l2/node/rpc/calls/call-message'
import { parseCallObject } from '#devnet/l2/node/rpc/calls/call-object'
import { replayOf } from '#devnet/l2/node/rpc/traces/find-replay'
import { openReplay } from '#devnet/l2/node/rpc/traces/replay'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Executor } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { Block } from '#protocol/types/block'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { BlockCountUse, MetBlockCount } from './block-count.ts'
import { NumberFollower } from './number-follower.ts'

/** Gas of all that is executed again: some minutes at most. */
const MAX_GAS = 2_000_000_000n
const CALLS = new Set(['eth_call', 'eth_estimateGas'])

type Call = Pick<LoggedRequest, 'at' | 'method' | 'params'>

/** What was found on a chain. */
export interface FollowedChain {
  uses: MetBlockCount[]
  /** Calls and blocks that were not looked at: too much gas, or a state that a cheat made. */
  missed: number
}

/**
 * Executes the blocks of a chain again, and the calls that it was asked for meanwhile, and finds where
 * contracts take counts of blocks for times.
 * @param calls oldest first
 */
export async function followChain(
  chain: ChainView,
  execution: ExecutionConfig,
  calls: readonly Call[],
): Promise<FollowedChain> {
  const executor = await createExecutor(execution)
  const uses = new Map<string, MetBlockCount>()
  const follower = new NumberFollower((use) => {
    const key = keyOf(use)
    uses.set(key, { ...use, times: (uses.get(key)?.times ?? 0) + 1 })
  })
  let missed = 0
  let gas = 0n
  let waiting = calls.filter(({ method }) => CALLS.has(method))
  const last = chain.latest().header.number
  for (let number = 0n; number <= last; number++) {
    const block = chain.blockByNumber(number)
    if (!block) continue
    follower.number = number
    if (number > 0n && block.transactions.length > 0) {
      gas += block.header.gasUsed
      const isFollowed =
        gas <= MAX_GAS && (await followBlock(chain, execution, executor, block, follower))
      if (!isFollowed) missed += 1
    }
    const next = chain.blockByNumber(number + 1n)?.header.timestamp
    const now = waiting.filter(({ at }) => next === undefined || BigInt(at) < next * 1000n)
    waiting = waiting.slice(now.length)
    follower.number = number + 1n
    for (const { params } of now) {
      if (!(await followCall(chain, executor, block, params, follower))) missed += 1
    }
  }
  return { uses: [...uses.values()], missed }
}

/** A loop meets one use a thousand times. */
function keyOf({ kind, address, pc, isCreation, cameFrom, blocks }: BlockCountUse): string {
  return [kind, address, pc, isCreation, blocks, ...cameFrom].join(' ')
}

/** @returns false where it does not follow from its parent, because a cheat changed the state */
async function followBlock(
  chain: ChainView,
  config: ExecutionConfig,
  executor: Executor,
  block: Block,
  follower: NumberFollower,
): Promise<boolean> {
  const before = chain.blockByHash(block.header.parentHash)
  if (!before) return false
  const context = { executor, store: chain.store, blockHash: (at: bigint) => chain.blockHash(at) }
  const parent = { ...before.header, stateRoot: chain.stateRootOf(before) }
  try {
    const open = await openReplay(context, replayOf(block, parent, config))
    for (const transaction of block.transactions) await open.execute(transaction, follower)
    return true
  } catch (error) {
    if (error instanceof TransactionInvalid) return false
    throw error
  }
}

/** @returns false where the call was too long to be kept, or is none */
async function followCall(
  chain: ChainView,
  executor: Executor,
  block: Block,
  params: LoggedRequest['params'],
  follower: NumberFollower,
): Promise<boolean> {
  const [call] = Array.isArray(params) ? params : []
  const stateRoot = chain.stateRootOf(block)
  const header = { ...block.header, number: block.header.number + 1n }
  const blockHash = (at: bigint) => chain.blockHash(at)
  try {
    await executor
      .openScratch({ store: chain.store, stateRoot, tracer: follower })
      .call(callMessage(parseCallObject(call, 'transaction')), {
        environment: { ...callEnvironment(header), blockHash },
        validate: false,
      })
    return true
  } catch {
    // The program has met the same error, and it is not ours to report twice.
    return false
  }
}
