import type { Socket } from 'node:net'

const LINE_LIMIT = 32

/** Exactly so many bytes; what follows stays in the socket. @throws when it ends before */
export async function readBytes(socket: Socket, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let missing = length; missing > 0; ) {
    const chunk = socket.read() as Buffer | null
    if (!chunk) {
      await readable(socket)
      continue
    }
    pieces.push(chunk.subarray(0, missing))
    if (chunk.length > missing) socket.unshift(chunk.subarray(missing))
    missing -= Math.min(missing, chunk.length)
  }
  return Buffer.concat(pieces)
}

/** The port of the `CONNECT port` line that opens a connection. @throws when it is none */
export async function readCommand(socket: Socket): Promise<number> {
  let line = ''
  while (!line.endsWith('\n')) {
    if (line.length > LINE_LIMIT) throw new RangeError('the command is too long')
    line += String(await readBytes(socket, 1))
  }
  const [, port] = /^CONNECT (\d+)\n$/i.exec(line) ?? []
  if (!port) throw new RangeError(`${line.trim()} is no command`)
  return Number(port)
}

function readable(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      socket.off('readable', go)
      reject(new RangeError('the peer closed early'))
    }
    const go = () => {
      socket.off('end', end).off('close', end)
      resolve()
    }
    if (socket.readableEnded || socket.destroyed) return end()
    socket.once('readable', go).once('end', end).once('close', end)
  })
}
