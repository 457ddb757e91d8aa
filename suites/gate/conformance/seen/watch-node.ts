import { type Clock, sleep } from '#protocol/clock/clock'
import { CaseFailure, CaseSetAside } from '../case-failure.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

/** Predeploy that each block of an OP chain writes first (OP spec, "L1 attributes predeployed contract"). */
export const L1_BLOCK = '0x4200000000000000000000000000000000000015'
/** `hash()`: the L1 origin of the block. */
export const ORIGIN_CALL = { to: L1_BLOCK, data: '0x09bd5a60' }
/** The slot that it is in. */
export const ORIGIN_SLOT = `0x${'2'.padStart(64, '0')}`
export const PENDING_LOGS = { fromBlock: 'pending', toBlock: 'pending' }

/** Milliseconds between two rounds. */
const PAUSE = 5

const ROUND: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ['eth_getBlockByNumber', ['pending', false]],
  ['eth_getLogs', [PENDING_LOGS]],
  ['eth_call', [ORIGIN_CALL, 'pending']],
  ['eth_getStorageAt', [L1_BLOCK, ORIGIN_SLOT, 'pending']],
  ['eth_simulateV1', [{ blockStateCalls: [{ calls: [ORIGIN_CALL] }] }, 'pending']],
  ['eth_getBlockByNumber', ['pending', true]],
  ['eth_getBlockByNumber', ['finalized', false]],
  ['eth_getBlockByNumber', ['safe', false]],
  ['eth_getBlockByNumber', ['latest', false]],
]

export interface Watch {
  /** Ends once it has lasted long enough. */
  end(): Promise<void>
}

/**
 * Polls a node by every selector and method at pending, one question after the other, until it is ended.
 * The answers are judged with all others of the run.
 *
 * @param options `atLeast` milliseconds that it lasts
 */
export function watchNode(options: {
  rpc: JsonRpcClient
  clock: Clock
  signal: AbortSignal
  atLeast: number
}): Watch {
  const { rpc, clock, signal, atLeast } = options
  const until = clock.now() + atLeast
  let isEnding = false
  const watched = (async () => {
    while (!isEnding || clock.now() < until) {
      for (const [method, params] of ROUND) await rpc.call(method, params)
      await sleep(clock, PAUSE, signal)
    }
  })().catch((error: unknown) => {
    // A node that breaks off, or limits requests: the cases tell of that.
    if (error instanceof CaseFailure || error instanceof CaseSetAside || signal.aborted) return
    throw error
  })
  return {
    async end() {
      isEnding = true
      await watched
    },
  }
}
