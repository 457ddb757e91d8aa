import type { JsonObject, Mutant } from '../mutant.ts'
import { unmutated } from '../mutate-rpc-body.ts'

/** A log that is on its way to a listener. */
export interface Streamed {
  /** Of the subscription, and those of its connection from the oldest on. */
  id: string
  ofSocket: readonly string[]
  /** The connection itself. */
  socket: object
  log: JsonObject
  at: number
  /** Whether its connection has ended a subscription, or was answered with an error. */
  hasEnded: boolean
  hasFailed: boolean
  /** Whether nobody asked for the same later on. */
  isNewest: boolean
}

interface Socket {
  asked: Map<unknown, string>
  ids: string[]
  hasEnded: boolean
  hasFailed: boolean
}

/**
 * A node that knows of each connection what happened there, and makes the wrong thing of it: of each log another
 * one, or that of another subscription; null sends none.
 */
export const streaming =
  (
    kind: 'logs' | 'pendingLogs',
    makeChange: () => (streamed: Streamed) => { id?: string; log?: JsonObject } | null,
  ): Mutant['apply'] =>
  ({ clock }) => {
    const sockets = new Map<object, Socket>()
    const newest = new Map<string, string>()
    const questions = new Map<string, string>()
    const change = makeChange()
    const at = (socket: object) => {
      const known = sockets.get(socket)
      if (known) return known
      const own: Socket = { asked: new Map(), ids: [], hasEnded: false, hasFailed: false }
      sockets.set(socket, own)
      return own
    }
    return {
      call(call, socket) {
        if (!socket) return call
        const own = at(socket)
        for (const { id, method, params } of [call].flat()) {
          if (method === 'eth_unsubscribe') own.hasEnded = true
          if (method === 'eth_subscribe' && params[0] === kind)
            own.asked.set(id, JSON.stringify(params))
        }
        return call
      },
      message(message, socket) {
        const own = at(socket)
        for (const answer of [message].flat() as JsonObject[]) {
          if ('error' in answer) own.hasFailed = true
          const question = own.asked.get(answer.id)
          if (!question || typeof answer.result !== 'string') continue
          own.asked.delete(answer.id)
          own.ids.push(answer.result)
          newest.set(question, answer.result)
          questions.set(answer.result, question)
        }
        const { subscription: id, result: log } = Object(message.params)
        if (!own.ids.includes(id)) return unmutated(message)
        const { ids: ofSocket, hasEnded, hasFailed } = own
        const isNewest = newest.get(questions.get(id)!) === id
        const about = { id, ofSocket, socket, log, at: clock.now(), hasEnded, hasFailed, isNewest }
        const changed = change(about)
        if (!changed) return null
        const params = { subscription: changed.id ?? id, result: changed.log ?? log }
        return unmutated({ ...message, params })
      },
    }
  }
