/**
 * A stand-in for an enclave behind a hybrid vsock socket (Firecracker docs/vsock.md): it answers
 * what a script tells it to, and can break each rule of the wire.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBytes, readCommand } from './read-bytes.ts'
import { serveSocket } from './serve-socket.ts'

/** Payload of a request in, payload of the response out; undefined drops the connection. */
export type EnclaveAnswer = (payload: Uint8Array) => Promise<Uint8Array | undefined>

/** What an enclave may get wrong on the wire. */
export interface WireHabits {
  /** Default 8000 (ENC-PROTO-08). */
  port?: number
  /** Takes what one read gives for the length of a request. */
  readsLengthAtOnce?: boolean
  /** Takes what one read gives for the payload of a request. */
  readsPayloadAtOnce?: boolean
  /** Reads the length of a request. Default: u32 big endian. */
  lengthOf?: (header: Buffer) => number
  /** Puts a response on the wire. Default: u32 big endian, then the payload. */
  frame?: (payload: Uint8Array) => Uint8Array
  /** Never closes, after any response or after some. */
  keepsOpen?: boolean | ((response: Uint8Array) => boolean)
  /** Answers one request after the other. */
  servesMany?: boolean
}

export interface ServedEnclave {
  /** `unix:PATH:PORT`. */
  endpoint: string
  /** Payloads in the order they came. */
  readonly requests: readonly Uint8Array[]
  /** Handshakes so far, by the port that was asked for. */
  readonly connections: readonly number[]
  stop(): Promise<void>
}

const ENCLAVE_PORT = 8000
const MAX_REQUESTS = 1_000

/** Listens in a folder of its own, which `stop` removes. */
export async function serveEnclave(
  answer: EnclaveAnswer,
  habits: WireHabits = {},
): Promise<ServedEnclave> {
  const { port = ENCLAVE_PORT } = habits
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-mock-'))
  const path = join(folder, 'vsock')
  const requests: Uint8Array[] = []
  const connections: number[] = []

  const serve = async (socket: Socket) => {
    const asked = await readCommand(socket)
    connections.push(asked)
    if (asked !== port) return socket.destroy()
    socket.write('OK 1073741824\n')
    let isKept = false
    do {
      const payload = await readRequest(socket, habits)
      if (requests.push(payload) > MAX_REQUESTS) requests.shift()
      const response = await answer(payload)
      if (!response) return socket.destroy()
      socket.write((habits.frame ?? frame)(response))
      const { keepsOpen = false } = habits
      isKept = typeof keepsOpen === 'function' ? keepsOpen(response) : keepsOpen
    } while (habits.servesMany)
    if (!isKept) socket.end()
  }
  const close = await serveSocket(path, serve, { allowHalfOpen: true })
  return {
    endpoint: `unix:${path}:${ENCLAVE_PORT}`,
    requests,
    connections,
    stop: async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readRequest(socket: Socket, habits: WireHabits): Promise<Uint8Array> {
  const header = await (habits.readsLengthAtOnce ? readAtOnce(socket) : readBytes(socket, 4))
  const length = habits.lengthOf?.(header) ?? header.readUInt32BE()
  if (!habits.readsPayloadAtOnce) return readBytes(socket, length)
  const first = await readBytes(socket, Math.min(1, length))
  const more = socket.read(Math.min(length - 1, socket.readableLength)) as Buffer | null
  return Buffer.concat([first, more ?? Buffer.alloc(0)])
}

/** Four bytes, of which those that are not there yet are taken for zeros. */
async function readAtOnce(socket: Socket): Promise<Buffer> {
  const first = await readBytes(socket, 1)
  const more = (socket.read(Math.min(3, socket.readableLength)) as Buffer | null) ?? Buffer.alloc(0)
  return Buffer.concat([first, more, Buffer.alloc(3)], 4)
}

/** Length as u32 big endian, then the payload (ENC-PROTO-05). */
export function frame(payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(payload.length)
  return Buffer.concat([header, payload])
}
