import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BaseLogger } from 'pino'
import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { imageFiles } from '#enclave/image/image-files'
import { type Measurement, measureImage } from '#enclave/image/measure-image'
import type { Issued } from '#enclave/security-module/sim/issue-certificate'
import { serveSecurityModule } from '#enclave/security-module/sim/serve-security-module'
import {
  createSimSecurityModule,
  type SimSecurityModule,
} from '#enclave/security-module/sim/sim-security-module'
import { securityModulePath } from '#enclave/security-module/stream-channel'
import { connect } from '#enclave/vsock/connect'
import {
  ENCLAVE_PORT,
  type Endpoint,
  formatEndpoint,
  SOCKET_PATH_MAX,
} from '#enclave/vsock/endpoint'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Clock } from '#protocol/clock/clock'
import { addressOf } from '#protocol/journal/signer'
import type { Rng } from '#protocol/random/rng'
import type { Hex } from '#protocol/types/bytes'
import { enclaveClient } from '../prover/enclave-client.ts'
import type { EnclaveProcess } from './supervise-enclave.ts'

export interface BootEnclaveOptions {
  /** Context id: the number a host knows this enclave by. */
  cid: number
  /** As `buildImage` made it. It is copied, and the copy is measured and run. */
  imageDir: string
  /** Trust root of the simulated security module: `createSimRoot`. */
  root: Issued
  /** Of the security module: what attestations and certificates are dated by. */
  clock: Clock
  /** By which the process may be slow. @default clock */
  machine?: Clock
  /** Source of the security module's randomness, and so of the signer key. */
  rng: Rng
  logger: BaseLogger
  /** Where the enclave's own temporary directory is made. @default os.tmpdir() */
  workDir?: string
  /** That of an enclave that is gone, to be reached at the same endpoint. @default a new one */
  directory?: string | undefined
}

export interface BootedEnclave extends Omit<EnclaveDescription, 'kind'>, EnclaveProcess {
  /** 65 bytes, uncompressed. */
  publicKey: Hex
  /** Its own temporary directory. */
  directory: string
}

/** What an enclave is started from and reached by, in its own temporary directory. */
export interface EnclavePlace {
  directory: string
  imageDir: string
  /** Hybrid vsock: the enclave's port is behind it, the security module beside it. */
  socketPath: string
}

/** Of an enclave in local mode (JRN-19). */
const UNMEASURED: Measurement = { pcr0: `0x${'00'.repeat(48)}`, imageHash: `0x${'00'.repeat(32)}` }

/** Its line is held, for an enclave ends with its parent; whoever asks for something is cut off. */
const noSecurityModule: SimSecurityModule = {
  moduleId: '',
  respond() {
    throw new Error('there is no security module in local mode')
  },
}

/** Longest name in an enclave's directory: the socket of the security module. */
const SOCKET_NAME = 'vsock'

/**
 * Plays the hypervisor of one enclave, whatever that runs in: measures a copy of the image, serves
 * the security module, has the enclave started, and asks it for its key. Stopping, like a failed
 * start, leaves no process, socket or file.
 */
export async function bootEnclave(
  options: BootEnclaveOptions,
  start: (place: EnclavePlace, owned: ResourceStack) => Promise<EnclaveProcess>,
): Promise<BootedEnclave> {
  const { cid, root, clock, machine = clock, rng } = options
  const owned = new ResourceStack()
  try {
    const directory = options.directory ?? (await newDirectory(options.workDir ?? tmpdir()))
    await mkdir(directory, { recursive: true, mode: 0o700 })
    owned.defer(() => rm(directory, { recursive: true, force: true }))
    const imageDir = join(directory, 'image')
    await cp(options.imageDir, imageDir, { recursive: true })
    const isLocal = existsSync(join(imageDir, imageFiles.local))
    const { pcr0, imageHash } = isLocal ? UNMEASURED : measureImage(imageDir)

    const socketPath = join(directory, SOCKET_NAME)
    const module = isLocal
      ? noSecurityModule
      : createSimSecurityModule({ pcr0: hexToBytes(pcr0), root, clock, rng })
    const path = securityModulePath(socketPath)
    const served = await serveSecurityModule({ path, module, clock: machine })
    owned.defer(() => served.close())

    const { pid, exited } = await start({ directory, imageDir, socketPath }, owned)
    const endpoint: Endpoint = { kind: 'unix', path: socketPath, port: ENCLAVE_PORT }
    const waiting = { clock: machine }
    const client = enclaveClient({ cid, ...waiting, connect: () => connect(endpoint, waiting) })
    const publicKey = await client.signerPublicKey()
    return {
      cid,
      endpoint: formatEndpoint(endpoint),
      pcr0,
      imageHash,
      signer: addressOf(publicKey),
      publicKey: bytesToHex(publicKey),
      directory,
      pid,
      exited,
      stop: () => owned.stop(),
    }
  } catch (error) {
    await owned.stop()
    throw error
  }
}

/** A UNIX socket path is short; some systems have a long temporary directory. */
async function newDirectory(parent: string): Promise<string> {
  const longest = securityModulePath(join(parent, 'rollbed-XXXXXX', SOCKET_NAME))
  if (Buffer.byteLength(longest) > SOCKET_PATH_MAX) return makeRunFolder('/tmp')
  return await mkdtemp(join(parent, 'rollbed-'))
}
