import { type RpcClient, RpcRefused, RpcUnreachable } from '#devnet/base/json-rpc/http-rpc-client'
import { type BeaconClient, BeaconUnreachable } from '#devnet/l1/blobs/beacon-client'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { withDeadline } from './with-deadline.ts'

export interface RetryOptions {
  clock: Clock
  /** Hears of every attempt that failed and is made again. */
  onFailure(error: Error): void
}

/** Milliseconds for one attempt: a node that took a request and fell silent is asked again. */
const ATTEMPT_TIMEOUT = 60_000
/** Milliseconds before the second attempt; doubled each time up to the longest. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 16_000
/** "Try again" in the words of nodes and providers: internal error, limit exceeded, HTTP's 429. */
const PASSING_CODES = new Set([-32603, -32005, 429])

/**
 * The same endpoint, asked again and again while it does not answer or is overloaded, until the
 * signal ends it: a proof of half an hour must outlive a node's restart. A definite answer, an error
 * such as "not found" included, is handed on at once.
 */
export function retryingRpcClient(rpc: RpcClient, options: RetryOptions): RpcClient {
  return {
    request: (method, params, signal) =>
      untilAnswered(method, options, signal, (attempt) => rpc.request(method, params, attempt)),
  }
}

/** The same for blobs. */
export function retryingBeaconClient(beacon: BeaconClient, options: RetryOptions): BeaconClient {
  return {
    blob: (versionedHash, block, signal) =>
      untilAnswered('beacon blobs', options, signal, (attempt) =>
        beacon.blob(versionedHash, block, attempt),
      ),
  }
}

async function untilAnswered<T>(
  what: string,
  { clock, onFailure }: RetryOptions,
  signal: AbortSignal | undefined,
  ask: (attempt: AbortSignal) => Promise<T>,
): Promise<T> {
  const onTimeout = () => new AttemptTimeout(what)
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await withDeadline({ clock, delay: ATTEMPT_TIMEOUT, onTimeout, outer: signal }, ask)
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error
      onFailure(error)
    }
    await sleep(clock, pause, signal)
  }
}

function mayPass(error: unknown): error is Error {
  if (error instanceof RpcRefused) return PASSING_CODES.has(error.rpcCode)
  return (
    error instanceof RpcUnreachable ||
    error instanceof BeaconUnreachable ||
    error instanceof AttemptTimeout
  )
}

class AttemptTimeout extends RollbedError {
  constructor(what: string) {
    super('RPC_TIMEOUT', `${what}: no answer after ${ATTEMPT_TIMEOUT / 1000} s`)
  }
}
