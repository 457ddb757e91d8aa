import { type DispatchOptions, dispatch } from '#devnet/base/json-rpc/dispatch'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import { MessageReader, writeMessage } from './network/message-wire.ts'
import type { Port } from './network/wire.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** Serves JSON-RPC on connections that stay open, with subscriptions: a WebSocket without its framing. */
export function serveSubscribers(
  port: Port,
  process: SimulatedProcess,
  options: DispatchOptions,
): void {
  port.listen(process, (wire) => {
    const reader = new MessageReader()
    const caller = new AbortController()
    const closings: (() => void)[] = []
    let isClosed = false
    const send = (text: string) => {
      if (!isClosed && process.state !== 'ended') writeMessage(wire, text)
    }
    const connection: RpcConnection = {
      notify: (method, params) => send(JSON.stringify({ jsonrpc: '2.0', method, params })),
      onClose: (action) => void closings.push(action),
    }
    const close = () => {
      if (isClosed) return
      isClosed = true
      caller.abort(new Error('The caller went away.'))
      for (const action of closings) action()
    }
    process.onEnd(close)
    wire.events = {
      bytes(bytes) {
        const messages = reader.read(bytes)
        if (!messages) {
          close()
          return wire.destroy()
        }
        for (const message of messages) {
          const reply = dispatch(message, { signal: caller.signal, connection }, options)
          if (!(reply instanceof Promise)) {
            if (reply !== undefined) send(reply)
            continue
          }
          void reply.then((text) => {
            if (text !== undefined) send(text)
          })
        }
      },
      end() {
        close()
        wire.end()
      },
      reset: close,
    }
  })
}
