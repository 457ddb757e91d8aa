import { join } from 'node:path'
import { imageFiles } from '#enclave/image/image-files'
import { type BootEnclaveOptions, type BootedEnclave, bootEnclave } from './boot-enclave.ts'
import { checkIsolation } from './check-isolation.ts'
import {
  availableIsolation,
  type Isolation,
  IsolationUnavailable,
  isIsolated,
} from './isolation.ts'
import { startEnclaveProcess } from './start-enclave-process.ts'
import type { Launchers } from './start-launchers.ts'

export interface LaunchEnclaveOptions extends BootEnclaveOptions {
  /** @default process.execPath */
  nodeBinary?: string
  /** @default the strongest this machine allows */
  isolation?: Isolation
  /** Launch even where nothing keeps the enclave from the network. @default false */
  insecureNoIsolation?: boolean
  /** Begun before, of the strongest isolation. @default none */
  launchers?: Pick<Launchers, 'take'> | undefined
}

export interface RunningEnclave extends BootedEnclave {
  kind: 'sim'
  /** What it was launched with and what was checked. */
  isolation: Isolation
}

/**
 * Launches a simulated enclave as its own process with an empty environment. Resolves once the
 * enclave told its key over its socket; stopping leaves no process, socket or file.
 *
 * @throws IsolationUnavailable, EnclaveStartFailed, IsolationBroken
 * @example
 * const enclave = await launchEnclave({ cid: 16, imageDir, root, clock, rng: systemRng, logger })
 * await enclave.stop()
 */
export async function launchEnclave(options: LaunchEnclaveOptions): Promise<RunningEnclave> {
  const { machine: clock = options.clock, logger, nodeBinary = process.execPath } = options
  const isolation = options.isolation ?? (await availableIsolation())
  if (!isIsolated(isolation) && !options.insecureNoIsolation)
    throw new IsolationUnavailable(isolation)
  const { launchers } = options
  const enclave = await bootEnclave(options, async ({ imageDir }, owned) => {
    const program = join(imageDir, imageFiles.program)
    const own = { isolation, nodeBinary, imageDir, program, launchers, clock, logger }
    const child = owned.add(await startEnclaveProcess(own))
    await checkIsolation(isolation, child.pid)
    return child
  })
  return { ...enclave, kind: 'sim', isolation }
}
