/**
 * Stream sockets of families that Node does not know. koffi makes, binds and connects the socket;
 * reading, writing, accepting and closing stay with libuv, which does not look at the family.
 */
import { createServer, type Server, Socket } from 'node:net'
import { VsockError } from './vsock-error.ts'

/** An address as bind(2) and connect(2) take it. */
export interface NativeAddress {
  /** AF_*, as a number. */
  family: number
  /** struct sockaddr_*. */
  bytes: Uint8Array
  /** For messages. */
  text: string
}

/** Source: asm-generic/socket.h, asm-generic/fcntl.h, poll(2). */
const SOCK_STREAM = 1
const SOCK_NONBLOCK = 0o4000
const SOCK_CLOEXEC = 0o2000000
const SOL_SOCKET = 1
const SO_ERROR = 4
const POLLOUT = 4

/**
 * Connects a stream socket.
 * @param timeout milliseconds; one thread of libuv's pool waits meanwhile
 * @throws VsockError with the errno name as code; ETIMEDOUT
 */
export async function connectNative(address: NativeAddress, timeout: number): Promise<Socket> {
  const calls = await socketCalls()
  const descriptor = open(calls, address)
  const errno = await connectErrno(calls, descriptor, address.bytes, timeout)
  if (errno) {
    calls.close(descriptor)
    throw failure(calls, 'connect', address, errno)
  }
  const handle = adopt(calls, handles().pipe, descriptor)
  // Typed for public options only; net.Server makes its sockets this way.
  const options: object = { handle, allowHalfOpen: true, readable: true, writable: true }
  return new Socket(options)
}

/**
 * Listens on a stream socket. The server's `listening` event has happened.
 * @throws VsockError with the errno name as code
 */
export async function listenNative(address: NativeAddress): Promise<Server> {
  const calls = await socketCalls()
  const descriptor = open(calls, address)
  if (calls.bind(descriptor, address.bytes, address.bytes.length) < 0) {
    const errno = calls.errno()
    calls.close(descriptor)
    throw failure(calls, 'bind', address, errno)
  }
  const handle = adopt(calls, handles().server, descriptor)
  const server = createServer({ allowHalfOpen: true })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(handle, () => resolve(server.off('error', reject)))
  })
}

/** The errno that connecting ends with; 0 when the connection is there. */
async function connectErrno(
  calls: SocketCalls,
  descriptor: number,
  address: Uint8Array,
  timeout: number,
): Promise<number> {
  if (calls.connect(descriptor, address, address.length) >= 0) return 0
  const errno = calls.errno()
  if (errno !== calls.codes.EINPROGRESS) return errno
  // struct pollfd
  const polled = Buffer.alloc(8)
  polled.writeInt32LE(descriptor, 0)
  polled.writeInt16LE(POLLOUT, 4)
  if ((await calls.poll(polled, timeout)) === 0) return calls.codes.ETIMEDOUT!
  const error = Buffer.alloc(4)
  calls.getsockopt(descriptor, SOL_SOCKET, SO_ERROR, error, Buffer.of(error.length, 0, 0, 0))
  return error.readInt32LE()
}

function open(calls: SocketCalls, address: NativeAddress): number {
  const descriptor = calls.socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)
  if (descriptor < 0) throw failure(calls, 'socket', address, calls.errno())
  return descriptor
}

function failure(calls: SocketCalls, call: string, { text }: NativeAddress, errno: number) {
  const code = Object.entries(calls.codes).find(([, value]) => value === errno)?.[0] ?? `E${errno}`
  return new VsockError(code, `${call} ${text}: ${code}`)
}

type SocketCalls = Awaited<ReturnType<typeof loadCalls>>
let loading: Promise<SocketCalls> | undefined

function socketCalls(): Promise<SocketCalls> {
  loading ??= loadCalls()
  return loading
}

/** Loaded only when needed: a simulated enclave has no koffi. */
async function loadCalls() {
  const { default: koffi } = await import('koffi').catch((error: unknown) => {
    throw new VsockError('EAFNOSUPPORT', 'koffi is not installed for this platform', error)
  })
  const libc = koffi.load(null)
  const poll = libc.func('int poll(_Inout_ uint8_t *fds, unsigned long count, int timeout)')
  return {
    socket: libc.func('int socket(int family, int type, int protocol)'),
    bind: libc.func('int bind(int fd, const uint8_t *address, uint32_t length)'),
    connect: libc.func('int connect(int fd, const uint8_t *address, uint32_t length)'),
    close: libc.func('int close(int fd)'),
    getsockopt: libc.func(
      'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint8_t *length)',
    ),
    poll: (polled: Buffer, timeout: number) =>
      new Promise<number>((resolve, reject) => {
        poll.async(polled, 1, timeout, (error: unknown, ready: number) =>
          error ? reject(error) : resolve(ready),
        )
      }),
    errno: (): number => koffi.errno(),
    codes: koffi.os.errno as Record<string, number>,
  }
}

/** A libuv stream handle as Node has it inside. */
interface Handle {
  /** @returns a negative errno */
  open(descriptor: number): number
}
interface HandleKind {
  Kind: new (type: number) => Handle
  type: number
}

/**
 * Node's own handle classes. Its public API refuses descriptors of unknown families; these do not
 * look (DEP0111: Node's major is pinned and a test opens both).
 */
function handles(): { pipe: HandleKind; server: HandleKind } {
  const { binding } = process as unknown as { binding(name: string): BindingExports }
  const [pipe, tcp] = [binding('pipe_wrap'), binding('tcp_wrap')]
  return {
    pipe: { Kind: pipe.Pipe!, type: pipe.constants.SOCKET! },
    // net.Server takes a TCP handle from outside.
    server: { Kind: tcp.TCP!, type: tcp.constants.SERVER! },
  }
}
interface BindingExports {
  Pipe?: HandleKind['Kind']
  TCP?: HandleKind['Kind']
  constants: Record<string, number>
}

function adopt(calls: SocketCalls, { Kind, type }: HandleKind, descriptor: number): Handle {
  const handle = new Kind(type)
  const result = handle.open(descriptor)
  if (result < 0) {
    calls.close(descriptor)
    const address = { family: 0, bytes: Buffer.alloc(0), text: `descriptor ${descriptor}` }
    throw failure(calls, 'open', address, -result)
  }
  return handle
}
