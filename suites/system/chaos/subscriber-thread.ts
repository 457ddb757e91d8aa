import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'

/** What the thread of subscribers is told. */
export interface SubscriberOrders {
  wsUrl: string
  connections: number
  /** Subscriptions of each. */
  each: number
}

/** How many subscriptions were had, and what the others were told. */
export interface SubscriberAnswers {
  granted: number
  refusals: Record<string, number>
}

/** Subscribes as often as it may, reads everything, and stays: on a thread, so that whoever measures has its own. */
const { wsUrl, connections, each } = workerData as SubscriberOrders
const answers: SubscriberAnswers = { granted: 0, refusals: {} }

async function subscribe(): Promise<void> {
  const socket = new WebSocket(wsUrl)
  socket.on('error', () => {})
  await once(socket, 'open')
  const { promise, resolve } = Promise.withResolvers<void>()
  let answered = 0
  socket.on('message', (data) => {
    if (answered >= each) return
    const { id, error } = JSON.parse(data.toString()) as {
      id?: number
      error?: { message: string }
    }
    if (id === undefined) return
    if (error) answers.refusals[error.message] = (answers.refusals[error.message] ?? 0) + 1
    else answers.granted += 1
    answered += 1
    if (answered === each) resolve()
  })
  for (let id = 0; id < each; id++)
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['newFlashblocks'] }),
    )
  await promise
}

await Promise.all(Array.from({ length: connections }, subscribe))
parentPort!.postMessage(answers)
