import { describe, expect, test } from 'vitest'
import { machineCommand, vsockDeviceCommand } from './machine-commands.ts'

const tools = {
  qemu: '/q',
  vsockDevice: '/d',
  setpriv: '/s',
  kernel: { path: '/boot/vmlinuz-6.1', release: '6.1', modules: [] },
}
const files = { initramfs: '/r/initramfs', deviceSocket: '/r/device', vsock: '/r/vsock' }
const machine = machineCommand(tools, files)

/** Values of a flag, in order. */
const values = (flag: string) =>
  machine.flatMap((argument, index) => (argument === flag ? [machine[index + 1]] : []))

describe('a machine', () => {
  test('then it has the vsock device and a console, and no network card (ENC-PROTO-02)', () => {
    expect(machine).toContain('-nodefaults')
    expect(values('-nic')).toEqual(['none'])
    expect(values('-device')).toEqual(['vhost-user-vsock-pci,chardev=vsock'])
    expect(values('-serial')).toEqual(['stdio'])
    for (const flag of ['-netdev', '-net', '-drive', '-monitor', '-qmp'])
      expect(machine).not.toContain(flag)
  })

  // The device reads the guest's queues in its memory.
  test('then it shares a bounded memory with its vsock device', () => {
    const [size] = values('-m')
    expect(Number(size)).toBeLessThanOrEqual(1024)
    expect(values('-object')).toEqual([`memory-backend-memfd,id=memory,size=${size}M,share=on`])
    expect(values('-machine')).toEqual(['q35,memory-backend=memory'])
    expect(values('-chardev')).toEqual(['socket,id=vsock,path=/r/device'])
  })

  test('then it boots the kernel with the initramfs, and ends when its first process does', () => {
    expect(values('-kernel')).toEqual(['/boot/vmlinuz-6.1'])
    expect(values('-initrd')).toEqual(['/r/initramfs'])
    expect(values('-append')[0]!.split(' ')).toContain('panic=-1')
    expect(machine).toContain('-no-reboot')
    expect(values('-cpu')).toEqual(['qemu64,-cx16,+ssse3,+sse4.1'])
  })

  test('given a parent that is killed, then the machine and its device are killed too', () => {
    const device = vsockDeviceCommand(tools, files, 16)
    for (const command of [machine, device])
      expect(command.slice(0, 4)).toEqual(['/s', '--pdeathsig', 'KILL', '--'])
    expect(machine[4]).toBe('/q')
    expect(device.slice(4)).toEqual([
      '/d',
      '--vm',
      'guest-cid=16,socket=/r/device,uds-path=/r/vsock',
    ])
  })
})
