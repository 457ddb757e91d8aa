import { WebSocket } from 'ws'
import type { Clock } from '#protocol/clock/clock'
import { CaseFailure } from '../case-failure.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'

/** A notification of one subscription and when it came. */
export interface Notification {
  /** Milliseconds since the epoch, by the run's clock. */
  at: number
  subscription: unknown
  result: unknown
}

export interface SubscriptionClient {
  /** The whole response object. */
  call(method: string, params?: unknown): Promise<Readonly<Record<string, unknown>>>
  /** Everything notified so far, in order of arrival; bounded. */
  readonly notifications: readonly Notification[]
  /** Resolves when `found` holds for what arrived, now or later; rejects on close or abort. */
  until(found: (notifications: readonly Notification[]) => boolean): Promise<void>
  close(): void
}

const MAX_NOTIFICATIONS = 5_000
/** What stands in place of a request where nobody had asked. */
export const NOTIFICATION = '(notification)'

/** Opens a WebSocket for subscriptions (RPC-WS-01). @throws CaseFailure when it does not open */
export async function openSubscriptionClient(options: {
  url: string
  recorder: ExchangeRecorder
  clock: Clock
  signal: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** Told of each as it comes. */
  onNotification?: ((notification: Notification) => void) | undefined
}): Promise<SubscriptionClient> {
  const { url, recorder, clock, signal, headers = {}, onNotification } = options
  const socket = new WebSocket(url, { headers })
  const notifications: Notification[] = []
  const answers = new Map<number, (body: Record<string, unknown>) => void>()
  const watchers = new Set<() => void>()
  let closed: Error | undefined
  let lastId = 0

  const end = (error: Error) => {
    closed ??= error
    for (const wake of watchers) wake()
  }
  socket.on('message', (data) => {
    const message = parseObject(String(data))
    const answer = answers.get(Number(message.id))
    if (answer && !('method' in message)) return answer(message)
    const params = message.params as { subscription?: unknown; result?: unknown } | undefined
    if (message.method !== 'eth_subscription' || !params) return
    recorder.begin('ws', url, NOTIFICATION)(String(data))
    if (notifications.length >= MAX_NOTIFICATIONS) notifications.shift()
    const notification = { at: clock.now(), ...params } as Notification
    notifications.push(notification)
    onNotification?.(notification)
    for (const wake of watchers) wake()
  })
  const abort = () => socket.terminate()
  signal.addEventListener('abort', abort, { once: true })
  socket.on('close', () => {
    signal.removeEventListener('abort', abort)
    end(failure('the socket stays open', 'closed by the target'))
  })
  socket.on('error', (error) => end(failure('a working socket', error.message)))
  await opened(socket, () => closed)

  const client: SubscriptionClient = {
    notifications,
    async call(method, params = []) {
      const id = ++lastId
      const request = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const done = recorder.begin('ws', url, request)
      const answered = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve))
      socket.send(request)
      const broken = client.until(() => false)
      const body = await Promise.race([answered, broken.then(() => ({}))])
      answers.delete(id)
      done(JSON.stringify(body))
      return body
    },
    until(found) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!closed && !found(notifications)) return
          watchers.delete(look)
          if (closed) reject(closed)
          else resolve()
        }
        watchers.add(look)
        look()
      })
    },
    close: () => socket.terminate(),
  }
  return client
}

function opened(socket: WebSocket, closed: () => Error | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('close', () => reject(closed()))
    socket.once('error', () => reject(closed()))
  })
}

function failure(expected: string, actual: string): CaseFailure {
  return new CaseFailure({ at: 'WebSocket', expected, actual })
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
