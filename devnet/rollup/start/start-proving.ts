import type { Logger } from 'pino'
import type { AccessOptions } from '#devnet/base/json-rpc/guard-access'
import type { OpenWork } from '#devnet/base/json-rpc/open-work'
import type { EnclaveDescription, Profile } from '#devnet/base/options/devnet-description'
import type { ResourceStack } from '#devnet/base/process/owned-resource'
import { RecentList } from '#devnet/base/process/recent-list'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { enclavePart as partName } from '#devnet/base/supervisor/enclave-part'
import type { DevnetFaults } from '#devnet/faults/devnet-faults'
import type { Kzg } from '#devnet/l1/blobs/kzg'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import type { L1 } from '#devnet/l1/start-l1'
import type { ProofRecord } from '#devnet/proving/prover/proof-service'
import type { Hash } from '#protocol/types/bytes'
import { deployProofs } from '../genesis/deploy-proofs.ts'
import type { RollupGenesis } from '../genesis/rollup-genesis.ts'
import { enclavePart } from '../parts/enclave-part.ts'
import { hostFacts, takeRegistryFaults } from '../parts/host-part.ts'
import type { BegunEnclaves } from './begin-enclaves.ts'
import type { RealLinks } from './real-links.ts'

/** Proofs that the dashboard remembers. */
const MAX_PROOFS = 50

export interface ProvingOptions {
  genesis: RollupGenesis
  l1: L1
  kzg: Kzg
  contracts: L1Addresses
  links: RealLinks
  faults: DevnetFaults
  enclaves: BegunEnclaves
  host: string
  port: number
  access: AccessOptions
  supervisor: Supervisor
  profile: Profile
  /** What the contracts on L1 accept, where they are there already. */
  deployedImage: Hash | undefined
  work: OpenWork
  logger: Logger
}

export interface StartedProving {
  /** That the contracts on L1 accept proofs of. */
  imageHash: Hash
  /** Empty without enclaves. */
  proverUrl: string
  enclaves: EnclaveDescription[]
  /** What became of the newest requests. */
  proofs: RecentList<ProofRecord>
  /** DER of the simulated hypervisors' root. */
  attestationRoot: Uint8Array
}

/**
 * What stands around the enclaves that boot: the proof contracts that expect the hash of their image,
 * their signers' registration there, and the prover host in front.
 *
 * @throws RollbedError ISOLATION_UNAVAILABLE, L1_TRANSACTION_FAILED, PORT_BUSY, …
 */
export async function startProving(
  options: ProvingOptions,
  resources: ResourceStack,
): Promise<StartedProving> {
  const { genesis, l1, contracts, host, work, logger } = options
  const { config } = genesis
  const { deployedImage } = options
  const { ownImage, booted, attestationRoot, register } = options.enclaves
  // What is deployed and who is registered share a block: each block takes a slot that is not due yet.
  const registerAll = async () => register(await booted)
  const mineStart = async () => (await registerAll()) || (await l1.mineAhead())
  const deploy = () => deployProofs({ rpcUrl: l1.rpcUrl, mine: mineStart }, genesis, ownImage)
  const [enclaves, , { startProverHost }] = await Promise.all([
    booted,
    deployedImage ? registerAll() : deploy(),
    // Loaded while the enclaves boot.
    import('#devnet/proving/prover/start-prover-host'),
  ])
  const imageHash = deployedImage ?? ownImage
  const proofs = new RecentList<ProofRecord>(MAX_PROOFS)
  if (enclaves.length === 0) {
    return { proverUrl: '', imageHash, enclaves: [], proofs, attestationRoot }
  }

  const { faults, supervisor } = options
  const { lines, engine } = faults
  if (engine) takeRegistryFaults(engine)
  const endpoints = await Promise.all(
    enclaves.map(async ({ cid, endpoint }): Promise<[number, string]> => {
      return [cid, await lines.throughEndpoint(`link:${enclavePart(cid).hostLink}`, endpoint)]
    }),
  )
  const { links } = options
  const [l1RpcUrl, l1BeaconUrl, l2RpcUrl, registryRpcUrl] = await Promise.all([
    links.url('host-l1'),
    lines.through('link:host-beacon', l1.beaconUrl),
    links.url('host-l2'),
    links.url('host-registry'),
  ])
  const hostClock = faults.clockOf('host')
  const hostOptions = {
    ...{ l1RpcUrl, l1BeaconUrl, l2RpcUrl, registryRpcUrl },
    ...hostFacts(config, contracts),
    access: options.access,
    endpoints: new Map(endpoints),
    supervisor: { parts: supervisor, enclaves: enclaves.map(({ cid }) => partName(cid)) },
    kzg: options.kzg,
    profile: options.profile,
    onProof: (record: ProofRecord) => proofs.add(record),
    clock: hostClock,
    work,
    logger,
  }
  const prover = await lines.serve({
    link: 'link:actor-host',
    process: 'process:host',
    ...{ host, port: options.port, service: 'prover host' },
    start: (port) => startProverHost({ ...hostOptions, listen: { host, port } }),
  })
  resources.add(prover)
  return {
    proverUrl: prover.url,
    imageHash,
    attestationRoot,
    enclaves,
    proofs,
  }
}
