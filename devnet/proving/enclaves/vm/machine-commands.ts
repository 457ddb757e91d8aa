import type { VmTools } from './vm-requirements.ts'

/** All that the guest has: its file system, Node's heap and the largest witness. In MiB. */
const MEMORY = 1024

export interface MachineFiles {
  initramfs: string
  /** UNIX socket between QEMU and the vsock device. */
  deviceSocket: string
  /** UNIX socket that the host reaches the guest by; guest connections go to `<it>_<port>`. */
  vsock: string
}

/** Command lines end with their parent, also when that is killed. */
const tied = ({ setpriv }: VmTools, command: string[]): [string, ...string[]] => [
  ...([setpriv, '--pdeathsig', 'KILL', '--'] as [string, ...string[]]),
  ...command,
]

/** The vsock device of one guest as a process: what Nitro and Firecracker have inside. */
export function vsockDeviceCommand(
  tools: VmTools,
  { deviceSocket, vsock }: MachineFiles,
  cid: number,
): [string, ...string[]] {
  const device = `guest-cid=${cid},socket=${deviceSocket},uds-path=${vsock}`
  return tied(tools, [tools.vsockDevice, '--vm', device])
}

/**
 * A machine with a console, a vsock device and nothing else: no disk, no network card. Emulated
 * (TCG), so it starts anywhere. Its memory is shared with the vsock device.
 */
export function machineCommand(
  tools: VmTools,
  { initramfs, deviceSocket }: MachineFiles,
): [string, ...string[]] {
  return tied(tools, [
    tools.qemu,
    ...['-nodefaults', '-no-user-config', '-nic', 'none', '-display', 'none'],
    ...['-machine', 'q35,memory-backend=memory', '-accel', 'tcg', '-smp', '2'],
    // Linux 6.12 panicked in 3 of 8 boots under QEMU 7.2, flags garbled after its CMPXCHG16B; in none
    // of 9 without that instruction, which the kernel can do without.
    // V8 runs WebAssembly with SIMD, which our EVM has, from SSSE3 and SSE4.1 on; qemu64 has neither.
    ...['-cpu', 'qemu64,-cx16,+ssse3,+sse4.1'],
    ...['-m', String(MEMORY)],
    ...['-object', `memory-backend-memfd,id=memory,size=${MEMORY}M,share=on`],
    ...['-chardev', `socket,id=vsock,path=${deviceSocket}`],
    ...['-device', 'vhost-user-vsock-pci,chardev=vsock'],
    ...['-serial', 'stdio', '-no-reboot'],
    // A first process that ended is a panic; the machine ends at once.
    ...['-kernel', tools.kernel.path, '-append', 'console=ttyS0 quiet panic=-1'],
    ...['-initrd', initramfs],
  ])
}
