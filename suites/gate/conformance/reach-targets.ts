import { createConnection, type NetConnectOpts } from 'node:net'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { createRedactor } from './redact.ts'
import { HTTP_TARGETS, type Targets } from './targets.ts'
import { wasClosedWhileIdle } from './wire/http-client.ts'

/** Milliseconds; much longer than a slow machine takes for the first answer. */
const ANSWERS_WITHIN = 60_000

/** A target URL that nothing answers on. */
export class TargetUnreachable extends RollbedError {
  constructor(name: string, url: string, cause: unknown) {
    super('TARGET_UNREACHABLE', `Nothing answers at the ${name} URL ${url}.`, {
      hint: 'Is the target running, and is the URL complete?',
      cause,
    })
  }
}

/**
 * That something answers at every URL, and takes connections where it speaks no HTTP: asked before a driver is
 * made, which would fail in its own words, and before cases are, which would call it a broken rule.
 *
 * @param targets commands are not asked
 * @param options `headers` are taken out of what an error says; `signal` ends the wait, and `clock` does after a minute.
 *   Default: the machine's
 * @throws TargetUnreachable (TARGET_UNREACHABLE), naming the target
 * @example
 * import { reachTargets } from 'rollbed/conform'
 *
 * const targets = { rpc: devnet.description.rpcUrl }
 * await reachTargets(targets, { signal: AbortSignal.timeout(10_000) })
 */
export async function reachTargets(
  targets: Targets,
  options: { headers?: Readonly<Record<string, string>>; clock?: Clock; signal: AbortSignal },
): Promise<void> {
  const { headers = {}, clock = systemClock, signal } = options
  const redact = createRedactor({ targets, headers })
  const looks = [
    ...HTTP_TARGETS.map((name) => [name, askHttp] as const),
    ...([
      ['ws', connectToUrl],
      ['enclave', connectToVsock],
    ] as const),
  ]
  await Promise.all(
    looks.map(async ([name, look]) => {
      const url = targets[name]
      if (!url) return
      const late = () => new Error(`no answer within ${ANSWERS_WITHIN / 1_000} s`)
      const answered = withTimeout(clock, ANSWERS_WITHIN, look(url, signal), late)
      await answered.catch((error: unknown) => {
        signal.throwIfAborted()
        throw new TargetUnreachable(name, redact(url), error)
      })
    }),
  )
}

async function askHttp(url: string, signal: AbortSignal): Promise<void> {
  // `fetch` takes no user in a URL; that it is refused without one is an answer, too.
  const plain = Object.assign(new URL(url), { username: '', password: '' })
  const ask = () => fetch(plain, { signal })
  const response = await ask().catch((error) => {
    if (!wasClosedWhileIdle(error)) throw error
    return ask()
  })
  await response.body?.cancel()
}

/** Whoever speaks WebSocket alone may answer nothing else. */
function connectToUrl(url: string, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return connect({ host, port: Number(port) || (protocol === 'wss:' ? 443 : 80) }, signal)
}

async function connectToVsock(endpoint: string, signal: AbortSignal): Promise<void> {
  const [, path] = /^unix:(.+):\d+$/.exec(endpoint) ?? []
  // One that is no endpoint, its cases tell.
  if (path) await connect({ path }, signal)
}

function connect(to: NetConnectOpts, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ ...to, signal })
    socket.once('error', reject).once('connect', () => {
      resolve()
      socket.destroy()
    })
  })
}
