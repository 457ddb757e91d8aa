import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readGuestKernel } from './guest-kernel.ts'
import { unpackKernel } from './testing/unpack-kernel.ts'

let system: string
beforeEach(() => {
  system = mkdtempSync(join(tmpdir(), 'rb-'))
})
afterEach(() => rmSync(system, { recursive: true }))

const names = (modules: string[] | undefined) =>
  modules?.map((path) => path.slice(path.lastIndexOf('/') + 1))

describe('a kernel', () => {
  test('when read, then it has its release and the modules of virtio-vsock, each after what it needs', () => {
    const kernel = readGuestKernel(unpackKernel(system, '6.1.0-9-cloud-amd64'))
    expect(kernel?.release).toBe('6.1.0-9-cloud-amd64')
    // The order in which modprobe loads them, by their own `depends`.
    expect(names(kernel?.modules)).toEqual([
      'virtio_ring.ko',
      'virtio.ko',
      'virtio_pci_modern_dev.ko',
      'virtio_pci_legacy_dev.ko',
      'virtio_pci.ko',
      'vsock.ko',
      'vmw_vsock_virtio_transport_common.ko',
      'vmw_vsock_virtio_transport.ko',
    ])
  })

  test('given compressed modules, under /usr, and parts built in, then it is read as well', () => {
    const builtIn = ['virtio_ring', 'virtio', 'virtio_pci'].map(
      (name) => `kernel/drivers/virtio/${name}.ko`,
    )
    const path = unpackKernel(system, '6.12.1-amd64', {
      folder: 'usr/lib/modules',
      suffix: '.ko.xz',
      builtIn,
      modules: ['net/vmw_vsock/vsock', 'net/vmw_vsock/vmw_vsock_virtio_transport'],
    })
    expect(names(readGuestKernel(path)?.modules)).toEqual([
      'vsock.ko.xz',
      'vmw_vsock_virtio_transport.ko.xz',
    ])
  })

  test.each([
    ['is not there', () => join(system, 'boot/vmlinuz-none')],
    [
      'has no virtio-vsock',
      () => unpackKernel(system, '6.1', { modules: ['drivers/virtio/virtio_pci'] }),
    ],
    ['is another than its modules', () => renamed(unpackKernel(system, '6.1'))],
  ])('given one that %s, then it is none', (_what, path) => {
    expect(readGuestKernel(path())).toBeUndefined()
  })

  function renamed(path: string): string {
    const other = join(dirname(path), 'vmlinuz-5.10')
    mkdirSync(dirname(other), { recursive: true })
    writeFileSync(other, '')
    return other
  }
})
