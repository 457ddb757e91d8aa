import { sleep } from '#protocol/clock/clock'
import type { Scene } from '../conformance-case.ts'
import { startHost } from '../hosts/run-host.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { oneBlock, withEnclaves } from './host-scenes.ts'

/** Seconds after which the host gives up, and milliseconds that the enclave would take. */
const [TIMEOUT, STALL] = ['5', 15_000]
/** Between two looks at its health, in milliseconds. */
const PAUSE = 100

/** What a host without a registry said of a proof that its enclave does not end, and meanwhile. */
export interface StalledProof {
  reply: RpcReply
  /** Statuses of GET /healthz while the request was under way. */
  health: number[]
  /** The reply to the same request after that, to which the enclave answers at once. */
  next: RpcReply
  /** Signature of what it then answers. */
  signature: string
  /** The claimed L2 block. */
  blockNumber: number
}

export const stalledProof: Scene<StalledProof> = {
  name: 'stalled proof',
  kind: 'observation',
  async build(t) {
    const request = await oneBlock(t)
    return withEnclaves(t, 1, async ([enclave]) => {
      const more = [['--proof-timeout', TIMEOUT]] as const
      const host = await startHost(t, { enclaves: [enclave!.endpoint], more })
      enclave!.script.onProve = () => sleep(t.clock, STALL, t.signal)
      const health = new Set<number>()
      let isOver = false
      const proving = host.rpc.call('prover_prove', [request]).finally(() => {
        isOver = true
      })
      // It is awaited further down; what is thrown before that says more.
      proving.catch(() => {})
      while (!isOver) {
        const { http } = await host.rpc.get('/healthz')
        health.add(http.status)
        await sleep(t.clock, PAUSE, t.signal)
      }
      const reply = await proving
      delete enclave!.script.onProve
      const next = await host.rpc.call('prover_prove', [request])
      host.interrupt()
      const { signature } = enclave!.proof
      const blockNumber = request.claimed_l2_block_number
      return { reply, health: [...health], next, signature, blockNumber }
    })
  },
}
