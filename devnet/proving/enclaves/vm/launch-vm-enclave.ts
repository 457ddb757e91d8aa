import { type BootEnclaveOptions, type BootedEnclave, bootEnclave } from '../boot-enclave.ts'
import { startMachine } from './start-machine.ts'
import { requireVmTools, type VmTools } from './vm-requirements.ts'

export interface LaunchVmEnclaveOptions extends BootEnclaveOptions {
  /** @default what this machine has */
  tools?: VmTools
}

export interface VmEnclave extends BootedEnclave {
  kind: 'vm'
}

/**
 * Launches an enclave in a virtual machine without a network, on real AF_VSOCK: a dozen seconds. The
 * image must be built for it: `buildImage({ transport: 'vsock' })`. Its measurement is that of a
 * simulated enclave: the image, not the kernel and Node around it.
 *
 * @throws VmUnavailable, EnclaveStartFailed, IsolationBroken
 */
export async function launchVmEnclave(options: LaunchVmEnclaveOptions): Promise<VmEnclave> {
  const { cid, machine: clock = options.clock, logger, tools = requireVmTools() } = options
  const nodeBinary = process.execPath
  const enclave = await bootEnclave(options, async (place, owned) =>
    owned.add(await startMachine({ tools, cid, place, nodeBinary, clock, logger })),
  )
  return { ...enclave, kind: 'vm' }
}
