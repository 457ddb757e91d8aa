import { mutateRpcBody, type RpcCall, startMutantProxy } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import type { JsonObject } from '../matchers/expect-shape.ts'

/** A method that is not answered, and how. */
export interface Spoilt {
  method: string
  how: 'busy' | 'gone'
}

interface Listener {
  /** Gets the method of each call, answered or not. */
  begun: string[]
  /** What is to go wrong at this moment. */
  spoilt?: () => Spoilt | undefined
  /**
   * Hears every call with its response before the caller does; the answer waits for it.
   * @throws AnswerLost to break the connection instead
   */
  hear: (call: RpcCall, response: JsonObject) => Promise<void>
}

/** Thrown where an answer is heard: the connection breaks. */
export class AnswerLost extends Error {}

/** As proxies in front of a host say it: not in JSON. */
const BUSY = {
  status: 503,
  headers: { 'content-type': 'text/html', 'retry-after': '1' },
  body: '<html><h1>503 Service Temporarily Unavailable</h1></html>',
}

/** A proxy before a caller's host or L1: it changes nothing but what is spoilt. */
export function listenTo(
  target: string,
  clock: Clock,
  { begun, spoilt, hear }: Listener,
): ReturnType<typeof startMutantProxy> {
  return startMutantProxy({
    target,
    clock,
    mutant: {
      id: 'callers.listener',
      rule: 'PIPE-23',
      area: 'proposer',
      target: 'prover',
      says: 'Changes nothing',
      apply: () => ({
        async http(request, forward) {
          const { method } = JSON.parse(request.body || '{}') as Partial<RpcCall>
          if (method !== undefined && spoilt?.()?.method === method) {
            begun.push(method)
            if (spoilt()?.how === 'gone') throw new AnswerLost()
            return BUSY
          }
          return mutateRpcBody(request, forward, {
            call(call) {
              begun.push(call.method)
              return call
            },
            async response(response, call) {
              await hear(call, response)
              return response
            },
          })
        },
      }),
    },
  })
}
