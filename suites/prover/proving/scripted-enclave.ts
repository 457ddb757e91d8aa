import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { listenHybrid } from '#enclave/vsock/hybrid-listener'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import {
  decodeRequest,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeResponse,
} from '#enclave/wire/messages'
import type { Clock } from '#protocol/clock/clock'

/** What a scripted enclave does with a request: answer, send these bytes, hang up, or stall. */
export type Reaction = EnclaveResponse | { kind: 'Bytes'; bytes: Uint8Array } | 'hang up' | 'stall'

export interface ScriptedEnclave {
  /** `unix:PATH:8000` */
  readonly endpoint: string
  /** Every request of every connection, in order of arrival. */
  readonly requests: EnclaveRequest[]
  /** Connections opened so far, also those without a request. */
  readonly connections: () => number
  /** Resolves once `count` requests have arrived. */
  arrived(count: number): Promise<void>
  stop(): Promise<void>
}

/** An enclave on a real UNIX socket that answers as told and proves nothing. */
export async function scriptedEnclave(
  clock: Clock,
  react: (request: EnclaveRequest) => Reaction | Promise<Reaction>,
): Promise<ScriptedEnclave> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  const path = join(folder, 'vsock')
  const requests: EnclaveRequest[] = []
  let connections = 0
  let wake: (() => void)[] = []

  async function serve(stream: Duplex): Promise<void> {
    const request = decodeRequest(await readFrame(stream, { clock }))
    requests.push(request)
    for (const listener of wake.splice(0)) listener()
    const reaction = await react(request)
    if (reaction === 'stall') return
    if (reaction === 'hang up') return void stream.destroy()
    if (reaction.kind === 'Bytes') stream.write(reaction.bytes)
    else await writeFrame(stream, encodeResponse(reaction))
  }

  const listener = await listenHybrid({
    path,
    port: 8000,
    clock,
    onConnection(stream) {
      connections += 1
      serve(stream).catch(() => stream.destroy())
    },
  })

  return {
    endpoint: `unix:${path}:8000`,
    requests,
    connections: () => connections,
    async arrived(count) {
      while (requests.length < count) await new Promise<void>((resolve) => wake.push(resolve))
    },
    async stop() {
      wake = []
      await listener.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
