import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ALL = [
  ...['virtio', 'virtio_pci', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_ring'].map(
    (name) => `drivers/virtio/${name}`,
  ),
  ...['vmw_vsock_virtio_transport', 'vmw_vsock_virtio_transport_common', 'vsock'].map(
    (name) => `net/vmw_vsock/${name}`,
  ),
]

/**
 * Lays out empty files as a Debian kernel package does.
 * @returns the kernel's path
 */
export function unpackKernel(
  system: string,
  release: string,
  {
    folder = 'lib/modules',
    suffix = '.ko',
    builtIn = [] as string[],
    modules = ALL as readonly string[],
  } = {},
): string {
  const directory = join(system, folder, release)
  const path = join(system, 'boot', `vmlinuz-${release}`)
  const files = [path, ...modules.map((name) => join(directory, `kernel/${name}${suffix}`))]
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'modules.builtin'), builtIn.map((name) => `${name}\n`).join(''))
  return path
}
