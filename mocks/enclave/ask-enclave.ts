import { once } from 'node:events'
import { createConnection } from 'node:net'
import { frame } from '#suites/gate/conformance/spec/enclave-messages'
import { readBytes } from './read-bytes.ts'

const LONGEST_GREETING = 32

/** One request to a real enclave at `unix:PATH:PORT`; undefined when it drops the connection. */
export async function askEnclave(
  endpoint: string,
  payload: Uint8Array,
): Promise<Uint8Array | undefined> {
  const [, path, port] = /^unix:(.+):(\d+)$/.exec(endpoint) ?? []
  if (!path) throw new RangeError(`${endpoint} is no endpoint: write unix:PATH:PORT`)
  const socket = createConnection({ path, allowHalfOpen: true })
  try {
    await once(socket, 'connect')
    socket.on('error', () => undefined).write(`CONNECT ${port}\n`)
    let greeting = ''
    while (!greeting.endsWith('\n') && greeting.length < LONGEST_GREETING) {
      greeting += String(await readBytes(socket, 1))
    }
    if (!greeting.startsWith('OK ')) return undefined
    socket.write(frame(payload))
    const header = await readBytes(socket, 4)
    return await readBytes(socket, header.readUInt32BE())
  } catch {
    return undefined
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}
