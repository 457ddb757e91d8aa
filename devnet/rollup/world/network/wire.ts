import type { LinkConnection, ToxicLink } from '#devnet/faults/toxic-link'
import type { SimulatedProcess } from '../simulated-process.ts'

/** What one end of a connection hears. */
export interface WireEvents {
  bytes(bytes: Uint8Array): void
  /** The other end sends no more. */
  end(): void
  /** The connection is broken; nothing follows. */
  reset(): void
}

/** One end of a connection in memory. */
export interface Wire {
  /** To be set before anything can arrive. */
  events: WireEvents
  write(bytes: Uint8Array): void
  end(): void
  /** Breaks the connection: the other end is told. Idempotent. */
  destroy(): void
}

/** A place where connections are taken, whoever lives behind it at the moment. */
export class Port {
  readonly name: string
  #listener: { process: SimulatedProcess; accept: (wire: Wire) => void } | undefined

  constructor(name: string) {
    this.name = name
  }

  /** Until the process ends. */
  listen(process: SimulatedProcess, accept: (wire: Wire) => void): void {
    const listener = { process, accept }
    this.#listener = listener
    process.onEnd(() => {
      if (this.#listener === listener) this.#listener = undefined
    })
  }

  /**
   * Connects a process to whoever listens, over a link.
   * @throws Error when nobody takes the connection
   */
  connect(caller: SimulatedProcess, link: ToxicLink, events: WireEvents): Wire {
    const listener = this.#listener
    if (!listener) throw new Error('connection refused')
    return join(caller, listener.process, link, events, listener.accept)
  }
}

const DEAF: WireEvents = { bytes() {}, end() {}, reset() {} }

function join(
  caller: SimulatedProcess,
  server: SimulatedProcess,
  link: ToxicLink,
  events: WireEvents,
  accept: (wire: Wire) => void,
): Wire {
  let connection: LinkConnection | undefined
  let isBroken = false
  let endsLeft = 2
  const near: Wire = {
    events,
    write: (bytes) => connection?.upstream.write(bytes),
    end: () => connection?.upstream.end(),
    destroy: () => breakOff('near'),
  }
  const far: Wire = {
    events: DEAF,
    write: (bytes) => connection?.downstream.write(bytes),
    end: () => connection?.downstream.end(),
    destroy: () => breakOff('far'),
  }
  const forget = [caller.onEnd(() => breakOff('near')), server.onEnd(() => breakOff('far'))]

  /** @param by who did it, and so is not told */
  function breakOff(by: 'near' | 'far' | 'link'): void {
    if (isBroken) return
    isBroken = true
    close()
    if (by !== 'near') caller.run(() => near.events.reset())
    if (by !== 'far') server.run(() => far.events.reset())
  }
  function close(): void {
    connection?.close()
    connection = undefined
    for (const each of forget) each()
  }
  /** When both have sent all there is nothing left to break. */
  function ended(): void {
    if (--endsLeft > 0) return
    isBroken = true
    close()
  }

  connection = link.connect({
    toServer: {
      write: (bytes) => server.run(() => far.events.bytes(bytes)),
      end() {
        server.run(() => far.events.end())
        ended()
      },
    },
    toClient: {
      write: (bytes) => caller.run(() => near.events.bytes(bytes)),
      end() {
        caller.run(() => near.events.end())
        ended()
      },
    },
    reset: () => breakOff('link'),
  })
  if (!connection) {
    close()
    throw new Error('connection refused')
  }
  server.run(() => accept(far))
  return near
}
