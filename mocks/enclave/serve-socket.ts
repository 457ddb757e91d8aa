import { createServer, type ServerOpts, type Socket } from 'node:net'

/**
 * Listens at a UNIX socket. A connection that breaks, or whose serving fails, is dropped.
 * @returns drops every connection and closes; resolves when it listens no more
 */
export async function serveSocket(
  path: string,
  serve: (socket: Socket) => Promise<unknown>,
  options: ServerOpts = {},
): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  const server = createServer(options, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    serve(socket).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  return async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}
