import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { patience } from '#devnet/base/supervisor/patience'
import { type Clock, sleep, withTimeout } from '#protocol/clock/clock'

/** Milliseconds between two beats. Longer than in a devnet: others may pay for each request. */
const BEAT = 10_000
/** Milliseconds a node has to answer one. */
const ANSWERS_WITHIN = 5_000
/** Beats without a new block that are worth a warning: five slots of a public L1. */
const SILENT_BEATS = 6

/**
 * For a part that runs without a devnet around it: asks the nodes it reads from, by their names, and
 * warns when one does not answer or has no new block for a minute.
 */
export function startUpstreamHeartbeat(options: {
  supervisor: Supervisor
  upstreams: Readonly<Record<string, RpcClient>>
  clock: Clock
}): OwnedResource {
  const { supervisor, upstreams, clock } = options
  const ending = new AbortController()
  const { signal } = ending

  async function watch(name: string, rpc: RpcClient): Promise<void> {
    const silence = patience(SILENT_BEATS)
    while (!signal.aborted) {
      await sleep(clock, BEAT, signal)
      const problem = await headOf(rpc).then(
        (head) => {
          const beats = silence(head)
          return beats === undefined ? undefined : `no new block for ${(beats * BEAT) / 1000} s.`
        },
        (error: Error) => `it does not answer: ${error.message}`,
      )
      if (!signal.aborted) supervisor.warn(name, problem)
    }
  }

  async function headOf(rpc: RpcClient): Promise<unknown> {
    const asked = new AbortController()
    const late = () => new Error(`nothing within ${ANSWERS_WITHIN / 1000} s.`)
    try {
      const asking = rpc.request('eth_blockNumber', [], AbortSignal.any([signal, asked.signal]))
      return await withTimeout(clock, ANSWERS_WITHIN, asking, late)
    } finally {
      asked.abort(late())
    }
  }

  const watching = Promise.allSettled(
    Object.entries(upstreams).map(([name, rpc]) => watch(name, rpc)),
  )
  return {
    async stop() {
      ending.abort(new Error('The heartbeat ends.'))
      await watching
    },
  }
}
