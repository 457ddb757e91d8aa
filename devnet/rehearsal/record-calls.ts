import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import { type Clock, sleep } from '#protocol/clock/clock'

/** What a node was asked. */
export interface RecordedCalls {
  /** Oldest first. */
  calls: LoggedRequest[]
  /** Calls that came too fast to be recorded. */
  missed: number
}

export interface CallRecord {
  /** Looks a last time. */
  end(): Promise<RecordedCalls>
}

/** Milliseconds between two looks at what was called; the node keeps 500 calls. */
const LOOK = 200

/** Gathers the node's log of calls, which forgets old ones. */
export function recordCalls(rpcUrl: string, clock: Clock): CallRecord {
  const rpc = httpRpcClient(rpcUrl)
  const calls: LoggedRequest[] = []
  const ending = new AbortController()
  let [last, missed] = [0, 0]
  const look = async () => {
    const fresh = (await rpc.request('rollbed_requestLog', [last])) as LoggedRequest[]
    if (fresh.length === 0) return
    missed += fresh[0]!.id - last - 1
    last = fresh.at(-1)!.id
    calls.push(...fresh.filter(({ method }) => method !== 'rollbed_requestLog'))
  }
  const run = async () => {
    while (!ending.signal.aborted) {
      await look()
      await sleep(clock, LOOK, ending.signal).catch(() => {})
    }
    await look()
  }
  const running = run()
  running.catch(() => {})
  return {
    async end() {
      ending.abort()
      await running
      return { calls, missed }
    },
  }
}
