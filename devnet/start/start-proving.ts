import { join } from 'node:path'
import type { Logger } from 'pino'
import { buildImage } from '../../enclave-sim/image/build-image.ts'
import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { configHash } from '../../enclave-sim/protocol/derivation/config-hash.ts'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'
import { outputRoot } from '../../enclave-sim/protocol/execution/output-root.ts'
import { systemRng } from '../../enclave-sim/protocol/random/rng.ts'
import type { Hash } from '../../enclave-sim/protocol/types/bytes.ts'
import { createSimRoot } from '../../enclave-sim/security-module/sim/certificate-chain.ts'
import { roleKeys, userKeys } from '../../fixtures/chain/dev-keys.ts'
import { RecentList } from '../dashboard/recent-list.ts'
import type { EnclaveDescription, EnclaveKind, Profile } from '../devnet-description.ts'
import type { BootedEnclave } from '../enclaves/boot-enclave.ts'
import { launchEnclave } from '../enclaves/launch-enclave.ts'
import { launchVmEnclave } from '../enclaves/vm/launch-vm-enclave.ts'
import { CHILD_FAULTS, childFaults } from '../faults/child-faults.ts'
import type { DevnetFaults } from '../faults/devnet-faults.ts'
import type { AccessOptions } from '../json-rpc/guard-access.ts'
import type { OpenWork } from '../json-rpc/open-work.ts'
import type { Kzg } from '../l1/blobs/kzg.ts'
import { deployProofContracts } from '../l1/deploy-proof-contracts.ts'
import type { L1Addresses } from '../l1/l1-contract-addresses.ts'
import { registerDevSigner } from '../l1/register-dev-signer.ts'
import type { L1 } from '../l1/start-l1.ts'
import type { ResourceStack } from '../process/owned-resource.ts'
import type { ProofRecord } from '../prover/proof-service.ts'
import { enclavePart } from '../supervisor/enclave-part.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'
import { keepEnclave } from './keep-enclave.ts'
import type { RollupGenesis } from './rollup-genesis.ts'

/** The first CID; vsock reserves 0 to 2, and Nitro hands out higher ones. */
const FIRST_CID = 16

/** JRN-19. */
const LOCAL_IMAGE_HASH: Hash = `0x${'00'.repeat(32)}`

/** Proofs that the dashboard remembers. */
const MAX_PROOFS = 50

