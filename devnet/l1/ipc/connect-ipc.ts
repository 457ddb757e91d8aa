import { connect, type Socket } from 'node:net'

const NEWLINE = 0x0a

/** Told of what comes over a connection. */
export interface IpcListener {
  /** One answer or notification of anvil, without the end of its line. */
  onLine(line: Buffer): void
  /** Once, also where nothing listens. */
  onClose(why: Error): void
}

/**
 * A connection to anvil's UNIX socket. What is written to it must be one JSON object or array after the
 * other with nothing between: anvil finds their ends by brackets. What it says comes in lines.
 */
export function connectIpc(path: string, { onLine, onClose }: IpcListener): Socket {
  const socket = connect(path)
  let parts: Buffer[] = []
  let why = new Error('it hung up')
  socket.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const last = chunk.subarray(start, end)
      const line = parts.length > 0 ? Buffer.concat([...parts, last]) : last
      parts = []
      start = end + 1
      onLine(line)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  socket.on('error', (error) => {
    why = error
  })
  socket.on('close', () => onClose(why))
  return socket
}
