import { join } from 'node:path'
import type { Logger } from 'pino'
import type { EnclaveDescription, EnclaveKind } from '#devnet/base/options/devnet-description'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { L1 } from '#devnet/l1/start-l1'
import type { BootedEnclave } from '#devnet/proving/enclaves/boot-enclave'
import { launchEnclave } from '#devnet/proving/enclaves/launch-enclave'
import type { Launchers } from '#devnet/proving/enclaves/start-launchers'
import { launchVmEnclave } from '#devnet/proving/enclaves/vm/launch-vm-enclave'
import { requireVmTools } from '#devnet/proving/enclaves/vm/vm-requirements'
import { buildImage } from '#enclave/image/build-image'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { systemRng } from '#protocol/random/rng'
import type { Hash } from '#protocol/types/bytes'
import { asOfFirstDay } from '../genesis/as-of-first-day.ts'
import type { RollupGenesis } from '../genesis/rollup-genesis.ts'
import {
  type EnclavePart,
  enclaveParts,
  type RegisterSigners,
  signersOf,
} from '../parts/enclave-part.ts'
import { keepEnclave } from './keep-enclave.ts'

/** JRN-19. */
const LOCAL_IMAGE_HASH: Hash = `0x${'00'.repeat(32)}`

export interface EnclaveBase {
  genesis: RollupGenesis
  l1: Pick<L1, 'rpcUrl' | 'mineAhead'>
  supervisor: Supervisor
  /** For the first life of each enclave. */
  launchers: Pick<Launchers, 'take'>
  /** What the contracts on L1 accept, where they are there already. */
  deployedImage?: Hash | undefined
  /** Where the devnet takes faults. */
  engine?: FaultEngine | undefined
  recorder?: EventRecorder | undefined
  workDir: string
  logger: Logger
}

export interface BegunEnclaves {
  /** Hash of the image that this devnet builds. */
  ownImage: Hash
  /** DER of the simulated hypervisors' root. */
  attestationRoot: Uint8Array
  /** Once each of them told its key. */
  booted: Promise<EnclaveDescription[]>
  /** The contracts have to be there, or on their way into that block. @throws L1_TRANSACTION_FAILED */
  register: RegisterSigners
}

/**
 * Builds one enclave image with this chain measured in, and begins to boot the enclaves that run it.
 * That takes longer than all else in a start and needs no more than the genesis, so the rest goes on
 * beside it. `resources` owns what comes of it, also when the devnet stops before.
 *
 * @throws RollbedError STATE_OF_OTHER_IMAGE; VmUnavailable, before anything boots; `booted` rejects with ISOLATION_UNAVAILABLE, …
 */
export async function beginEnclaves(
  settings: DevnetSettings,
  base: EnclaveBase,
  resources: ResourceStack,
): Promise<BegunEnclaves> {
  const { clock, machine, enclaves: kinds, insecureNoIsolation } = settings
  const { l1, supervisor, launchers, engine, recorder, workDir, logger } = base
  const { config } = base.genesis
  const isLocal = kinds.includes('local')
  if (kinds.includes('vm')) requireVmTools()
  // One image for all: an enclave counts by what it measures, wherever it runs.
  const build = (name: string, chain: RollupConfig) =>
    buildImage({
      outDir: join(workDir, name),
      chains: [chain],
      transport: kinds.includes('vm') ? 'vsock' : 'hybrid',
      local: isLocal,
    })
  const building = build('image', config)
  // Keys are never drawn from a seed: they must differ at every boot (ENC-START-05, ENC-START-09).
  const rng = systemRng
  const root = createSimRoot({ clock, rng })
  const image = await building
  // Built once, by the first fault that wants it.
  const old = asOfFirstDay(config)
  const oldImage = lazy(() => build('old-image', old ?? config))
  const ownImage = isLocal ? LOCAL_IMAGE_HASH : image.imageHash
  const { deployedImage: deployed = ownImage } = base
  if (deployed !== ownImage && kinds.length > 0) throw otherImage(deployed, ownImage)

  const common = { root, rng, workDir, clock, machine, logger }
  const launch = async (
    kind: EnclaveKind,
    { cid }: EnclavePart,
    { directory, isOld }: { directory: string | undefined; isOld: boolean },
  ): Promise<EnclaveDescription & BootedEnclave> => {
    const { dir: imageDir } = isOld ? await oldImage() : image
    const options = { ...common, imageDir, cid, directory }
    if (kind === 'vm') return await launchVmEnclave(options)
    return { ...(await launchEnclave({ ...options, launchers, insecureNoIsolation })), kind }
  }
  const owner = { rpcUrl: l1.rpcUrl, chainId: config.l1ChainId, mine: () => l1.mineAhead() }
  // What cannot attest, no registrar can register; others are seen by it.
  const register = signersOf(owner, { leftToRegistrar: settings.actors && !isLocal })
  const owned = new ResourceStack()
  const boots = enclaveParts(kinds.length).map((part, index) =>
    keepEnclave({
      ...{ part, register, supervisor, engine, recorder, resources: owned },
      launch: (directory, isOld) => launch(kinds[index]!, part, { directory, isOld }),
      hasOldImage: old !== undefined,
    }),
  )
  const booted = Promise.all(boots)
  // Where one fails the others still boot: none may find its folder gone.
  const settled = Promise.allSettled(boots)
  booted.catch(nothing)
  resources.defer(async () => {
    await settled
    await owned.stop()
  })
  return { ownImage, attestationRoot: root.certificate, booted, register }
}

function nothing(): void {}

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
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
