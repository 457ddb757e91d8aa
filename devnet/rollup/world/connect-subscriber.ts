import { MessageReader, writeMessage } from './network/message-wire.ts'
import type { Route } from './network/request.ts'
import type { Subscriber, SubscriberEvents } from './world.ts'

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Opens a connection to what `serveSubscribers` serves. @throws Error when it is refused */
export function connectSubscriber(route: Route, events: SubscriberEvents): Subscriber {
  const reader = new MessageReader()
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let isPaused = false
  let unread: Uint8Array[] = []
  let isClosed = false

  function close(reason: string): void {
    if (isClosed) return
    isClosed = true
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
    events.closed(reason)
  }

  function take(bytes: Uint8Array): void {
    if (isPaused) return void unread.push(bytes)
    const messages = reader.read(bytes)
    if (messages) for (const message of messages) hear(message)
    else giveUp()
  }

  function giveUp(): void {
    wire.destroy()
    close('the messages cannot be read')
  }

  function hear(text: string): void {
    let message: {
      id?: number
      method?: string
      params?: unknown
      result?: unknown
      error?: unknown
    }
    try {
      message = JSON.parse(text)
    } catch {
      giveUp()
      return
    }
    const asked = waiting.get(message.id ?? 0)
    waiting.delete(message.id ?? 0)
    if (message.method === 'eth_subscription') events.notification(message.params)
    else if (message.error) asked?.reject(new Error(String(Object(message.error).message)))
    else asked?.resolve(message.result)
  }

  const wire = route.port.connect(route.caller, route.link, {
    bytes: take,
    end: () => close('the connection ended'),
    reset: () => close('connection reset'),
  })
  return {
    request(method, params) {
      if (isClosed) return Promise.reject(new Error('the connection is closed'))
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        writeMessage(wire, JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      for (const bytes of unread.splice(0)) take(bytes)
      unread = []
    },
    close() {
      wire.destroy()
      close('closed by the client')
    },
  }
}
