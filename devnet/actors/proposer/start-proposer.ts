import type { BaseLogger } from 'pino'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { gameType as devnetGameType } from '#fixtures/chain/constants'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import { actorClient } from '../actor-client.ts'
import { l1Wallet } from '../l1-wallet.ts'
import { createSettler, type SettlerOutcome, settledBy } from '../settle-games.ts'
import { type RoundOptions, type Rounds, startActor } from '../start-actor.ts'
import { createProposer, type ProposerOptions, type ProposerOutcome } from './create-proposer.ts'

type Choices = Partial<Pick<ProposerOptions, 'finality' | 'checkSigners' | 'dryRun' | 'gameType'>>

export interface ProposerSetup extends Choices {
  l1RpcUrl: RpcEndpoint
  rollupRpcUrl: RpcEndpoint
  proverUrl: RpcEndpoint
  factory: ProposerOptions['factory']
  key: DevKey
  clock: Clock
  logger: BaseLogger
  /** Resolve and close own games, and claim their bonds. Default true. */
  settle?: boolean
  /** Milliseconds to wait for one proof. Default 1800 s: a host gives up after 1740. */
  proofTimeout?: number
}

/** A proposer over these URLs, to be run by `startActor` or round by round. */
export function proposerOf(
  setup: ProposerSetup,
  ending: AbortController,
): Rounds<ProposerOutcome | SettlerOutcome> {
  const { clock, logger, key, factory, gameType = devnetGameType, settle = true } = setup
  const { proofTimeout = 1_800_000 } = setup
  const limits = { clock, signal: ending.signal }
  const l1 = actorClient(setup.l1RpcUrl, limits)
  const wallet = l1Wallet({ rpc: l1, ...key, ...limits })
  const proposer = createProposer({
    ...setup,
    l1,
    rollup: actorClient(setup.rollupRpcUrl, limits),
    prover: actorClient(setup.proverUrl, { ...limits, timeout: proofTimeout }),
    wallet,
    gameType,
  })
  if (!settle || setup.dryRun) return proposer
  return settledBy(proposer, { l1, wallet, factory, gameType, logger })
}

/** Settles the games of a key and claims their bonds; proposes nothing and needs L1 alone. */
export function settlerOf(
  setup: Pick<ProposerSetup, 'l1RpcUrl' | 'factory' | 'gameType' | 'key' | 'clock' | 'logger'>,
  ending: AbortController,
): Rounds<SettlerOutcome> {
  const { clock, key, gameType = devnetGameType } = setup
  const limits = { clock, signal: ending.signal }
  const l1 = actorClient(setup.l1RpcUrl, limits)
  return createSettler({ ...setup, l1, wallet: l1Wallet({ rpc: l1, ...key, ...limits }), gameType })
}

/**
 * Starts a proposer.
 * @param options.interval milliseconds between two looks; default 2000
 * @example
 * const proposer = startProposer({ ...urls, factory, key, clock: systemClock, logger })
 * await proposer.stop()
 */
export function startProposer(options: ProposerSetup & RoundOptions): OwnedResource {
  const ending = new AbortController()
  const rounds = proposerOf(options, ending)
  return startActor({ ...options, name: 'proposer', rounds, ending })
}
