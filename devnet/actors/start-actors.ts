import type { BaseLogger } from 'pino'
import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { roleKeys } from '../../fixtures/chain/dev-keys.ts'
import { startChallenger } from '../challenger/start-challenger.ts'
import type { DevnetDescription } from '../devnet-description.ts'
import type { RpcEndpoint } from '../json-rpc/rpc-endpoint.ts'
import { type OwnedResource, ResourceStack } from '../process/owned-resource.ts'
import { startProposer } from '../proposer/start-proposer.ts'
import { startRegistrar } from '../registrar/start-registrar.ts'
import type { Outcome } from './start-actor.ts'

export interface ActorsOptions extends Pick<DevnetDescription, 'contracts'> {
  l1RpcUrl: RpcEndpoint
  rpcUrl: RpcEndpoint
  rollupRpcUrl: RpcEndpoint
  proverUrl: RpcEndpoint
  /** DER of the simulated hypervisors' root. */
  trustedRoot: Uint8Array
  clock: Clock
  /** By which the registrar judges certificates. @default clock */
  registrarClock?: Clock
  /** By which rounds follow each other. @default clock */
  pace?: Clock
  logger: BaseLogger
  /** Each round that came to something, whole. */
  onOutcome?: (outcome: Outcome) => void
  /** Each round, failed ones too, as a list shows it. */
  onRound?: (round: ActorRound) => void
}

/** What a round of an actor came to. */
export interface ActorRound {
  actor: string
  /** Unix time in milliseconds. */
  at: number
  /** In the actor's own words. */
  kind: string
  isFailure: boolean
}

/** Starts a devnet's own proposer, challenger and registrar, with the dev keys of their roles. */
export function startActors(options: ActorsOptions): OwnedResource {
  const { contracts, proverUrl, rpcUrl, onOutcome, onRound, ...shared } = options
  const factory = contracts.disputeGameFactory
  const actors = new ResourceStack()
  const watched = (actor: string) => {
    const tell = (kind: string, isFailure: boolean) =>
      onRound?.({ actor, at: options.clock.now(), kind, isFailure })
    return {
      onOutcome(outcome: Outcome) {
        onOutcome?.(outcome)
        tell(outcome.kind, false)
      },
      onFailure: (reason: string) => tell(reason, true),
    }
  }
  actors.add(
    startRegistrar({
      ...shared,
      clock: options.registrarClock ?? options.clock,
      ...watched('registrar'),
      proverUrls: [proverUrl],
      registry: contracts.teeProverRegistry,
      key: roleKeys.registrar,
    }),
  )
  actors.add(
    startProposer({
      ...shared,
      ...watched('proposer'),
      proverUrl,
      factory,
      key: roleKeys.proposer,
    }),
  )
  actors.add(
    startChallenger({
      ...shared,
      ...watched('challenger'),
      proverUrl,
      l2RpcUrl: rpcUrl,
      factory,
      key: roleKeys.challenger,
    }),
  )
  return actors
}
