import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A kernel that can have AF_VSOCK. */
export interface GuestKernel {
  path: string
  /** As `uname -r` says it there. */
  release: string
  /** Files to load, in this order; parts that are built in are not among them. */
  modules: string[]
}

/** All that AF_VSOCK over a virtio PCI device takes, each after what it needs. */
const MODULES = [
  'drivers/virtio/virtio_ring',
  'drivers/virtio/virtio',
  'drivers/virtio/virtio_pci_modern_dev',
  'drivers/virtio/virtio_pci_legacy_dev',
  'drivers/virtio/virtio_pci',
  'net/vmw_vsock/vsock',
  'net/vmw_vsock/vmw_vsock_virtio_transport_common',
  'net/vmw_vsock/vmw_vsock_virtio_transport',
]
/** Without these nothing works; how the rest is cut differs between versions. */
const ESSENTIAL = ['drivers/virtio/virtio_pci', 'net/vmw_vsock/vmw_vsock_virtio_transport']
/** As distributions compress them; the kernel that loads them knows its own. */
const SUFFIXES = ['.ko', '.ko.xz', '.ko.zst', '.ko.gz']

/**
 * The kernel at `…/boot/vmlinuz-RELEASE` with its modules from `…/lib/modules/RELEASE`: installed, or
 * unpacked anywhere. Undefined when it cannot be read, or has no virtio-vsock.
 */
export function readGuestKernel(path: string): GuestKernel | undefined {
  const release = basename(path).replace(/^vmlinuz-/, '')
  const system = join(dirname(path), '..')
  const directory = ['lib/modules', 'usr/lib/modules']
    .map((folder) => join(system, folder, release))
    .find((folder) => existsSync(join(folder, 'modules.builtin')))
  if (!directory || !isReadable(path)) return undefined

  const builtIn = new Set(readFileSync(join(directory, 'modules.builtin'), 'utf8').split('\n'))
  const fileOf = (name: string) =>
    SUFFIXES.map((suffix) => join(directory, `kernel/${name}${suffix}`)).find(existsSync)
  const isThere = (name: string) => builtIn.has(`kernel/${name}.ko`) || fileOf(name) !== undefined
  if (!ESSENTIAL.every(isThere)) return undefined
  return { path, release, modules: MODULES.flatMap((name) => fileOf(name) ?? []) }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
