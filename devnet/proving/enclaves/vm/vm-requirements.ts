import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { type GuestKernel, readGuestKernel } from './guest-kernel.ts'

/** Something that enclaves in virtual machines want of this machine. */
export interface VmRequirement {
  name: string
  /** Where it is; undefined: missing. */
  found: string | undefined
  /** How to get it on Debian. */
  advice: string
}

export interface VmTools {
  qemu: string
  vsockDevice: string
  setpriv: string
  kernel: GuestKernel
}

/** Where to look. */
export interface VmSearch {
  platform: string
  arch: string
  /** PATH, and the variables that name a file: ROLLBED_VM_QEMU, ROLLBED_VM_VSOCK, ROLLBED_VM_KERNEL. */
  env: NodeJS.ProcessEnv
  /** The folder of the installed kernels. */
  boot: string
}

const ADVICE = {
  qemu: 'install qemu-system-x86, or name the program in ROLLBED_VM_QEMU',
  vsockDevice:
    'install vhost-device-vsock (Debian sid; elsewhere `cargo install vhost-device-vsock`), or name the program in ROLLBED_VM_VSOCK',
  setpriv: 'install util-linux',
  kernel:
    'install linux-image-cloud-amd64, or unpack it and name its boot/vmlinuz-… in ROLLBED_VM_KERNEL',
}

const thisMachine = (): VmSearch => ({
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  boot: '/boot',
})

/** Everything that `rollbed up --enclaves vm` wants, in the order to see to it. */
export function vmRequirements(search: VmSearch = thisMachine()): VmRequirement[] {
  const { platform, arch } = search
  const { qemu, vsockDevice, setpriv, kernel } = findTools(search)
  const fits = platform === 'linux' && arch === 'x64'
  return [
    {
      name: 'Linux on x86-64',
      found: fits ? `${platform} ${arch}` : undefined,
      advice: `the guest is not made for ${platform} ${arch}`,
    },
    { name: 'qemu-system-x86_64', found: qemu, advice: ADVICE.qemu },
    { name: 'vhost-device-vsock', found: vsockDevice, advice: ADVICE.vsockDevice },
    { name: 'kernel with vsock', found: kernel?.path, advice: ADVICE.kernel },
    { name: 'setpriv', found: setpriv, advice: ADVICE.setpriv },
  ]
}

/** @throws VmUnavailable */
export function requireVmTools(search: VmSearch = thisMachine()): VmTools {
  const missing = vmRequirements(search).filter(({ found }) => found === undefined)
  if (missing.length) throw new VmUnavailable(missing)
  return findTools(search) as VmTools
}

function findTools({ env, boot }: VmSearch): Partial<VmTools> {
  const program = (name: string, override?: string) =>
    override ? executable(override) : onPath(name, env)
  const { ROLLBED_VM_KERNEL: named } = env
  return {
    qemu: program('qemu-system-x86_64', env.ROLLBED_VM_QEMU),
    vsockDevice: program('vhost-device-vsock', env.ROLLBED_VM_VSOCK),
    setpriv: program('setpriv'),
    kernel: named ? readGuestKernel(named) : installedKernel(boot),
  }
}

function onPath(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter(Boolean)
  return folders.map((folder) => executable(join(folder, name))).find(Boolean)
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK)
    return path
  } catch {
    return undefined
  }
}

/** A kernel for the cloud where there is one: it has fewer drivers to go through. */
function installedKernel(boot: string): GuestKernel | undefined {
  const names = listed(boot).filter((name) => name.startsWith('vmlinuz-'))
  names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const isCloud = (name: string) => name.includes('cloud')
  const ordered = [...names.filter(isCloud), ...names.filter((name) => !isCloud(name))]
  return ordered.map((name) => readGuestKernel(join(boot, name))).find(Boolean)
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export class VmUnavailable extends RollbedError {
  constructor(missing: VmRequirement[]) {
    const names = missing.map(({ name }) => name).join(', ')
    super('VM_UNAVAILABLE', `Enclaves in virtual machines cannot start here: missing ${names}.`, {
      hint: "'rollbed doctor' says where to get what is missing.",
    })
  }
}
