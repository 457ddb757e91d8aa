import { RollbedError } from '#protocol/errors/rollbed-error'

/** AUDIT_ARCH_* of linux/audit.h and the calls whose numbers differ between the two. */
const ARCHITECTURES: Record<string, { audit: number; socket: number[]; forbidden: number[] }> = {
  x64: {
    audit: 0xc000003e,
    socket: [41, 53],
    // ptrace, mount, umount2, keyctl, unshare, setns, process_vm_readv, process_vm_writev, bpf
    forbidden: [101, 165, 166, 250, 272, 308, 310, 311, 321],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: [198, 199],
    forbidden: [117, 40, 39, 219, 97, 268, 270, 271, 280],
  },
}
/** io_uring_setup (opens sockets unseen), open_tree, move_mount, fsopen, pidfd_getfd. */
const FORBIDDEN_EVERYWHERE = [425, 428, 429, 430, 438]

const AF_UNIX = 1
const EPERM = 1
const EAFNOSUPPORT = 97

/** Opcodes of classic BPF, linux/bpf_common.h. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06

/** Results of a filter, linux/seccomp.h. */
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const failWith = (errno: number) => 0x00050000 | errno

/** Offsets in struct seccomp_data. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/** Calls of the x32 ABI, which would bypass a filter on numbers. */
const X32_BIT = 0x40000000

/**
 * A seccomp program that leaves a process UNIX sockets and nothing else to reach out with: other
 * families, AF_VSOCK among them, fail with EAFNOSUPPORT. A network namespace alone does not stop
 * AF_VSOCK.
 * @returns struct sock_filter[], 8 bytes each
 * @throws SeccompUnsupported on another architecture than x64 and arm64
 */
export function seccompFilter(architecture: string = process.arch): Uint8Array {
  const calls = ARCHITECTURES[architecture]
  if (!calls) throw new SeccompUnsupported(architecture)
  const [socket, socketpair] = calls.socket
  const program = [
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, calls.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, KILL_PROCESS],
    ...[...calls.forbidden, ...FORBIDDEN_EVERYWHERE].flatMap((call) => [
      [JUMP_IF_EQUAL, 0, 1, call],
      [RETURN, 0, 0, failWith(EPERM)],
    ]),
    [JUMP_IF_EQUAL, 2, 0, socket],
    [JUMP_IF_EQUAL, 1, 0, socketpair],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_IF_EQUAL, 0, 1, AF_UNIX],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, failWith(EAFNOSUPPORT)],
  ]
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    const at = index * 8
    bytes.setUint16(at, code!, true)
    bytes.setUint8(at + 2, ifTrue!)
    bytes.setUint8(at + 3, ifFalse!)
    bytes.setUint32(at + 4, value!, true)
  })
  return new Uint8Array(bytes.buffer)
}

export class SeccompUnsupported extends RollbedError {
  constructor(architecture: string) {
    super('SECCOMP_UNSUPPORTED', `There is no seccomp filter for ${architecture}.`)
  }
}
