import { WebSocket } from 'ws'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { CaseFailure } from '../case-failure.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'
import { parseJson } from './parse-json.ts'

/** A notification of one subscription and when it came. */
export interface Notification {
  /** Milliseconds since the epoch, by the run's clock. */
  at: number
  subscription: unknown
  result: unknown
}

export interface SubscriptionClient {
  /** The whole response object. @throws CaseFailure where none with its id comes */
  call(method: string, params?: unknown): Promise<Readonly<Record<string, unknown>>>
  /**
   * Sends text that may be no call, whole or as two frames, and gives the next message that answers none.
   * @param cutAt letters of the first frame
   * @throws CaseFailure
   */
  post(text: string, cutAt?: number): Promise<unknown>
  /** Sends a ping, and gives what the pong to it carries. @throws CaseFailure */
  ping(payload: string): Promise<string>
  /** Everything notified so far, in order of arrival; bounded. */
  readonly notifications: readonly Notification[]
  /** Resolves when `found` holds for what arrived, now or later; rejects on close or abort, or as it throws. */
  until(found: (notifications: readonly Notification[]) => boolean): Promise<void>
  close(): void
}

const MAX_NOTIFICATIONS = 5_000
/** Milliseconds after which no answer comes any more. */
const PATIENCE = 30_000
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
  const posted: ((message: unknown) => void)[] = []
  const watchers = new Set<() => void>()
  /** Of whoever waits for an answer. */
  const breaks = new Set<(error: Error) => void>()
  let closed: Error | undefined
  let lastId = 0

  const end = (error: Error) => {
    closed ??= error
    for (const give of breaks) give(closed)
    for (const wake of watchers) wake()
  }
  socket.on('message', (data) => {
    const message = parseObject(String(data))
    if (!('method' in message)) {
      const answer = answers.get(message.id as number)
      if (answer) return answer(message)
      const waits = posted.shift()
      if (waits) return waits(parseJson(String(data)))
      // What has come of a call without its id.
      const [oldest] = answers.values()
      if ('result' in message || 'error' in message) oldest?.(message)
      return
    }
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

  /** What is waited for while the line is open, and no longer than one waits. */
  const inTime = <T>(answered: Promise<T>, what: string, done: (response: null) => void) => {
    const broken = Promise.withResolvers<never>()
    if (closed) broken.reject(closed)
    breaks.add(broken.reject)
    const late = () => failure(what, `none after ${PATIENCE / 1_000} s`)
    const first = Promise.race([answered, broken.promise])
    return withTimeout(clock, PATIENCE, first, late)
      .catch((error) => {
        done(null)
        throw error
      })
      .finally(() => breaks.delete(broken.reject))
  }
  const client: SubscriptionClient = {
    notifications,
    async call(method, params = []) {
      const id = ++lastId
      const request = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const done = recorder.begin('ws', url, request)
      const answered = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve))
      socket.send(request)
      const body = await inTime(answered, `an answer to ${method}`, done).finally(() =>
        answers.delete(id),
      )
      done(JSON.stringify(body))
      if (body.id === id) return body
      throw failure(`an answer with id ${id}`, JSON.stringify(body))
    },
    async post(text, cutAt = 0) {
      const done = recorder.begin('ws', url, text)
      const answered = new Promise<unknown>((resolve) => posted.push(resolve))
      if (cutAt > 0) socket.send(text.slice(0, cutAt), { fin: false })
      socket.send(text.slice(cutAt))
      const message = await inTime(answered, 'an answer', done)
      done(JSON.stringify(message))
      return message
    },
    async ping(payload) {
      const answered = new Promise<string>((resolve) =>
        socket.once('pong', (data) => resolve(String(data))),
      )
      socket.ping(payload)
      return inTime(answered, 'a pong', () => {})
    },
    until(found) {
      return new Promise((resolve, reject) => {
        const look = () => {
          try {
            if (!closed && !found(notifications)) return
            if (closed) reject(closed)
            else resolve()
          } catch (error) {
            // Thrown out of the handler of messages, it would end the process.
            reject(error)
          }
          watchers.delete(look)
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
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
