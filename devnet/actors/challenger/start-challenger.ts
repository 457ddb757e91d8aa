import type { BaseLogger } from 'pino'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { gameType as devnetGameType } from '#fixtures/chain/constants'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import { actorClient } from '../actor-client.ts'
import { l1Wallet } from '../l1-wallet.ts'
import { type RoundOptions, type Rounds, startActor } from '../start-actor.ts'
import {
  type ChallengerOptions,
  type ChallengerOutcome,
  createChallenger,
} from './create-challenger.ts'

export interface ChallengerSetup
  extends Partial<Pick<ChallengerOptions, 'finality' | 'lookback' | 'gameType'>> {
  l1RpcUrl: RpcEndpoint
  l2RpcUrl: RpcEndpoint
  proverUrl: RpcEndpoint
  factory: ChallengerOptions['factory']
  key: DevKey
  clock: Clock
  logger: BaseLogger
  /** Milliseconds to wait for one proof. Default 1800 s: a host gives up after 1740. */
  proofTimeout?: number
}

/** A challenger over these URLs, to be run by `startActor` or round by round. */
export function challengerOf(
  setup: ChallengerSetup,
  ending: AbortController,
): Rounds<ChallengerOutcome> {
  const { clock, key, gameType = devnetGameType, proofTimeout = 1_800_000 } = setup
  const limits = { clock, signal: ending.signal }
  const l1 = actorClient(setup.l1RpcUrl, limits)
  return createChallenger({
    ...setup,
    l1,
    l2: actorClient(setup.l2RpcUrl, limits),
    prover: actorClient(setup.proverUrl, { ...limits, timeout: proofTimeout }),
    wallet: l1Wallet({ rpc: l1, ...key, ...limits }),
    gameType,
  })
}

/**
 * Starts a challenger.
 * @param options.interval milliseconds between two looks; default 2000
 * @example
 * const challenger = startChallenger({ ...urls, factory, key, clock: systemClock, logger })
 * await challenger.stop()
 */
export function startChallenger(options: ChallengerSetup & RoundOptions): OwnedResource {
  const ending = new AbortController()
  const rounds = challengerOf(options, ending)
  return startActor({ ...options, name: 'challenger', rounds, ending })
}
