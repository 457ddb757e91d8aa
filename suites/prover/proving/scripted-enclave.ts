import {
  decodeRequest,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeResponse,
} from '#enclave/wire/messages'
import { frame, serveEnclave } from '#mocks/enclave/serve-enclave'

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
  react: (request: EnclaveRequest) => Reaction | Promise<Reaction>,
): Promise<ScriptedEnclave> {
  const requests: EnclaveRequest[] = []
  const wake: (() => void)[] = []
  const served = await serveEnclave(
    async (payload) => {
      const request = decodeRequest(payload)
      requests.push(request)
      for (const listener of wake.splice(0)) listener()
      const reaction = await react(request)
      if (reaction === 'stall') return await new Promise<never>(() => {})
      if (reaction === 'hang up') return undefined
      return reaction.kind === 'Bytes' ? reaction.bytes : frame(encodeResponse(reaction))
    },
    { frame: (bytes) => bytes },
  )
  return {
    endpoint: served.endpoint,
    requests,
    connections: () => served.connections.length,
    async arrived(count) {
      while (requests.length < count) await new Promise<void>((resolve) => wake.push(resolve))
    },
    stop: () => served.stop(),
  }
}
