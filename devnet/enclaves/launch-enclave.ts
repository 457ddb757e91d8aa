import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { BaseLogger } from 'pino'
import type { Clock } from '../../enclave-sim/clock/clock.ts'
import type { Hex } from '../../enclave-sim/execution/types.ts'
import { imageFiles } from '../../enclave-sim/image/image-files.ts'
import { measureImage } from '../../enclave-sim/image/measure-image.ts'
import { addressOf } from '../../enclave-sim/journal/signer.ts'
import type { Rng } from '../../enclave-sim/random/rng.ts'
import type { Issued } from '../../enclave-sim/security-module/sim/issue-certificate.ts'
import { serveSecurityModule } from '../../enclave-sim/security-module/sim/serve-security-module.ts'
import { createSimSecurityModule } from '../../enclave-sim/security-module/sim/sim-security-module.ts'
import { securityModulePath } from '../../enclave-sim/security-module/stream-channel.ts'
import { connect } from '../../enclave-sim/vsock/connect.ts'
import {
  ENCLAVE_PORT,
  type Endpoint,
  formatEndpoint,
  SOCKET_PATH_MAX,
} from '../../enclave-sim/vsock/endpoint.ts'
import type { EnclaveDescription } from '../config.ts'
import { type OwnedResource, ResourceStack } from '../process/owned-resource.ts'
import { enclaveClient } from '../prover/enclave-client.ts'
import { checkIsolation } from './check-isolation.ts'
import { startEnclaveProcess } from './enclave-process.ts'
import {
  availableIsolation,
  type Isolation,
  IsolationUnavailable,
  isIsolated,
} from './isolation.ts'

export interface LaunchEnclaveOptions {
  /** Context id: the number a host knows this enclave by. */
  cid: number
  /** As `buildImage` made it. It is copied, and the copy is measured and run. */
  imageDir: string
  /** Trust root of the simulated security module: `createSimRoot`. */
  root: Issued
  clock: Clock
  /** Source of the security module's randomness, and so of the signer key. */
  rng: Rng
  logger: BaseLogger
  /** Where the enclave's own temporary directory is made. @default os.tmpdir() */
  workDir?: string
  /** @default process.execPath */
  nodeBinary?: string
  /** @default the strongest this machine allows */
  isolation?: Isolation
  /** Launch even where nothing keeps the enclave from the network. @default false */
  insecureNoIsolation?: boolean
}

export interface RunningEnclave extends EnclaveDescription, OwnedResource {
  /** 65 bytes, uncompressed. */
  publicKey: Hex
  pid: number
  /** What it was launched with and what was checked. */
  isolation: Isolation
  /** Resolves when the process ended, with why. */
  exited: Promise<string>
}

/** Longest name in an enclave's directory: the socket of the security module. */
const SOCKET_NAME = 'vsock'

/**
 * Launches a simulated enclave as its own process with an empty environment, and plays its
 * hypervisor: measures the image and serves the security module. Resolves once the enclave told its
 * key over its socket; stopping leaves no process, socket or file.
 *
 * @throws IsolationUnavailable, EnclaveStartFailed, IsolationBroken
 * @example
 * const enclave = await launchEnclave({ cid: 16, imageDir, root, clock, rng: systemRng, logger })
 * await enclave.stop()
 */
export async function launchEnclave(options: LaunchEnclaveOptions): Promise<RunningEnclave> {
  const { cid, root, clock, rng, nodeBinary = process.execPath } = options
  const logger = options.logger
  const isolation = options.isolation ?? (await availableIsolation())
  if (!isIsolated(isolation) && !options.insecureNoIsolation)
    throw new IsolationUnavailable(isolation)
  const owned = new ResourceStack()
  try {
    const directory = await mkdtemp(join(shortDirectory(options.workDir ?? tmpdir()), 'rollbed-'))
    owned.defer(() => rm(directory, { recursive: true, force: true }))
    const imageDir = join(directory, 'image')
    await cp(options.imageDir, imageDir, { recursive: true })
    const { pcr0, imageHash } = measureImage(imageDir)

    const socketPath = join(directory, SOCKET_NAME)
    const module = createSimSecurityModule({ pcr0: hexToBytes(pcr0), root, clock, rng })
    const served = await serveSecurityModule({
      path: securityModulePath(socketPath),
      module,
      clock,
    })
    owned.defer(() => served.close())

    const program = join(imageDir, imageFiles.program)
    const child = owned.add(
      await startEnclaveProcess({ isolation, nodeBinary, imageDir, program, clock, logger }),
    )
    await checkIsolation(isolation, child.pid)

    const endpoint: Endpoint = { kind: 'unix', path: socketPath, port: ENCLAVE_PORT }
    const client = enclaveClient({ cid, clock, connect: () => connect(endpoint, { clock }) })
    const publicKey = await client.signerPublicKey()
    return {
      cid,
      kind: 'sim',
      endpoint: formatEndpoint(endpoint),
      pcr0,
      imageHash,
      signer: addressOf(publicKey),
      publicKey: bytesToHex(publicKey),
      pid: child.pid,
      isolation,
      exited: child.exited,
      stop: () => owned.stop(),
    }
  } catch (error) {
    await owned.stop()
    throw error
  }
}

/** A UNIX socket path is short; some systems have a long temporary directory. */
function shortDirectory(directory: string): string {
  const longest = securityModulePath(join(directory, 'rollbed-XXXXXX', SOCKET_NAME))
  return Buffer.byteLength(longest) > SOCKET_PATH_MAX ? '/tmp' : directory
}
