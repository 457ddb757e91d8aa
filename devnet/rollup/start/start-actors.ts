import type { BaseLogger } from 'pino'
import { nextStep } from '#devnet/actors/next-step'
import type { Outcome } from '#devnet/actors/start-actor'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { type OwnedResource, ResourceStack } from '#devnet/base/process/owned-resource'
import type { Clock } from '#protocol/clock/clock'
import { ACTOR_PARTS } from '../parts/actor-parts.ts'

export interface ActorsOptions extends Pick<DevnetDescription, 'contracts'> {
  links: Readonly<Record<(typeof ACTOR_PARTS)[number]['links'][number], RpcEndpoint>>
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
  /** What the actor does next, in words; empty where it did not tell. */
  next: string
}

/** Starts a devnet's own proposer, challenger and registrar, with the dev keys of their roles. */
export function startActors(options: ActorsOptions): OwnedResource {
  const { links, clock, registrarClock = clock, onOutcome, onRound, ...shared } = options
  const actors = new ResourceStack()
  const watched = (actor: string) => {
    const tell = (round: Pick<ActorRound, 'kind' | 'isFailure' | 'next'>) =>
      onRound?.({ actor, at: clock.now(), ...round })
    return {
      onOutcome(outcome: Outcome) {
        onOutcome?.(outcome)
        tell({ kind: outcome.kind, isFailure: false, next: nextStep(outcome) })
      },
      onFailure: (reason: string) =>
        tell({ kind: reason, isFailure: true, next: 'the same again, later' }),
    }
  }
  for (const part of ACTOR_PARTS) {
    const own = part.name === 'registrar' ? registrarClock : clock
    const context = { links, clock: own, looks: own }
    actors.add(part.start(context, { ...shared, ...watched(part.name) }))
  }
  return actors
}
