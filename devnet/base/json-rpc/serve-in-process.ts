import { setImmediate } from 'node:timers'
import { dispatch } from './dispatch.ts'
import type { DispatchingAt } from './dispatching-at.ts'
import type { ConnectInProcess } from './json-rpc-server.ts'
import { notificationText } from './notification-text.ts'

/** One for all: a stack of each, which nobody reads, took a fiftieth of a short test on a chain of its own. */
const CALLER_LEFT = new Error('The caller went away.')

export interface InProcessServer {
  connect: ConnectInProcess
  close(): void
}

/**
 * Answers callers of this process: the same texts as over a WebSocket, without a socket between. What is
 * told comes in a turn of the event loop of its own, so that who asks again and again lets timers pass.
 * `node:timers` because a test may have faked the global ones.
 */
export function serveInProcess(dispatchingAt: DispatchingAt): InProcessServer {
  const connections = new Set<() => void>()
  return {
    connect(path, peer) {
      const caller = new AbortController()
      const atEnd: (() => void)[] = []
      const end = () => {
        if (!connections.delete(cutOff)) return false
        caller.abort(CALLER_LEFT)
        for (const action of atEnd) action()
        return true
      }
      const cutOff = () => {
        if (end()) peer.onClose()
      }
      connections.add(cutOff)
      const tell = (text: string | undefined) => {
        if (text === undefined) return
        setImmediate(() => connections.has(cutOff) && peer.onMessage(text))
      }
      const connection = {
        notify: (method: string, params: unknown) => tell(notificationText(method, params)),
        cutOff,
        onClose: (action: () => void) => void atEnd.push(action),
      }
      return {
        send(text) {
          const dispatching = dispatchingAt(path)
          if (!dispatching) return cutOff()
          const reply = dispatch(text, { signal: caller.signal, connection }, dispatching)
          if (reply instanceof Promise) void reply.then(tell)
          else tell(reply)
        },
        close: () => void end(),
      }
    },
    close() {
      for (const cutOff of connections) cutOff()
    },
  }
}
