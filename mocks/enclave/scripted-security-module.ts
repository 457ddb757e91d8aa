import type { Socket } from 'node:net'
import {
  decodeNsmRequest,
  encodeNsmResponse,
  type NsmRequest,
  type NsmResponse,
} from '#suites/gate/conformance/spec/nsm-messages'
import { readBytes } from './read-bytes.ts'
import { frame } from './serve-enclave.ts'
import { serveSocket } from './serve-socket.ts'

/** Answers one request of an enclave; may take its time. A session that it throws in ends. */
export type ModuleAnswer = (
  request: NsmRequest,
  session: number,
) => NsmResponse | Promise<NsmResponse>

export interface ScriptedSecurityModule {
  /** What was asked so far, with the number of the session that asked. */
  readonly requests: readonly (NsmRequest & { session: number })[]
  stop(): Promise<void>
}

/**
 * A security module on the UNIX socket that hybrid vsock gives to connections of a guest: one CBOR
 * message of the Nitro Security Module per frame. A session is a connection.
 */
export async function startScriptedSecurityModule(
  path: string,
  answer: ModuleAnswer,
): Promise<ScriptedSecurityModule> {
  const requests: (NsmRequest & { session: number })[] = []
  let sessions = 0
  const serve = async (socket: Socket) => {
    const session = ++sessions
    for (;;) {
      const header = await readBytes(socket, 4)
      const request = decodeNsmRequest(await readBytes(socket, header.readUInt32BE()))
      requests.push({ ...request, session })
      socket.write(frame(encodeNsmResponse(await answer(request, session))))
    }
  }
  return { requests, stop: await serveSocket(path, serve) }
}

/** Answers that an enclave boots with: these bytes for its measurement and its randomness. */
export function workingModule(pcr0: Uint8Array, random: Uint8Array): ModuleAnswer {
  return ({ kind }) => {
    if (kind === 'DescribePCR') return { kind, lock: true, data: pcr0 }
    if (kind === 'GetRandom') return { kind, random }
    return { kind, document: Buffer.from('a document') }
  }
}
