import type { ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { CallerWorld } from '../drivers/caller-world.ts'
import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import type { CallerProcess } from './caller-process.ts'
import type { gameAbi } from './game-abi.ts'
import type { HostLine } from './host-line.ts'
import type { L1Line } from './l1-line.ts'
import type { Spoilt } from './listen-to.ts'
import type { NodeLines } from './node-lines.ts'

/** A caller at work in its world, and what it does there: over its lines to host, L1 and nodes. */
export interface WatchedCaller extends CallerProcess, HostLine, L1Line, NodeLines {
  world: CallerWorld
  /** Its chain is that of today. */
  isToday: boolean
  rollup: JsonRpcClient
  l1: JsonRpcClient
  /** L2. */
  l2: JsonRpcClient
  /** What it asked of the host and of L1, a client of L2, answered or not: methods in their order. */
  begun: readonly string[]
  /** Reads a contract on L1. */
  read<Name extends ReadName>(
    to: Hex,
    functionName: Name,
    args?: ContractFunctionArgs<typeof gameAbi, 'view', Name>,
  ): Promise<unknown>
  /** Ends it and forgets what it did; `start` starts it as if it had never been there, in a folder of its own. */
  forget(): Promise<void>
  /**
   * From now on the host and L1, for a client L2, have no answer to requests of this method: `busy`, they refuse them
   * by HTTP status 503, as a load balancer does while no host is ready, and over a WebSocket by an error; `gone`, the
   * connection is closed; `refused`, they answer an error of JSON-RPC, as when a proof took too long.
   * @returns what ends that
   */
  spoil(method: string, how: Spoilt['how']): () => void
  /** @throws CaseFailure when it does not come about in time */
  until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T>
  /** The same of what the world comes to by itself. @throws CaseSetAside when it does not in time */
  untilReady<T>(what: string, look: () => Promise<T | undefined>): Promise<T>
  /** Until it ended, or so many more L1 blocks (default 3) went by; it is not started again. */
  untilQuiet(blocks?: number): Promise<void>
  /** Until it ended, or so many milliseconds went by, more on a machine that is slow now; it is not started again. */
  untilOver(most: number): Promise<void>
}

type ReadName = ContractFunctionName<typeof gameAbi, 'view'>
