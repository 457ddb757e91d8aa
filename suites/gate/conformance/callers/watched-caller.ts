import type { ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { RpcCall } from '#mocks/index'
import type { CallerWorld } from '../drivers/caller-world.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import type { gameAbi } from './game-abi.ts'
import type { Spoilt } from './listen-to.ts'
import type { SentTransaction } from './sent-transaction.ts'
import type { Parity } from './sign-again.ts'

/** What the caller asked the prover host, and what it was told. */
export interface AskedHost {
  method: string
  params: readonly unknown[]
  response: JsonObject
}

/** A caller at work in its world, and what it does there. */
export interface WatchedCaller {
  world: CallerWorld
  /** Its chain is that of today. */
  isToday: boolean
  rollup: JsonRpcClient
  l1: JsonRpcClient
  /** L2. */
  l2: JsonRpcClient
  asked: AskedHost[]
  sent: SentTransaction[]
  /** Calls of proposing and disputing that it had estimated or called, and that L1 refused. */
  tried: SentTransaction[]
  /** What it asked of the host and of L1, a client of L2, answered or not: methods in their order. */
  begun: readonly string[]
  /** What it asked `prover_prove` for, answered or not. */
  requests: readonly ProofRequestJson[]
  /** The JSON objects that it printed since it was started last, one a line. */
  printed(): JsonObject[]
  /** Reads a contract on L1. */
  read<Name extends ReadName>(
    to: Hex,
    functionName: Name,
    args?: ContractFunctionArgs<typeof gameAbi, 'view', Name>,
  ): Promise<unknown>
  /** Starts it; one that ends by itself is started again while something is awaited of it. */
  start(): void
  /** Ends it and forgets what it did; `start` starts it as if it had never been there, in a folder of its own. */
  forget(): Promise<void>
  /**
   * Ends it; `start` starts it in the same folder, where each account of `devnet.json` is in the place of the one
   * before: who takes one by its place has another key.
   */
  changeAccounts(): Promise<void>
  /** From now on the host's signatures end in this parity. */
  signWith(parity: Parity): Promise<void>
  /** The host's next proof is of a signer that L1 holds valid no more; its keys are as before. */
  loseSigner(): void
  /** From now on L1 gets none of its transactions, though it is told the contrary. @returns what ends that */
  keepFromL1(): () => void
  isKeptFromL1(): boolean
  /** From now on L1 refuses its transactions, for a reason that passes. @returns what ends that */
  refuseTransactions(): () => void
  /** It asked something of L1 in which this text stands, such as an address without its `0x`. */
  asksOfL1(text: string): boolean
  /** From now on L1 has no answer for it; what it asks waits. @returns what ends that */
  holdL1(): () => void
  /**
   * From now on it is answered so in the stead of L2 and of the rollup node; what is left undefined they answer
   * themselves. For a proposer and a challenger. @returns what ends that
   */
  answerFor(nodes: NodeAnswers): () => void
  /** Answers of the host to this method wait until `release`; `reached`: one is there. */
  hold(method: string): { reached(): boolean; release(): void }
  /**
   * From now on the host, or L1, has no answer to requests of this method: `busy`, it refuses them by HTTP status
   * 503, as a load balancer does while no host is ready; `gone`, the connection is closed; `refused`, it answers
   * an error of JSON-RPC, as when a proof took too long.
   * @returns what ends that
   */
  spoil(method: string, how: Spoilt['how']): () => void
  /**
   * L1 takes the next transaction, and the answer is lost once it is in a block: whoever looks again then
   * sees what came of it.
   */
  loseAnswer(): void
  /**
   * L1 makes no block from the moment it gets the next transaction. Estimates of gas are by its newest block, as
   * those of geth and reth, not by what waits, as anvil's: they do not keep anybody from sending twice.
   * @returns what ends that
   */
  standStillWithNext(): () => Promise<void>
  /** @throws CaseFailure when it does not come about in time */
  until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T>
  /** The same of what the world comes to by itself. @throws CaseSetAside when it does not in time */
  untilReady<T>(what: string, look: () => Promise<T | undefined>): Promise<T>
  /** Until it ended, or so many more L1 blocks (default 3) went by; it is not started again. */
  untilQuiet(blocks?: number): Promise<void>
  /** Until it ended, or so many milliseconds went by; it is not started again. */
  untilOver(within: number): Promise<void>
}

type ReadName = ContractFunctionName<typeof gameAbi, 'view'>

/** What a node says to a call, by `result` or `error`; undefined leaves it to the node. */
type NodeAnswer = (call: RpcCall) => Promise<JsonObject | undefined> | undefined
export interface NodeAnswers {
  l2?: NodeAnswer
  rollup?: NodeAnswer
}
