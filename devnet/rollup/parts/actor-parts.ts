import type { BaseLogger } from 'pino'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { startRegistrar } from '#devnet/actors/registrar/start-registrar'
import type { RoundOptions } from '#devnet/actors/start-actor'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { roleKeys } from '#fixtures/chain/dev-keys'
import type { LinkName, Part } from './part.ts'

export interface ActorGiven extends RoundOptions, Pick<DevnetDescription, 'contracts'> {
  /** DER of the simulated hypervisors' root. */
  trustedRoot: Uint8Array
  logger: BaseLogger
}

export interface ActorPart<Name extends string, Link extends LinkName>
  extends Part<Link, ActorGiven, OwnedResource> {
  readonly name: Name
}

/** Keeps the registry of signers on L1 as the enclaves attest. L1 is its memory, as of all actors. */
export const registrarPart: ActorPart<'registrar', 'actor-l1' | 'actor-host'> = {
  name: 'registrar',
  links: ['actor-l1', 'actor-host'],
  start: ({ looks, links }, { contracts, ...more }) =>
    startRegistrar({
      ...more,
      ...{ l1RpcUrl: links['actor-l1'], proverUrls: [links['actor-host']], clock: looks },
      registry: contracts.teeProverRegistry,
      key: roleKeys.registrar,
    }),
}

/** Proposes L2 outputs as games on L1. */
export const proposerPart: ActorPart<'proposer', 'actor-l1' | 'actor-rollup' | 'actor-host'> = {
  name: 'proposer',
  links: ['actor-l1', 'actor-rollup', 'actor-host'],
  start: ({ looks, links }, { contracts, trustedRoot: _, ...more }) =>
    startProposer({
      ...more,
      ...{ l1RpcUrl: links['actor-l1'], rollupRpcUrl: links['actor-rollup'] },
      ...{ proverUrl: links['actor-host'], clock: looks },
      factory: contracts.disputeGameFactory,
      key: roleKeys.proposer,
    }),
}

/** Nullifies games whose claim is not what it executes. */
export const challengerPart: ActorPart<'challenger', 'actor-l1' | 'client-l2' | 'actor-host'> = {
  name: 'challenger',
  links: ['actor-l1', 'client-l2', 'actor-host'],
  start: ({ looks, links }, { contracts, trustedRoot: _, ...more }) =>
    startChallenger({
      ...more,
      ...{ l1RpcUrl: links['actor-l1'], l2RpcUrl: links['client-l2'] },
      ...{ proverUrl: links['actor-host'], clock: looks },
      factory: contracts.disputeGameFactory,
      key: roleKeys.challenger,
    }),
}

/** In the order in which they start. */
export const ACTOR_PARTS = [registrarPart, proposerPart, challengerPart] as const
