import { type Clock, sleep, withTimeout } from '#protocol/clock/clock'
import { httpRpcClient, type RpcClient, RpcRefused } from '../json-rpc/http-rpc-client.ts'
import { ForkError } from './fork-error.ts'
import type { RemoteFork } from './remote-fork.ts'

/** Requests under way at once; the others wait their turn. */
const AT_ONCE = 8
/** Requests that may wait. */
const MAX_WAITING = 10_000
/** Milliseconds an answer may take. */
const ANSWER_LIMIT = 10_000
/** Milliseconds before each new attempt; after the last one the remote counts as unreachable. */
const PAUSES = [250, 1_000]
/** What providers answer where too much was asked: the second by HTTP's own number. */
const TOO_MANY = new Set([-32005, 429])

export interface RemoteClientOptions {
  remote: Pick<RemoteFork, 'url' | 'headers'>
  /** Of timeouts and pauses. */
  clock: Clock
}

/**
 * Asks the chain that is forked: not too much at once, again where it did not answer, and not for ever.
 *
 * @example
 * const client = new RemoteClient({ remote: { url: 'https://mainnet.base.org' }, clock: systemClock })
 * await client.request('eth_chainId', [])
 */
export class RemoteClient {
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  readonly #stopped = new AbortController()
  #client: RpcClient
  #url: string
  #running = 0

  constructor({ remote, clock }: RemoteClientOptions) {
    this.#clock = clock
    this.#url = remote.url
    this.#client = httpRpcClient(remote.url, remote.headers)
  }

  get origin(): string {
    return new URL(this.#url).origin
  }

  /** The same chain is asked at another URL from here on. */
  moveTo(url: string): void {
    this.#url = url
    this.#client = httpRpcClient(url)
  }

  /** @throws ForkError FORK_REMOTE_UNREACHABLE, FORK_REMOTE_REFUSED */
  async request(method: string, params: readonly unknown[], attempts = 3): Promise<unknown> {
    await this.#turn()
    try {
      return await this.#untilAnswered(method, params, attempts)
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#stopped.abort(unreachable('the devnet stops'))
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw unreachable('too many requests wait for it')
    if (this.#running >= AT_ONCE) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
  }

  async #untilAnswered(
    method: string,
    params: readonly unknown[],
    attempts: number,
  ): Promise<unknown> {
    for (const pause of [...PAUSES.slice(0, attempts - 1), undefined]) {
      try {
        return await this.#ask(method, params)
      } catch (error) {
        if (error instanceof RpcRefused && !TOO_MANY.has(error.rpcCode)) throw refused(error)
        if (this.#stopped.signal.aborted) throw this.#stopped.signal.reason
        if (pause === undefined) throw unreachable((error as Error).message, error)
        await sleep(this.#clock, pause, this.#stopped.signal)
      }
    }
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const givenUp = new AbortController()
    const signal = AbortSignal.any([this.#stopped.signal, givenUp.signal])
    try {
      return await withTimeout(
        this.#clock,
        ANSWER_LIMIT,
        this.#client.request(method, params, signal),
        () => new Error(`no answer to ${method} within ${ANSWER_LIMIT} ms`),
      )
    } finally {
      givenUp.abort()
    }
  }
}

function unreachable(why: string, cause?: unknown): ForkError {
  return new ForkError('FORK_REMOTE_UNREACHABLE', `The forked chain does not answer: ${why}`, {
    hint: 'Check --fork-url. What was read of this block before is in the cache and needs no network.',
    cause,
  })
}

function refused(cause: RpcRefused): ForkError {
  return new ForkError(
    'FORK_REMOTE_REFUSED',
    `The forked chain refuses a request: ${cause.message}`,
    { hint: 'Does it keep the state of that block? Old blocks need an archive node.', cause },
  )
}
