import type { Socket } from 'node:net'
import { type RpcClient, RpcUnreachable, resultOf } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { connectIpc } from './connect-ipc.ts'
import { nameUnknownMethods } from './name-unknown-methods.ts'

/** A connection with one message under way at most, so that the next line is its answer. */
interface Line {
  socket: Socket
  message: string
  settle: PromiseWithResolvers<Buffer> | undefined
}

/**
 * JSON-RPC over anvil's UNIX socket: as many connections as messages are under way at once, and each is
 * used again. No timer of its own, as `httpRpcClient`.
 *
 * @throws RpcUnreachable where there is no answer, RpcRefused where the answer is an error; `request` does
 */
export class IpcClient implements RpcClient, OwnedResource {
  readonly #path: string
  readonly #lines = new Set<Line>()
  readonly #idle: Line[] = []
  readonly #onAnswer: () => void
  #id = 0

  /** @param onAnswer called at each sign of life */
  constructor(path: string, onAnswer = () => {}) {
    this.#path = path
    this.#onAnswer = onAnswer
  }

  async request(method: string, params: readonly unknown[], signal?: AbortSignal) {
    this.#id += 1
    const message = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params })
    const answer = (await this.ask(message, signal)).toString()
    return resultOf(JSON.parse(answer), method, { socket: this.#path })
  }

  /**
   * @param message one JSON object or array to which anvil gives an answer: it must not subscribe, and
   *   not consist of notifications alone
   * @returns the answer as it came, but for what `nameUnknownMethods` rights
   * @throws RpcUnreachable
   */
  ask(message: string, signal?: AbortSignal): Promise<Buffer> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const line = this.#idle.pop() ?? this.#connect()
    const settle = Promise.withResolvers<Buffer>()
    line.settle = settle
    line.message = message
    line.socket.ref()
    line.socket.write(message)
    if (!signal) return settle.promise
    // Its answer may still come, so nobody else can have this connection.
    const giveUp = () => {
      settle.reject(signal.reason)
      line.socket.destroy()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    return settle.promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  async stop(): Promise<void> {
    for (const { socket } of this.#lines) socket.destroy()
  }

  #connect(): Line {
    const line: Line = {
      message: '',
      settle: undefined,
      socket: connectIpc(this.#path, {
        onLine: (answer) => {
          this.#onAnswer()
          const { settle, message } = line
          Object.assign(line, { settle: undefined, message: '' })
          // A connection that waits for work must not hold the process back.
          line.socket.unref()
          this.#idle.push(line)
          settle?.resolve(nameUnknownMethods(message, answer))
        },
        onClose: (why) => {
          this.#lines.delete(line)
          const at = this.#idle.indexOf(line)
          if (at >= 0) this.#idle.splice(at, 1)
          line.settle?.reject(new RpcUnreachable({ socket: this.#path }, why.message))
        },
      }),
    }
    this.#lines.add(line)
    return line
  }
}
