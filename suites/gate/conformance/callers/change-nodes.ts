import { isHex, numberToHex } from 'viem'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import type { WatchedCaller } from './watched-caller.ts'

const NO_SUCH_BLOCK = { error: { code: -32000, message: 'block not found' } }

/** From now on its L2 node and its rollup node have no block above this one. @returns what ends that */
export function keepBehind(caller: WatchedCaller, block: number): () => void {
  const head = numberToHex(block)
  const newest = async (full: unknown) => ({
    result: await caller.l2.result('eth_getBlockByNumber', [head, full ?? false]),
  })
  return caller.answerFor({
    l2: async ({ method, params: [selector, full] }) => {
      if (method === 'eth_blockNumber') return { result: head }
      if (method !== 'eth_getBlockByNumber' || selector === 'earliest') return undefined
      if (!isHex(selector)) return await newest(full)
      return Number(selector) > block ? { result: null } : undefined
    },
    rollup: async ({ method, params: [number] }) =>
      method === 'optimism_outputAtBlock' && Number(number) > block ? NO_SUCH_BLOCK : undefined,
  })
}

/** From now on no block after genesis is final on its L2 node. @returns what ends that */
export function keepUnfinal(caller: WatchedCaller): () => void {
  return caller.answerFor({
    l2: async ({ method, params: [selector, full] }) =>
      method === 'eth_getBlockByNumber' && selector === 'finalized'
        ? { result: await caller.l2.result(method, ['earliest', full ?? false]) }
        : undefined,
  })
}

/** From now on its L2 node and its rollup node have another block at this height. @returns what ends that */
export function putOnOtherBranch(caller: WatchedCaller, block: number): () => void {
  const number = numberToHex(block)
  return caller.answerFor({
    l2: async ({ method, params: [selector, full] }) => {
      if (method !== 'eth_getBlockByNumber' || Number(selector) !== block) return undefined
      const truth = (await caller.l2.result(method, [number, full ?? false])) as OfBlock
      return {
        result: { ...truth, hash: other(truth.hash), stateRoot: other(truth.stateRoot) },
      }
    },
    rollup: async ({ method, params: [selector] }) => {
      if (method !== 'optimism_outputAtBlock' || Number(selector) !== block) return undefined
      return { result: await otherOutput(caller, block) }
    },
  })
}

const other = (hash: Hex) => keccak256(hash)

const outputAt = async (caller: WatchedCaller, block: number) =>
  (await caller.rollup.result('optimism_outputAtBlock', [numberToHex(block)])) as OfOutput

/** The output of another block at this height. */
async function otherOutput(caller: WatchedCaller, block: number) {
  const truth = await outputAt(caller, block)
  return {
    ...truth,
    outputRoot: other(truth.outputRoot),
    blockRef: { ...truth.blockRef, hash: other(truth.blockRef.hash) },
  }
}

interface OfStatus {
  [head: string]: { number: number }
}

interface OfBlock {
  hash: Hex
  stateRoot: Hex
}

interface OfOutput {
  outputRoot: Hex
  blockRef: { hash: Hex }
}

/** From now on its rollup node does not tell the output root of this block. @returns what ends that */
export function leaveOutRoot(caller: WatchedCaller, block: number): () => void {
  return caller.answerFor({
    rollup: async ({ method, params: [number] }) =>
      method === 'optimism_outputAtBlock' && Number(number) === block ? NO_SUCH_BLOCK : undefined,
  })
}

/**
 * From now on its rollup node and its L2 node say that the block before this one is the newest safe one, as a node
 * does that derives its chain anew, and do not tell the root of this one.
 * @returns `replace`, by which there is another block at its height; what ends all of that
 */
export function takeSafeHeadBack(
  caller: WatchedCaller,
  block: number,
): { replace(): void; comeBack(): void } {
  const parent = block - 1
  let isReplaced = false
  const comeBack = caller.answerFor({
    l2: async ({ method, params: [selector, full] }) => {
      const isSafe = ['safe', 'finalized'].includes(String(selector))
      if (method !== 'eth_getBlockByNumber' || !isSafe) return undefined
      return { result: await caller.l2.result(method, [numberToHex(parent), full ?? false]) }
    },
    rollup: async ({ method, params: [selector] }) => {
      if (method === 'optimism_syncStatus') return { result: await statusUpTo(caller, parent) }
      if (method !== 'optimism_outputAtBlock' || Number(selector) !== block) return undefined
      return isReplaced ? { result: await otherOutput(caller, block) } : NO_SUCH_BLOCK
    },
  })
  return {
    replace() {
      isReplaced = true
    },
    comeBack,
  }
}

/** What the rollup node says of its heads, none of which L1 has being above this block. */
async function statusUpTo(caller: WatchedCaller, block: number) {
  const status = (await caller.rollup.result('optimism_syncStatus', [])) as OfStatus
  const { blockRef } = await outputAt(caller, block)
  const heads = Object.entries(status).map(([name, head]) => {
    const isOfL1 = /safe_l2$|^finalized_l2$/.test(name) && name !== 'unsafe_l2'
    return [name, isOfL1 && head.number > block ? blockRef : head]
  })
  return Object.fromEntries(heads)
}

/** How much later, in milliseconds. */
const LATER = 500

/** From now on its rollup node answers for this block before it does for those below. @returns what ends that */
export function answerLastFirst(caller: WatchedCaller, block: number): () => void {
  return caller.answerFor({
    rollup: async ({ method, params: [number] }) => {
      if (method === 'optimism_outputAtBlock' && Number(number) < block)
        await caller.untilOver(LATER)
      return undefined
    },
  })
}
