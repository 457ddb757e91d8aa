import { pino } from 'pino'
import type { Hex } from 'viem'
import { type L1Wallet, l1Wallet } from '#devnet/actors/l1-wallet'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { gameType } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { gamePlayer, type Proposal, registerEnclave } from '../contracts/play-game.ts'
import { configHash, startProofStack } from '../contracts/proof-stack.ts'
import { enclave } from '../contracts/tee-journal.ts'
import { type ScriptedL2, scriptedL2 } from './scripted-l2.ts'
import { scriptedProver } from './scripted-prover.ts'

/** L2 blocks from one game to the next, and between intermediate roots: three roots a game. */
export const blockInterval = 15
export const intermediateInterval = 5

/** An output root that no block has. */
export const badRoot: Hex = `0x${'bad0'.repeat(16)}`

export type ActorWorld = ReturnType<typeof actorWorld> extends Promise<infer World> ? World : never

/** anvil with the real contracts, a scripted chain below them and a prover that signs for it. */
export async function actorWorld() {
  const l2 = await scriptedL2(3 * blockInterval + 1)
  const stack = await startProofStack({
    l2GenesisOutputRoot: l2.root(0),
    blockInterval,
    intermediateBlockInterval: intermediateInterval,
  })
  await registerEnclave(stack)
  const player = gamePlayer(stack)
  const l1 = httpRpcClient(stack.l1.rpcUrl)
  const prover = scriptedProver(l2, configHash)
  const logged: Record<string, unknown>[] = []
  const logger = pino(
    { level: 'info', base: null },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  )

  /** Signs for one role; blocks are mined when it waits for one. */
  function wallet(key: DevKey, rpc: RpcClient = l1): L1Wallet {
    return l1Wallet({
      rpc,
      ...key,
      clock: new VirtualClock(),
      signal: new AbortController().signal,
      nextBlock: () => stack.l1.mine(),
    })
  }

  const honestRoots = (start: number) => rootsAfter(l2, start)

  return {
    stack,
    player,
    l1,
    l2,
    prover,
    wallet,
    logger,
    logged,
    honestRoots,
    factory: stack.contracts.disputeGameFactory,
    gameType,
    /** Undoes what a test changed, but for L1. */
    reset() {
      l2.safe = 3 * blockInterval
      l2.finalized = 3 * blockInterval
      l2.tamper.clear()
      prover.requests.length = 0
      prover.key = enclave.privateKey
      prover.beforeAnswer = () => undefined
      prover.tamper = (aggregate) => aggregate
      logged.length = 0
    },
    /** The enclave's key signs a game with these roots, true or not. */
    create(changed: Partial<Proposal> = {}) {
      const start = Number(changed.startBlock ?? 0n)
      return player.create({
        creator: roleKeys.proposer,
        startRoot: l2.root(start),
        l2Block: BigInt(start + blockInterval),
        roots: honestRoots(start),
        ...changed,
      })
    },
  }
}

function rootsAfter(l2: ScriptedL2, start: number): Hex[] {
  const count = blockInterval / intermediateInterval
  return Array.from({ length: count }, (_, index) =>
    l2.root(start + (index + 1) * intermediateInterval),
  )
}
