import type { Scene } from '../conformance-case.ts'
import { startHost } from '../hosts/run-host.ts'
import type { HttpReply } from '../wire/http-client.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { isListening } from '../wire/launch-host.ts'

/** An enclave that is down. */
export const NOBODY = 'unix:/nonexistent/rollbed/vsock:8000'

/** One of each module of a host. */
const METHODS = ['prover_prove', 'enclave_signerPublicKey', 'healthz'] as const

/** What a host with one CID and no registry said, and how it ended. */
export interface PlainHost {
  health: HttpReply
  /** Replies by method, without parameters. */
  replies: ReadonlyMap<string, RpcReply>
  /** Of the interrupt. */
  exitCode: number | null
  listensAfterwards: boolean
}

export const plainHost: Scene<PlainHost> = {
  name: 'plain host',
  kind: 'observation',
  async build(t) {
    const host = await startHost(t, { enclaves: [NOBODY] })
    const health = (await host.rpc.get('/healthz')).http
    const replies = new Map<string, RpcReply>()
    for (const method of METHODS) replies.set(method, await host.rpc.call(method))
    host.interrupt()
    const exitCode = await host.ended
    const listensAfterwards = await isListening(Number(new URL(host.url).port))
    return { health, replies, exitCode, listensAfterwards }
  },
}
