import { later } from './browser-clock.ts'
import { RpcFailure } from './post-json-rpc.ts'

type Listener = (result: never) => void

/** Milliseconds before the node is tried again. */
const RETRY = 1_000

/** The page's one WebSocket to the node: calls and subscriptions; it comes back when the node does. */
export class NodeConnection {
  readonly #url: string
  readonly #onChange: (isOpen: boolean) => void
  readonly #waiting = new Map<number, { settle(result: unknown): void; fail(error: Error): void }>()
  readonly #listeners = new Map<string, Listener>()
  #socket: WebSocket | undefined
  #lastId = 0

  constructor(url: string, onChange: (isOpen: boolean) => void) {
    this.#url = url
    this.#onChange = onChange
    this.#open()
  }

  /** @throws RpcFailure; an Error when the connection is lost */
  call<T>(method: string, params: unknown[] = []): Promise<T> {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error('The node does not answer.'))
    }
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { settle: resolve as (result: unknown) => void, fail: reject })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  /** Lasts until it is ended, or the connection is lost. */
  async subscribe<T>(kind: string, listener: (result: T) => void): Promise<() => void> {
    const id = await this.call<string>('eth_subscribe', [kind])
    this.#listeners.set(id, listener as Listener)
    return () => {
      this.#listeners.delete(id)
      void this.call('eth_unsubscribe', [id]).catch(() => {})
    }
  }

  #open(): void {
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.onopen = () => this.#onChange(true)
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data))
    socket.onclose = () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('The node does not answer.'))
      this.#waiting.clear()
      this.#listeners.clear()
      this.#onChange(false)
      later(RETRY, () => this.#open())
    }
  }

  #read(message: {
    id?: number
    result?: unknown
    error?: { code: number; message: string }
    params?: { subscription: string; result: never }
  }): void {
    if (message.params) {
      this.#listeners.get(message.params.subscription)?.(message.params.result)
      return
    }
    const call = this.#waiting.get(message.id!)
    this.#waiting.delete(message.id!)
    if (message.error) call?.fail(new RpcFailure(message.error))
    else call?.settle(message.result)
  }
}
