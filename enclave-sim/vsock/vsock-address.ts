import type { NativeAddress } from './native-socket.ts'

/** Source: linux/socket.h, linux/vm_sockets.h. */
export const AF_VSOCK = 40
/** VMADDR_CID_ANY: listen on whatever context id this machine has. */
export const CID_ANY = 0xffffffff
/** VMADDR_CID_HOST: what a guest calls its hypervisor. */
export const CID_HOST = 2

/** struct sockaddr_vm, 16 bytes: family u16, reserved u16, port u32, CID u32, flags and zeros. */
export function vsockAddress(cid: number, port: number): NativeAddress {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16LE(AF_VSOCK, 0)
  bytes.writeUInt32LE(port, 4)
  bytes.writeUInt32LE(cid, 8)
  return { family: AF_VSOCK, bytes, text: `vsock:${cid}:${port}` }
}
