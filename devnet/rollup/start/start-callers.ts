import type { Logger } from 'pino'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { ACTOR_PARTS } from '../parts/actor-parts.ts'
import { type ActorRound, startActors } from './start-actors.ts'
import type { DevnetBase } from './start-base.ts'
import type { DevnetServices } from './start-services.ts'

/** Looks that an actor takes when it finds nothing to do, in a journey through time of any length. */
const LOOKS = 500

/**
 * The devnet's own proposer, challenger and registrar, which reach it from outside as others do.
 * @param onRound told of each round, failed ones too
 */
export async function startCallers(
  devnet: {
    settings: DevnetSettings
    base: DevnetBase
    services: DevnetServices
    facts: Omit<DevnetDescription, 'dashboardUrl'>
  },
  logger: Logger,
  onRound: (round: ActorRound) => void,
): Promise<OwnedResource> {
  const { settings, base, services, facts } = devnet
  const { clock, l1BlockTime } = settings
  return startActors({
    contracts: facts.contracts,
    links: await base.links.of({ links: ACTOR_PARTS.flatMap(({ links }) => links) }),
    trustedRoot: services.proving.attestationRoot,
    clock: clock.forLooks(() => l1BlockTime * 500),
    pace: clock.forLooks((journey) => Math.max(l1BlockTime * 1000, journey / LOOKS)),
    registrarClock: base.faults.clockOf('registrar'),
    logger,
    onRound,
  })
}
