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
  const other = (hash: Hex) => keccak256(hash)
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
      const truth = (await caller.rollup.result(method, [number])) as OfOutput
      const hash = other(truth.blockRef.hash)
      return {
        result: {
          ...truth,
          outputRoot: other(truth.outputRoot),
          blockRef: { ...truth.blockRef, hash },
        },
      }
    },
  })
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
