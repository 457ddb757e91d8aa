import type { RpcMethods } from '#devnet/base/json-rpc/json-rpc-server'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { packageVersion } from '#devnet/base/package-version'
import { waitingRegistry } from '#devnet/faults/effects-by-links'
import type { FaultEffects } from '#devnet/faults/fault-effects'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { type HostMethodsOptions, hostMethods } from '#devnet/proving/prover/host-methods'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Part } from './part.ts'

export interface HostGiven
  extends Pick<
    HostMethodsOptions,
    'beacon' | 'kzg' | 'enclaves' | 'proofTimeout' | 'profile' | 'metrics' | 'logger'
  > {
  config: RollupConfig
  contracts: Pick<L1Addresses, 'teeProverRegistry'>
}

/** The prover host in front of the enclaves. It keeps nothing. */
export const hostPart: Part<'host-l1' | 'host-l2' | 'host-registry', HostGiven, RpcMethods> = {
  name: 'host',
  links: ['host-l1', 'host-l2', 'host-registry'],
  start: ({ clock, links }, { config, contracts, ...more }) =>
    hostMethods({
      ...more,
      ...hostFacts(config, contracts),
      l1: rpcClientOf(links['host-l1']),
      l2: rpcClientOf(links['host-l2']),
      registryL1: rpcClientOf(links['host-registry']),
      executionWitness: false,
      clock,
    }),
}

/** What a host knows of a rollup before it asks anybody. */
export function hostFacts(config: RollupConfig, contracts: HostGiven['contracts']) {
  const chainId = BigInt(config.l2ChainId)
  return {
    chainId,
    chains: new Map([[chainId, config]]),
    registryAddress: contracts.teeProverRegistry,
    version: packageVersion,
  }
}

/**
 * The registry that a host asks can go wrong from here on.
 * @param own what besides waiting this body can bring about
 */
export function takeRegistryFaults(
  engine: FaultEngine,
  own: Partial<FaultEffects<'lying' | 'reorged'>> = {},
): void {
  engine.register('registry:l1', { ...waitingRegistry(engine), ...own })
}
