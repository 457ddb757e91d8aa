import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The address of no group, in the range of those that stand for groups (RFC 1112, section 4). A TCP
 * connection has one end on each side, so none can be made to a group: no system sends its first packet,
 * nor takes one in. Linux still lets a program listen there.
 */
const NOBODYS = '224.0.0.0'
const LOOPBACK = '127.0.0.1'

/**
 * Where a program that cannot do without a TCP port shall open it, so that nobody reaches it. macOS lets
 * no program listen at such an address: there it is loopback, and the port is open to this machine.
 */
export async function closedAddress(): Promise<string> {
  const server = createServer().listen({ host: NOBODYS, port: 0 })
  try {
    await once(server, 'listening')
  } catch {
    return LOOPBACK
  }
  server.close()
  return NOBODYS
}

/** Whether a port at this address can be reached by nobody. */
export function isClosed(address: string): boolean {
  return address === NOBODYS
}
