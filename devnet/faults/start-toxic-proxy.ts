import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type ListenOptions, type Socket } from 'node:net'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { portBusy } from '#devnet/base/process/port-busy'
import type { LinkConnection, ToxicLink } from './toxic-link.ts'
import type { Sink } from './toxics/toxic-flow.ts'

/** A TCP address or the path of a UNIX socket. */
export type SocketAddress = { host: string; port: number } | { path: string }

export interface ToxicProxyOptions {
  link: ToxicLink
  /** Beside `link`, for connections that become WebSockets. */
  socketLink?: ToxicLink
  /** Where callers come. */
  listen: SocketAddress
  /** Where connections are passed on to; asked for each of them. */
  target(): SocketAddress
  /** The service's name in the error that says that its port is in use. */
  service: string
}

export interface ToxicProxy extends OwnedResource {
  /** 0 for a UNIX socket. */
  readonly port: number
}

const UPGRADE = /^upgrade: *websocket/im

/**
 * Stands before a service and passes bytes through a link's faults.
 * @throws PORT_BUSY, LISTEN_FAILED
 */
export async function startToxicProxy(options: ToxicProxyOptions): Promise<ToxicProxy> {
  const { link, socketLink, listen, target } = options
  const open = new Set<Socket>()
  const own = (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Whoever it is joined to hears of it by its close.
    socket.on('error', () => socket.destroy())
    return socket
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    own(client)
    if (link.isDown()) return void breakOff(client)
    const hangUp = () => client.end()
    client.once('end', hangUp)
    // Until it has spoken nobody knows whether it wants a WebSocket.
    client.once('data', (first: Buffer) => {
      client.off('end', hangUp)
      const isSocket = socketLink && UPGRADE.test(first.toString('latin1'))
      const upstream = own(connect({ ...target(), allowHalfOpen: true }))
      join(client, upstream, first, isSocket ? [link, socketLink] : [link])
    })
  })
  server.listen(listen as ListenOptions)
  await once(server, 'listening').catch((error) => {
    throw portBusy(error, options.service, 'port' in listen ? listen.port : 0)
  })
  const address = server.address() as AddressInfo | string
  return {
    port: typeof address === 'string' ? 0 : address.port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Joins both: client, first link, …, last link, server. */
function join(client: Socket, server: Socket, first: Buffer, links: readonly ToxicLink[]): void {
  const reset = () => {
    for (const socket of [client, server]) breakOff(socket)
  }
  const onCrowded = (direction: 'upstream' | 'downstream', isCrowded: boolean) => {
    const sender = direction === 'upstream' ? client : server
    if (isCrowded) sender.pause()
    else sender.resume()
  }
  const connections: LinkConnection[] = []
  const close = () => {
    for (const connection of connections) connection?.close()
  }
  const [intoServer, intoClient] = [into(server, client), into(client, server)]
  const behind = (index: number): Sink => connections[index]?.upstream ?? intoServer
  const before = (index: number): Sink => connections[index]?.downstream ?? intoClient
  for (let index = links.length - 1; index >= 0; index--) {
    const toClient: Sink = {
      write: (bytes) => before(index - 1).write(bytes),
      end: () => before(index - 1).end(),
    }
    const connection = links[index]!.connect({
      toServer: behind(index + 1),
      toClient,
      reset,
      onCrowded,
    })
    if (!connection) {
      close()
      reset()
      return
    }
    connections[index] = connection
  }
  const { upstream } = connections[0]!
  const { downstream } = connections.at(-1)!
  upstream.write(first)
  client.on('data', (bytes: Buffer) => upstream.write(bytes))
  client.on('end', () => upstream.end())
  server.on('data', (bytes: Buffer) => downstream.write(bytes))
  server.on('end', () => downstream.end())
  const follow = (other: Socket) => (hadError: boolean) => {
    close()
    if (hadError) breakOff(other)
    else other.destroySoon()
  }
  client.on('close', follow(server))
  server.on('close', follow(client))
}

/** What writes to a socket, and holds the sender while that takes no more. */
function into(socket: Socket, sender: Socket): Sink {
  let isFull = false
  socket.on('drain', () => {
    isFull = false
    sender.resume()
  })
  return {
    write(bytes) {
      if (!socket.writable || socket.write(bytes) || isFull) return
      isFull = true
      sender.pause()
    },
    end: () => void socket.end(),
  }
}

/** As a peer that is gone. UNIX sockets know no reset. */
function breakOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