export interface ProvingOptions {
  genesis: RollupGenesis
  l1: L1
  kzg: Kzg
  contracts: L1Addresses
  l2RpcUrl: string
  faults: DevnetFaults
  /** One enclave each; those in local mode are alone, for no other image counts beside zeros. */
  enclaves: readonly EnclaveKind[]
  /** Leave registration to the registrar, which registers by attestation. */
  registerLater: boolean
  insecureNoIsolation: boolean
  host: string
  port: number
  access: AccessOptions
  supervisor: Supervisor
  profile: Profile
  workDir: string
  /** What the contracts on L1 accept, where they are there already. */
  deployedImage: Hash | undefined
  version: string
  clock: Clock
  /** By which processes start. */
  machine: Clock
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
 * Everything that proves: one enclave image with this chain measured in, the enclaves that run it,
 * the proof contracts that expect its hash, and the prover host in front. Unless
 * that is left to a registrar, each enclave's signer is registered by the owner-only dev path.
 *
 * @throws RollbedError STATE_OF_OTHER_IMAGE
 */
export async function startProving(
  options: ProvingOptions,
  resources: ResourceStack,
): Promise<StartedProving> {
  const { genesis, l1, contracts, host, clock, machine, work, logger, workDir } = options
  const { config } = genesis
  const kinds = options.enclaves
  const isLocal = kinds.includes('local')
  // One image for all: an enclave counts by what it measures, wherever it runs.
  const image = await buildImage({
    outDir: join(workDir, 'image'),
    chains: [config],
    transport: kinds.includes('vm') ? 'vsock' : 'hybrid',
    local: isLocal,
  })
  // Keys are never drawn from a seed: they must differ at every boot (ENC-START-05, ENC-START-09).
  const rng = systemRng
  const root = createSimRoot({ clock, rng })
  const owner = { rpcUrl: l1.rpcUrl, chainId: config.l1ChainId, mine: () => l1.mine() }
  const { insecureNoIsolation } = options
  const common = { imageDir: image.dir, root, rng, workDir, clock, machine, logger }
  const launch = async (
    kind: EnclaveKind,
    index: number,
    directory: string | undefined,
  ): Promise<EnclaveDescription & BootedEnclave> => {
    const told = { ...common, cid: FIRST_CID + index, directory }
    if (kind === 'vm') return await launchVmEnclave(told)
    return { ...(await launchEnclave({ ...told, insecureNoIsolation })), kind }
  }
  const register = async ({ signer, imageHash }: EnclaveDescription) => {
    // What cannot attest, no registrar can register; others are seen by it.
    if (!options.registerLater || isLocal) await registerDevSigner(owner, signer, imageHash)
  }
  const { supervisor } = options
  const keep = (kind: EnclaveKind, index: number) =>
    keepEnclave({
      launch: (directory) => launch(kind, index, directory),
      onReplaced: register,
      supervisor,
      resources,
    })

  const ourImage = isLocal ? LOCAL_IMAGE_HASH : image.imageHash
  const { deployedImage: imageHash = ourImage } = options
  if (imageHash !== ourImage && kinds.length > 0) throw otherImage(imageHash, ourImage)
  const deploy = () =>
    deployProofContracts({
      ...owner,
      l2GenesisOutputRoot: outputRoot({ ...genesis.block.header, hash: genesis.block.hash }),
      configHash: configHash(config),
      l2ChainId: config.l2ChainId,
      teeImageHash: ourImage,
      proposers: [
        roleKeys.proposer.address,
        roleKeys.challenger.address,
        ...userKeys.map(({ address }) => address),
      ],
    })
  const [enclaves, , { startProverHost }] = await Promise.all([
    Promise.all(kinds.map(keep)),
    options.deployedImage ? undefined : deploy(),
    // Loaded while the enclaves boot.
    import('../prover/start-prover-host.ts'),
  ])
  for (const enclave of enclaves) await register(enclave)
  const attestationRoot = root.certificate
  const proofs = new RecentList<ProofRecord>(MAX_PROOFS)
  if (enclaves.length === 0) {
    return { proverUrl: '', imageHash, enclaves: [], proofs, attestationRoot }
  }

  const { faults } = options
  const { lines, engine } = faults
  for (const { cid } of enclaves) {
    const part = enclavePart(cid)
    engine?.register(
      `process:enclave.${cid}`,
      childFaults(() => supervisor.pidOf(part)),
      CHILD_FAULTS,
    )
  }
  const endpoints = await Promise.all(
    enclaves.map(async ({ cid, endpoint }): Promise<[number, string]> => {
      return [cid, await lines.throughEndpoint(`link:host-enclave.${cid}`, endpoint)]
    }),
  )
  const [l1RpcUrl, l1BeaconUrl, l2RpcUrl, registryRpcUrl] = await Promise.all([
    lines.through('link:host-l1', l1.rpcUrl),
    lines.through('link:host-beacon', l1.beaconUrl),
    lines.through('link:host-l2', options.l2RpcUrl),
    lines.through('link:host-registry', l1.rpcUrl),
  ])
  const hostClock = faults.clockOf('host')
  const told = {
    ...{ l1RpcUrl, l1BeaconUrl, l2RpcUrl, registryRpcUrl },
    chainId: config.l2ChainId,
    chains: new Map([[BigInt(config.l2ChainId), config]]),
    access: options.access,
    endpoints: new Map(endpoints),
    supervisor: { parts: supervisor, enclaves: enclaves.map(({ cid }) => enclavePart(cid)) },
    registryAddress: contracts.teeProverRegistry,
    kzg: options.kzg,
    profile: options.profile,
    onProof: (record: ProofRecord) => proofs.add(record),
    version: options.version,
    clock: hostClock,
    work,
    logger,
  }
  const prover = await lines.serve({
    link: 'link:actor-host',
    process: 'process:host',
    ...{ host, port: options.port, service: 'prover host' },
    start: (port) => startProverHost({ ...told, listen: { host, port } }),
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

function otherImage(deployed: Hash, ours: Hash): RollbedError {
  return new RollbedError(
    'STATE_OF_OTHER_IMAGE',
    `The contracts on this folder's L1 accept proofs of the enclave image ${deployed}, and this rollbed has ${ours}.`,
    {
      hint: 'Go on without proofs by --enclaves none, with the rollbed that began the folder, or begin anew in another --state folder.',
    },
  )
}
