import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../enclave-sim/clock/virtual-clock.ts'
import { type RpcClient, RpcRefused, RpcUnreachable } from '../json-rpc/http-rpc-client.ts'
import { retryingRpcClient } from './retrying-rpc-client.ts'

const START = 1_700_000_000_000
const unreachable = new RpcUnreachable('http://node', 'connection refused')
const refusal = (code: number) => new RpcRefused('x', { code, message: 'no' })

let clock: VirtualClock
/** Milliseconds since the start, of every attempt. */
let attempts: number[]
let failures: Error[]

beforeEach(() => {
  clock = new VirtualClock(START)
  attempts = []
  failures = []
})

/** An endpoint that gives these answers, the last one for ever; `stall` never answers. */
function client(...answers: (Error | string | 'stall')[]): RpcClient {
  const rpc: RpcClient = {
    request(_method, _params, signal) {
      attempts.push(clock.now() - START)
      const answer = answers[Math.min(attempts.length, answers.length) - 1]!
      if (answer === 'stall')
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  }
  return retryingRpcClient(rpc, { clock, onFailure: (error) => void failures.push(error) })
}

describe('retryingRpcClient', () => {
  it('given an endpoint that answers, when asked, then once', async () => {
    expect(await client('yes').request('x', [])).toBe('yes')
    expect(attempts).toEqual([0])
  })

  it('given failures that pass, when asked, then again after pauses that double up to 16 s', async () => {
    const answer = client(...Array(9).fill(unreachable), 'yes').request('x', [])
    await clock.advance(100_000)
    expect(await answer).toBe('yes')
    expect(attempts).toEqual([0, 250, 750, 1750, 3750, 7750, 15_750, 31_750, 47_750, 63_750])
    expect(failures).toHaveLength(9)
  })

  it.each([-32603, -32005, 429])(
    'given an overload, code %i, when asked, then again',
    async (code) => {
      const answer = client(refusal(code), 'yes').request('x', [])
      await clock.advance(250)
      expect(await answer).toBe('yes')
    },
  )

  it.each([-32000, -32001, -32601, -32602, 3])(
    'given a definite refusal, code %i, when asked, then it is the answer',
    async (code) => {
      await expect(client(refusal(code)).request('x', [])).rejects.toMatchObject({ rpcCode: code })
      expect(attempts).toEqual([0])
      expect(failures).toEqual([])
    },
  )

  it('given silence, when a minute has passed, then the attempt is given up and another made', async () => {
    const answer = client('stall', 'yes').request('x', [])
    await clock.advance(59_999)
    expect(failures).toEqual([])
    await clock.advance(1)
    expect(failures).toMatchObject([{ message: 'x: no answer after 60 s' }])
    await clock.advance(250)
    expect(await answer).toBe('yes')
  })

  it.each([
    ['in a pause', unreachable],
    ['in an attempt', 'stall'],
  ])(
    'given a signal aborted %s, when asked, then its reason at once and no timer is left',
    async (_, answer) => {
      const abort = new AbortController()
      const failed = expect(client(answer).request('x', [], abort.signal)).rejects.toThrow('enough')
      await clock.advance(100)
      abort.abort(new Error('enough'))
      await failed
      await clock.advance(0)
      expect(clock.nextAlarm()).toBeUndefined()
      expect(attempts).toEqual([0])
    },
  )

  it('given a signal aborted before, when asked, then nothing is asked', async () => {
    const aborted = AbortSignal.abort(new Error('enough'))
    await expect(client('yes').request('x', [], aborted)).rejects.toThrow('enough')
    expect(attempts).toEqual([])
  })
})
