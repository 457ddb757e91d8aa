import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Branch } from '#devnet/l2/node/branches/branch'
import type { Block } from '#protocol/types/block'
import { toQuantity } from '../../json/hex.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import type { Branching, CheatMethod, CheatRpc } from '../cheat-rpc.ts'

/**
 * `rollbed_branch [block?, {flashblocks?}?]` → `{id, rpcUrl, wsUrl, baseRpcUrl}`: a second chain upon this block, at URLs of its own,
 * that no other chain sees. By default it begins with the block under construction and the
 * pool as they are; so does `pending`.
 *
 * With `flashblocks: "prompt"` a flashblock comes as soon as something waits, and the branch's time runs
 * ahead to it; else with the beat ("beat"), or as on the branch that is asked.
 *
 * It has its own head, pool, time and cheats. It has no batches, proofs or deposits, and its safe and
 * final heads stand still. Its time does too while nobody asks it. It is gone when it is dropped, or
 * after ten minutes without a call.
 *
 * @throws JsonRpcError -32602, -32000
 */
export const rollbedBranch: CheatMethod = (rpc, params) => {
  const branching = branchingOf(rpc)
  const { branches, from } = branching
  const [block, options] = positional(params)
  const selector = parseOptionalStateSelector(block, 'block', 'pending')
  const { flashblocks } = parseOptions(options)
  // Also where this view shows no pre-confirmations.
  const at = selector === 'pending' ? selector : (requirePublishedBlock(rpc, selector) as Block)
  const isPrompt = flashblocks === undefined ? {} : { isPrompt: flashblocks === 'prompt' }
  return described(branching, branches.create(at, { from, ...isPrompt }))
}

/** `rollbed_dropBranch [id]` → whether it was there. */
export const rollbedDropBranch: CheatMethod = (rpc, params) => {
  const [id] = positional(params)
  if (typeof id !== 'string') throw invalidParams('id: must be a string')
  return branchingOf(rpc).branches.drop(id)
}

/** `rollbed_branches []` → all that are there, with the block that each stands on and its newest. */
export const rollbedBranches: CheatMethod = (rpc) => {
  const branching = branchingOf(rpc)
  return branching.branches.all().map((branch) => ({
    ...described(branching, branch),
    base: toQuantity(branch.base.header.number),
    latest: toQuantity(branch.chain.latest().header.number),
  }))
}

type Flashblocks = 'beat' | 'prompt'

/** @throws JsonRpcError -32602 */
function parseOptions(value: unknown): { flashblocks?: Flashblocks } {
  const options = Object(value ?? {}) as { flashblocks?: Flashblocks }
  const { flashblocks } = options
  if (flashblocks === undefined || flashblocks === 'beat' || flashblocks === 'prompt')
    return options
  throw invalidParams("flashblocks: must be 'beat' or 'prompt'")
}

function described({ urls }: Branching, { id }: Branch) {
  const { http, ws } = urls()
  const rpcUrl = `${http}/branch/${id}`
  return { id, rpcUrl, wsUrl: `${ws}/branch/${id}`, baseRpcUrl: `${rpcUrl}/base` }
}

function branchingOf({ branching }: CheatRpc): Branching {
  if (branching) return branching
  throw new JsonRpcError(-32000, 'This node makes no branches.')
}
