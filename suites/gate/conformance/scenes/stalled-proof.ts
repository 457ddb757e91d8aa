import { sleep } from '#protocol/clock/clock'
import type { Scene } from '../conformance-case.ts'
import { startHost } from '../hosts/run-host.ts'
import type { Hex } from '../wire/hex.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { oneBlock, withEnclaves } from './host-scenes.ts'

/** Seconds after which the host gives up. */
export const TIMEOUT = '5'
/** Milliseconds that the enclave would take. */
const STALL = 15_000
/** No block of L1 has this hash. */
const NO_BLOCK: Hex = `0x${'5a'.repeat(32)}`
/** Between two looks at its health, in milliseconds. */
const PAUSE = 100

/** From the beginning of the proof before to that of the one that stalls, at least; milliseconds. */
const BETWEEN = 1_000

/** What a host without a registry said of a proof that its enclave does not end, and meanwhile. */
export interface StalledProof {
  reply: RpcReply
  /** Milliseconds from the request to that reply; another proof was asked for, and refused, before. */
  waited: number
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
      const before = sleep(t.clock, BETWEEN, t.signal)
      // Nothing has to be collected for it: it is over soon, on a busy machine, too.
      const refused = { ...request, l1_head: NO_BLOCK }
      await Promise.all([host.rpc.call('prover_prove', [refused]), before])
      enclave!.script.onProve = () => sleep(t.clock, STALL, t.signal)
      const asked = t.clock.now()
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
      const waited = t.clock.now() - asked
      delete enclave!.script.onProve
      const next = await host.rpc.call('prover_prove', [request])
      host.interrupt()
      const { signature } = enclave!.proof
      const blockNumber = request.claimed_l2_block_number
      return { reply, waited, health: [...health], next, signature, blockNumber }
    })
  },
}
