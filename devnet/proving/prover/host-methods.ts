import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import type { Profile } from '#devnet/base/options/devnet-description'
import type { BeaconClient } from '#devnet/l1/blobs/beacon-client'
import { blobSource } from '#devnet/l1/blobs/blob-source'
import type { Kzg } from '#devnet/l1/blobs/kzg'
import { profileValues } from '#devnet/l2/node/rpc/profile-differences'
import type { Clock } from '#protocol/clock/clock'
import type { Chains } from '#protocol/proof/run-program'
import type { Address } from '#protocol/types/bytes'
import { announceSigner } from './announce-signer.ts'
import { buildWitness } from './build-witness.ts'
import type { EnclaveClient } from './enclave-client.ts'
import type { HostMetrics } from './host-metrics.ts'
import type { ProofServiceOptions } from './proof-service.ts'
import { type ProverMethodsOptions, proverMethods } from './prover-methods.ts'
import { retryingBeaconClient, retryingRpcClient } from './retrying-rpc-client.ts'
import { signerRegistry } from './signer-registry.ts'

export interface HostMethodsOptions
  extends Pick<ProverMethodsOptions, 'health' | 'logger' | 'onProof'> {
  l1: RpcClient
  l2: RpcClient
  beacon: BeaconClient
  /** Where the registry is asked. Default: `l1`. */
  registryL1?: RpcClient
  registryAddress: Address | undefined
  kzg: Kzg
  chainId: bigint
  /** Known chains; the same table that is measured into the enclaves. */
  chains: Chains
  /** In the order of all answers. */
  enclaves: readonly EnclaveClient[]
  /** Seconds. */
  proofTimeout: number
  /** The L2 node has debug_executePayload (HOST-CFG-18, HOST-CFG-19). */
  executionWitness: boolean
  profile: Profile
  version: string
  metrics: HostMetrics
  clock: Clock
}

/** A prover host without its listener: what it is asked, over the ways it asks others. */
export function hostMethods(options: HostMethodsOptions): Record<string, RpcMethod> {
  const { l1, registryL1 = l1, registryAddress: address, clock, logger, profile } = options
  return proverMethods({
    ...options,
    enclaves: options.enclaves.map((enclave) => announceSigner(enclave, logger)),
    registry: address && signerRegistry({ l1: registryL1, address, clock }),
    buildWitness: witnessBuilder(options),
    profile: profileValues(profile),
  })
}

/** Each witness has clients of its own, whose failures are told to the proof they belong to. */
function witnessBuilder(options: HostMethodsOptions): ProofServiceOptions['buildWitness'] {
  const { l1, l2, beacon, kzg, chainId, chains, clock, executionWitness } = options
  return (request, { signal, onBlock, onUpstreamFailure }) => {
    const persistence = (chain: 'l1' | 'l2') => ({
      clock,
      onFailure: (error: Error) => onUpstreamFailure(chain, error),
    })
    return buildWitness(request, {
      chainId,
      chains,
      l1: retryingRpcClient(l1, persistence('l1')),
      l2: retryingRpcClient(l2, persistence('l2')),
      blobs: blobSource(retryingBeaconClient(beacon, persistence('l1')), kzg),
      executionWitness,
      signal,
      onProgress: onBlock,
    })
  }
}
