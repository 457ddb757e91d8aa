import { SocketClosedError, TimeoutError } from 'viem'
import { socketClientCache } from 'viem/utils'
import type { ConnectInProcess } from '#devnet/base/json-rpc/json-rpc-server'
import { systemClock } from '#protocol/clock/system-clock'

type Client = Parameters<(typeof socketClientCache)['set']>[1]
type Asked = Parameters<Client['request']>[0]
type RpcResponse = Parameters<Asked['onResponse']>[0]
type Heard = Pick<Asked, 'onResponse' | 'onError'>

/**
 * Has viem's `webSocket(wsUrl, { reconnect: false })` reach a devnet of this process without a socket, which
 * is two thirds of what a short test on a chain of its own takes. viem looks for an open connection in
 * its own list, by how it was opened: there it finds this one. A viem that names it otherwise opens a socket.
 */
export function connectInProcess(wsUrl: string, connect: ConnectInProcess): void {
  const name = JSON.stringify({ keepAlive: true, key: 'socket', url: wsUrl, reconnect: false })
  socketClientCache.set(
    name,
    inProcessClient(wsUrl, connect, () => socketClientCache.delete(name)),
  )
}

function inProcessClient(url: string, connect: ConnectInProcess, forget: () => void): Client {
  const requests: Client['requests'] = new Map()
  const subscriptions: Client['subscriptions'] = new Map()
  let lastId = 0

  function hear(message: RpcResponse): void {
    if (message.method === 'eth_subscription') {
      subscriptions.get(message.params.subscription)?.onResponse(message)
      return
    }
    const request = requests.get(message.id)
    requests.delete(message.id)
    request?.onResponse(message)
  }

  function end(): void {
    forget()
    const waiting: Heard[] = [...requests.values(), ...subscriptions.values()]
    requests.clear()
    subscriptions.clear()
    for (const { onError } of waiting) onError?.(new SocketClosedError({ url }))
  }

  const connection = connect(new URL(url).pathname, {
    onMessage: (text) => hear(JSON.parse(text)),
    onClose: end,
  })

  const client: Client = {
    url,
    requests,
    subscriptions,
    socket: {
      close: () => client.close(),
      request: ({ body }) => connection.send(JSON.stringify(body)),
    },
    close() {
      connection.close()
      end()
    },
    request({ body, onResponse, onError }) {
      lastId += 1
      const id = body.id ?? lastId
      const answered = (response: RpcResponse) => {
        if (body.method === 'eth_subscribe' && typeof response.result === 'string')
          subscriptions.set(response.result, { onResponse, onError, body })
        onResponse(response)
      }
      if (body.method === 'eth_unsubscribe') subscriptions.delete(body.params[0])
      requests.set(id, { onResponse: answered, onError })
      client.socket.request({ body: { jsonrpc: '2.0', id, ...body } })
    },
    requestAsync: ({ body, timeout = 10_000 }) =>
      new Promise((resolve, reject) => {
        const late = systemClock.after(timeout, () => reject(new TimeoutError({ body, url })))
        const ended =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            late.cancel()
            then(value)
          }
        client.request({ body, onResponse: ended(resolve), onError: ended(reject) })
      }),
  }
  return client
}
