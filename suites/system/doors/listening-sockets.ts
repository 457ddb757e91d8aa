import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A socket that takes connections, or datagrams. */
export interface ListeningSocket {
  pid: number
  /** Name of the program. */
  program: string
  kind: 'tcp' | 'udp' | 'unix'
  /** An address in words, or a path; a path with @ is abstract: no file, so no permissions. */
  address: string
  port?: number
}

/** Every listening socket that these processes hold open, in their own network namespaces. */
export function listeningSockets(pids: readonly number[]): ListeningSocket[] {
  return pids.flatMap((pid) => {
    const own = inodesOf(pid)
    const program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return [...internet(pid, 'tcp', LISTEN), ...internet(pid, 'udp', BOUND), ...unix(pid)]
      .filter(({ inode }) => own.has(inode))
      .map(({ inode: _, ...socket }) => ({ pid, program, ...socket }))
  })
}

/** Whether a process that is none of these listens at a TCP port, at whatever address. */
export function isTakenByOthers(port: number, pids: readonly number[]): boolean {
  const own = new Set(pids.flatMap((pid) => [...inodesOf(pid)]))
  return internet(process.pid, 'tcp', LISTEN).some(
    (socket) => socket.port === port && !own.has(socket.inode),
  )
}

/** States of proc_pid_net(5), in the numbers of the kernel's tcp_states.h. */
const LISTEN = '0A'
const BOUND = '07'
/** `__SO_ACCEPTON` among the flags of a UNIX socket: it was listened on. */
const ACCEPTS = 0x10000
const SOCK_STREAM = '0001'

type Found = Omit<ListeningSocket, 'pid' | 'program'> & { inode: string }

/** From /proc/PID/fd: what the process has open. */
function inodesOf(pid: number): Set<string> {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}

function internet(pid: number, kind: 'tcp' | 'udp', wanted: string): Found[] {
  return [kind, `${kind}6`].flatMap((file) =>
    rows(`/proc/${pid}/net/${file}`).flatMap((fields) => {
      const [, local, , state] = fields
      if (state !== wanted) return []
      const [address, port] = local!.split(':')
      const found: Found = {
        ...{ kind, inode: fields[9]! },
        ...{ address: addressOf(address!), port: Number.parseInt(port!, 16) },
      }
      return [found]
    }),
  )
}

function unix(pid: number): Found[] {
  return rows(`/proc/${pid}/net/unix`).flatMap(([, , , flags, type, , inode, path]) => {
    const isOpen = Number.parseInt(flags!, 16) & ACCEPTS
    // Without a path nobody can name it.
    if (path === undefined || (!isOpen && type === SOCK_STREAM)) return []
    return [{ kind: 'unix' as const, inode: inode!, address: path }]
  })
}

function rows(file: string): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.trim().split(/\s+/))
}

/** Words of four bytes, each in the order of the machine. */
function addressOf(hex: string): string {
  const bytes = hex.match(/.{8}/g)!.flatMap((word) => word.match(/../g)!.toReversed())
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
  return bytes.join('').replace(/(.{4})(?!$)/g, '$1:')
}
