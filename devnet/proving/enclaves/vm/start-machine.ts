import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { BaseLogger } from 'pino'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import type { Clock } from '#protocol/clock/clock'
import type { EnclavePlace } from '../boot-enclave.ts'
import { IsolationBroken } from '../check-isolation.ts'
import { type EnclaveProcess, superviseEnclave } from '../supervise-enclave.ts'
import { machineCommand, vsockDeviceCommand } from './machine-commands.ts'
import { startVsockDevice } from './start-vsock-device.ts'
import type { VmTools } from './vm-requirements.ts'
import { writeInitramfs } from './write-initramfs.ts'

/** Milliseconds from power-on to listening: a dozen seconds when nothing else runs. */
const BOOT_TIMEOUT = 180_000

export interface MachineOptions {
  tools: VmTools
  cid: number
  place: EnclavePlace
  nodeBinary: string
  clock: Clock
  logger: BaseLogger
}

/**
 * Boots a guest that runs the image at `place` and listens on AF_VSOCK. Its process id is QEMU's.
 * @throws EnclaveStartFailed with the end of the console; IsolationBroken when the guest finds a
 * network interface
 */
export async function startMachine(options: MachineOptions): Promise<EnclaveProcess> {
  const { tools, cid, place, nodeBinary, clock, logger } = options
  const { directory, imageDir, socketPath: vsock } = place
  const deviceSocket = join(directory, 'device')
  const files = { initramfs: join(directory, 'initramfs'), deviceSocket, vsock }
  const owned = new ResourceStack()
  try {
    const { modules } = tools.kernel
    await writeInitramfs({ path: files.initramfs, imageDir, modules, nodeBinary })
    const device = vsockDeviceCommand(tools, files, cid)
    const { exited: cutOff } = owned.add(await startVsockDevice(device, deviceSocket, clock))

    const [file, ...args] = machineCommand(tools, files)
    const child = spawn(file, args, { env: {}, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let interfaces: unknown
    const onEvent = (event: string, fields: Record<string, unknown>) => {
      if (event !== 'machine') return
      logger.info(fields, 'enclave machine')
      interfaces = fields.interfaces
    }
    const machine = owned.add(
      await superviseEnclave(child, { timeout: BOOT_TIMEOUT, clock, logger, onEvent }),
    )
    const others = networkInterfaces(interfaces)
    if (others.length) throw new IsolationBroken(machine.pid, others)
    // Without its device nothing reaches the guest.
    const exited = Promise.race([machine.exited, cutOff])
    return { ...machine, exited, stop: () => owned.stop() }
  } catch (error) {
    await owned.stop()
    throw error
  }
}

/** What is wrong with the interfaces that the guest's kernel lists (ENC-PROTO-02). */
function networkInterfaces(listed: unknown): string[] {
  if (!Array.isArray(listed)) return ['it does not tell its network interfaces']
  return listed
    .filter((name) => name !== 'lo')
    .map((name) => `it has the network interface ${name}`)
}
