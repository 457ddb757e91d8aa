import type { BaseLogger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Clock } from '#protocol/clock/clock'
import type { Address, Hash } from '#protocol/types/bytes'
import { intervalsFrom, readGameConstants } from '../game-rules.ts'
import { gameScanner } from '../game-scanner.ts'
import { l1Client } from '../l1-client.ts'
import type { L1Wallet } from '../l1-wallet.ts'
import { plainError } from '../plain-error.ts'
import { proverClient } from '../prover-client.ts'
import { type GameState, gameStatus, isGone, readGame, readGameState } from '../read-game.ts'
import type { Finality } from '../rollup-client.ts'
import type { Outcome, Rounds } from '../start-actor.ts'
import { teeObstacle } from '../tee-obstacle.ts'
import { WatchList } from '../watch-list.ts'
import { canNullify, dispute } from './dispute.ts'
import { judgeGame, wrongRoot } from './judge-game.ts'
import { recomputeOutput } from './recompute-output.ts'

export interface ChallengerOptions {
  l1: RpcClient
  /** L2 execution node: headers and account proofs. */
  l2: RpcClient
  /** Prover host. */
  prover: RpcClient
  /** Sends; has to be on the list of proposers. */
  wallet: L1Wallet
  /** DisputeGameFactory on L1. */
  factory: Address
  gameType: number
  clock: Clock
  logger: BaseLogger
  /** From when on an L2 block can be judged by. Default `safe`. */
  finality?: Finality
  /** Games before the newest that are looked at first. Default 1000. */
  lookback?: number
}

export type ChallengerOutcome = Outcome &
  (
    | { kind: 'watching'; games: number }
    | { kind: 'blocked'; game: Address; reason: string }
    | { kind: 'nullified'; game: Address; index: number; root: Hash; transaction: Hash }
    | { kind: 'overtaken'; game: Address }
    | { kind: 'failed'; game: Address; reason: string }
  )

/**
 * Watches every game of a type, recomputes its roots from L2, and nullifies the TEE proof of one
 * with a wrong root. Honest games are left alone, and forgotten once they and their blocks are final.
 * A dispute that fails is tried again later, and does not keep others waiting.
 */
export function createChallenger(options: ChallengerOptions): Rounds<ChallengerOutcome> {
  const { l2, wallet, clock, logger, finality = 'safe' } = options
  const l1 = l1Client(options.l1)
  const prover = proverClient(options.prover)
  const scan = gameScanner(l1, options)
  /** Games with nothing to dispute, and L1's newest block when that was first seen. */
  const settled = new Map<Address, bigint>()
  const watched = new WatchList(clock, (game) => {
    settled.delete(game)
    logger.warn({ game }, 'too many games: dropped')
  })

  async function l2Head(tag: Finality): Promise<bigint> {
    const block = await l2.request('eth_getBlockByNumber', [tag, false])
    return BigInt((block as { number: string }).number)
  }

  /** Of before a crash, say: sent again, the second call would revert behind it. */
  async function whatWaits(): Promise<string | undefined> {
    return (await wallet.isWaiting()) ? 'an earlier transaction is in no block yet' : undefined
  }

  /** There is nothing to dispute in it. It is forgotten once L1 cannot take that back any more. */
  async function leave(address: Address): Promise<undefined> {
    const [latest, finalized] = await Promise.all([
      l1.getBlock({ blockTag: 'latest' }),
      l1.getBlock({ blockTag: 'finalized' }),
    ])
    const since = settled.get(address) ?? latest.number
    settled.set(address, since)
    if (finalized.number < since) return void watched.defer(address)
    forget(address)
  }

  function forget(address: Address): void {
    settled.delete(address)
    watched.delete(address)
  }

  /** Looks at one game; undefined when there is nothing to do about it now. */
  async function look(address: Address, head: bigint): Promise<ChallengerOutcome | undefined> {
    const state = await readGameState(l1, address)
    if (hasNothing(state)) return await leave(address)
    const game = await readGame(l1, address)
    if (game.l2Block > head) return undefined
    const constants = await readGameConstants(l1, address)
    const rules = { ...constants, ...(await intervalsFrom(l1, constants, game.startBlock)) }
    const recompute = (number: bigint) => recomputeOutput(l2, number)
    const verdict = await judgeGame(game, rules.intermediateInterval, recompute)

    if (verdict.kind === 'honest') {
      // What it was judged by L1 may take back, and then it is false.
      if (game.l2Block > (await l2Head('finalized'))) return void watched.defer(address)
      if (!settled.has(address))
        logger.info({ game: address, block: Number(game.l2Block) }, 'game is honest')
      return await leave(address)
    }
    settled.delete(address)
    if (verdict.kind === 'bad start') {
      // It falls with its parent, which is watched itself.
      logger.warn({ game: address, parent: game.parent }, 'game starts from a wrong root')
      return void watched.defer(address)
    }
    const { index } = verdict
    logger.warn({ game: address, index, ...wrongRoot(game, verdict) }, 'game has a wrong root')
    if (!canNullify(state)) {
      logger.error({ game: address }, 'only a ZK proof helps, and there is no ZK prover')
      return void watched.defer(address)
    }
    const reason = (await teeObstacle(l1, rules, wallet.address)) ?? (await whatWaits())
    if (reason) {
      logger.error({ game: address, reason }, 'cannot dispute')
      watched.defer(address)
      return { kind: 'blocked', idle: true, game: address, reason }
    }
    const transaction = await dispute(game, verdict, rules, { l1, prover, wallet })
    // L1 may take it back: looked at again, until that is final.
    watched.defer(address)
    if (!transaction) return { kind: 'overtaken', idle: false, game: address }
    logger.info({ game: address, index, transaction }, 'TEE proof nullified')
    const root = verdict.truth.outputRoot
    return { kind: 'nullified', idle: false, game: address, index, root, transaction }
  }

  return {
    async round() {
      for (const game of await scan()) watched.add(game)
      const head = await l2Head(finality)
      let failed: ChallengerOutcome | undefined
      for (const game of watched.due()) {
        try {
          const outcome = await look(game, head)
          if (outcome) return outcome
        } catch (error) {
          if (await isGone(l1, game)) {
            // Should L1 bring it back, it is found again.
            forget(game)
            continue
          }
          const pause = watched.defer(game)
          const reason = plainError(error).message
          logger.warn({ game, reason, pause }, 'game not dealt with')
          failed ??= { kind: 'failed', idle: true, game, reason }
        }
      }
      return failed ?? { kind: 'watching', idle: true, games: watched.size }
    },
  }
}

/** It is over, or no proof counts. */
function hasNothing({ status, hasTeeProof, hasZkProof }: GameState): boolean {
  return status !== gameStatus.inProgress || (!hasTeeProof && !hasZkProof)
}
