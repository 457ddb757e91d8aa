import type { ToxicLink } from '#devnet/faults/toxic-link'
import type { SimulatedProcess } from '../simulated-process.ts'
import { MessageReader, writeMessage } from './message-wire.ts'
import type { Port, Wire } from './wire.ts'

/** How one part reaches another. */
export interface Route {
  caller: SimulatedProcess
  link: ToxicLink
  port: Port
}

/**
 * Sends one message on a connection of its own, and waits for the answer.
 * @throws Error with what befell the connection, or the signal's reason. A caller that was killed hears
 * nothing.
 */
export function request(route: Route, body: string, signal?: AbortSignal): Promise<string> {
  const { caller, link, port } = route
  return new Promise((resolve, reject) => {
    if (caller.state === 'ended') return
    if (signal?.aborted) return reject(signal.reason)
    const reader = new MessageReader()
    let wire: Wire | undefined
    let isOver = false
    const over = (settle: () => void) => {
      if (isOver) return
      isOver = true
      signal?.removeEventListener('abort', abort)
      wire?.destroy()
      settle()
    }
    const fail = (why: string) => over(() => reject(new Error(why)))
    const abort = () => over(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    try {
      wire = port.connect(caller, link, {
        bytes(bytes) {
          const messages = reader.read(bytes)
          if (!messages) return fail('the answer cannot be read')
          const [answer] = messages
          if (answer !== undefined) over(() => resolve(answer))
        },
        end: () => fail(reader.isEmpty ? 'socket hang up' : 'the answer broke off'),
        reset: () => fail('connection reset'),
      })
    } catch (error) {
      return fail((error as Error).message)
    }
    writeMessage(wire, body)
    wire.end()
  })
}

/** What a part answers a message with; nothing where it has nothing to say. */
export type Answerer = (
  body: string,
  signal: AbortSignal,
) => string | undefined | Promise<string | undefined>

/** Answers each connection's one message, as long as the process lives. */
export function serveRequests(port: Port, process: SimulatedProcess, answer: Answerer): void {
  port.listen(process, (wire) => {
    const reader = new MessageReader()
    const caller = new AbortController()
    let isAsked = false
    let isAnswered = false
    const leave = () => {
      if (!isAnswered) caller.abort(new Error('The caller went away.'))
    }
    wire.events = {
      bytes(bytes) {
        const messages = reader.read(bytes)
        if (!messages) return wire.destroy()
        const [body] = messages
        if (body === undefined || isAsked) return
        isAsked = true
        // Not on the caller's stack: it is another process.
        Promise.resolve()
          .then(() => answer(body, caller.signal))
          .then(
            (text) => {
              if (process.state === 'ended' || caller.signal.aborted) return
              isAnswered = true
              writeMessage(wire, text ?? '')
              wire.end()
            },
            () => wire.destroy(),
          )
      },
      end() {
        if (!isAsked) wire.destroy()
      },
      reset: leave,
    }
  })
}
