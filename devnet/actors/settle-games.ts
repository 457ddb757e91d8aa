import type { BaseLogger } from 'pino'
import type { PublicClient } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import type { Address, Hash } from '#protocol/types/bytes'
import { type GameRules, gameRules } from './game-rules.ts'
import { gameScanner } from './game-scanner.ts'
import { l1Client } from './l1-client.ts'
import { L1Reverted } from './l1-reverted.ts'
import type { L1Wallet } from './l1-wallet.ts'
import { lower } from './lower.ts'
import { type Move, nextSettlement } from './next-settlement.ts'
import { gameStatus, isGone } from './read-game.ts'
import { readIfThere } from './read-if-there.ts'
import { readSettlement } from './read-settlement.ts'
import type { Outcome, Rounds } from './start-actor.ts'

export interface SettlerOptions {
  l1: RpcClient
  wallet: L1Wallet
  factory: Address
  gameType: number
  logger: BaseLogger
}

export type SettlerOutcome = Outcome &
  (
    | { kind: 'settled'; move: Move; game: Address; transaction: Hash }
    | { kind: 'nothing to settle' }
  )

/** closeGame catches what fails inside it, so an estimate finds the gas for failing, not for closing. */
const GAS = 1_000_000n

/**
 * Resolves and closes the games that pay to an account, and claims their bonds. One transaction a
 * round.
 */
export function createSettler(options: SettlerOptions): Rounds<SettlerOutcome> {
  const { wallet, logger } = options
  const l1 = l1Client(options.l1)
  const readRules = gameRules(l1, options.factory, options.gameType)
  const scan = gameScanner(l1, options)
  /** Found and not read yet, oldest first: a scan does not find again what is final. */
  const unread = new Set<Address>()
  /** Their parents; oldest first, so that a parent comes before what stands on it. */
  const open = new Map<Address, Address>()
  /** Of which people know that a contract refuses them. */
  const refused = new Set<Address>()

  const isOwn = async (game: Address) => {
    const at = { address: game, abi: aggregateVerifierAbi } as const
    const recipient = l1.readContract({ ...at, functionName: 'bondRecipient' })
    const payee = await readIfThere<Address | undefined>(recipient, undefined)
    return payee !== undefined && lower(payee) === wallet.address
  }

  async function look(game: Address): Promise<void> {
    try {
      if (await isOwn(game)) open.set(game, await readParent(l1, game))
      else open.delete(game)
    } catch (error) {
      // Should it come back, it is found again.
      if (await isGone(l1, game)) return void open.delete(game)
      throw error
    }
  }

  /** @returns undefined where L1 has the game no more: should it come back, it is found again */
  async function readOpen(rules: GameRules, game: Address, parent: Address) {
    try {
      return await readSettlement(l1, rules, game, parent)
    } catch (error) {
      if (await isGone(l1, game)) return undefined
      throw error
    }
  }

  /** @returns undefined where a contract refuses: it is tried again with the next round */
  async function settle(game: Address, move: Move): Promise<Hash | undefined> {
    const call = { address: game, abi: aggregateVerifierAbi, functionName: move } as const
    try {
      return (await wallet.send({ ...call, args: [], gas: GAS })).hash
    } catch (error) {
      if (!(error instanceof L1Reverted)) throw error
      logger[refused.has(game) ? 'debug' : 'warn'](
        { game, reason: error.message },
        'game not settled',
      )
      refused.add(game)
      return undefined
    }
  }

  return {
    async round() {
      for (const game of await scan()) unread.add(game)
      for (const game of unread) {
        await look(game)
        unread.delete(game)
      }
      const rules = await readRules()
      const { timestamp } = await l1.getBlock({ blockTag: 'latest' })
      // No game resolves before its parent: what stands on one that waits need not be looked at.
      const waiting = new Set<Address>()
      for (const [game, parent] of open) {
        if (waiting.has(parent)) {
          waiting.add(game)
          continue
        }
        const settlement = await readOpen(rules, game, parent)
        if (!settlement) {
          open.delete(game)
          continue
        }
        const move = nextSettlement(settlement, timestamp)
        if (move === 'wait' && settlement.status === gameStatus.inProgress) waiting.add(game)
        if (move === 'done') {
          open.delete(game)
          refused.delete(game)
        }
        if (move === 'done' || move === 'wait') continue
        const transaction = await settle(game, move)
        if (!transaction) {
          // What stands on a game that cannot be resolved cannot be either; the others are not kept waiting.
          if (settlement.status === gameStatus.inProgress) waiting.add(game)
          continue
        }
        logger.info({ game, transaction }, move)
        return { kind: 'settled', idle: false, move, game, transaction }
      }
      return { kind: 'nothing to settle', idle: true }
    },
  }
}

/** An actor that settles its games whenever it has nothing else to do, or its round fails. */
export function settledBy<T extends Outcome>(
  actor: Rounds<T>,
  options: SettlerOptions,
): Rounds<T | SettlerOutcome> {
  const settler = createSettler(options)
  return {
    async round() {
      const outcome = await actor.round().catch(async (error: unknown) => {
        // Bonds do not wait until proving works again.
        await settler.round().catch(() => {})
        throw error
      })
      if (!outcome.idle) return outcome
      const settled = await settler.round()
      return settled.idle ? outcome : settled
    },
  }
}

async function readParent(l1: PublicClient, address: Address): Promise<Address> {
  const game = { address, abi: aggregateVerifierAbi } as const
  return lower(await l1.readContract({ ...game, functionName: 'parentAddress' }))
}
