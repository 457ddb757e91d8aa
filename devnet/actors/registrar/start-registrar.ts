import type { BaseLogger } from 'pino'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import type { Address, Hex } from '#protocol/types/bytes'
import { actorClient } from '../actor-client.ts'
import { l1Client } from '../l1-client.ts'
import { l1Wallet } from '../l1-wallet.ts'
import { type RoundOptions, type Rounds, startActor } from '../start-actor.ts'
import { createRegistrar, type RegistrarOutcome } from './create-registrar.ts'
import { devAttestationProver } from './dev-attestation-prover.ts'

export interface RegistrarSetup {
  l1RpcUrl: RpcEndpoint
  /** Prover hosts. */
  proverUrls: readonly RpcEndpoint[]
  registry: Address
  /** Owner or manager of the registry. */
  key: DevKey
  /** Whom the dev attestation verifier believes; default the key itself. */
  attester?: Hex
  /** DER of a simulated root, on a devnet only. Absent: the AWS root, and no other. */
  trustedRoot?: Uint8Array | undefined
  clock: Clock
  logger: BaseLogger
}

/** A registrar over these URLs, to be run by `startActor` or round by round. */
export function registrarOf(
  setup: RegistrarSetup,
  ending: AbortController,
): Rounds<RegistrarOutcome> {
  const { clock, key, registry, attester = key.privateKey } = setup
  const limits = { clock, signal: ending.signal }
  const l1 = actorClient(setup.l1RpcUrl, limits)
  return createRegistrar({
    ...setup,
    l1,
    hosts: setup.proverUrls.map((endpoint, index) => ({
      // Paths and queries of URLs may hold keys: logs show the origin.
      name: typeof endpoint === 'string' ? new URL(endpoint).origin : `host ${index}`,
      rpc: actorClient(endpoint, limits),
    })),
    wallet: l1Wallet({ rpc: l1, ...key, ...limits }),
    prove: devAttestationProver(l1Client(l1), { registry, attester }),
  })
}

/**
 * Starts a registrar.
 * @param options.interval milliseconds between two looks; default 5000
 * @throws NoHosts
 * @example
 * const registrar = startRegistrar({ ...urls, registry, key, clock: systemClock, logger })
 * await registrar.stop()
 */
export function startRegistrar(options: RegistrarSetup & RoundOptions): OwnedResource {
  const ending = new AbortController()
  const { interval = 5000 } = options
  const rounds = registrarOf(options, ending)
  return startActor({ ...options, name: 'registrar', rounds, ending, interval })
}
