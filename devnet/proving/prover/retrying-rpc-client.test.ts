import { beforeEach, describe, expect, it } from 'vitest'
import { type RpcClient, RpcRefused, RpcUnreachable } from '#devnet/base/json-rpc/http-rpc-client'
import { type BeaconClient, BeaconUnreachable } from '#devnet/l1/blobs/beacon-client'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { retryingBeaconClient, retryingRpcClient } from './retrying-rpc-client.ts'

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
function endpoint(...answers: (Error | string | 'stall')[]): RpcClient {
  return {
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
}

function client(...answers: (Error | string | 'stall')[]): RpcClient {
  const options = { clock, onFailure: (error: Error) => void failures.push(error) }
  return retryingRpcClient(endpoint(...answers), options)
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

describe('retryingBeaconClient', () => {
  /** A beacon API whose first answer is this one, and then the blob. */
  function ask(first: Error | 'stall', signal?: AbortSignal) {
    const rpc = endpoint(first, 'blob')
    const beacon: BeaconClient = {
      blob: (hash, _block, attempt) => rpc.request(hash, [], attempt) as Promise<Uint8Array>,
    }
    const options = { clock, onFailure: (error: Error) => void failures.push(error) }
    const block = { number: 1n, timestamp: 2n }
    return retryingBeaconClient(beacon, options).blob(`0x${'01'.repeat(32)}`, block, signal)
  }

  it('given an API that makes no sense, when asked, then again after a pause', async () => {
    const answer = ask(new BeaconUnreachable('http://beacon', 'it is not JSON'))
    await clock.advance(250)
    expect(await answer).toBe('blob')
    expect(failures).toMatchObject([{ code: 'BEACON_UNREACHABLE' }])
  })

  it('given an API that falls silent, when a minute has passed, then it is asked again', async () => {
    const answer = ask('stall')
    await clock.advance(60_250)
    expect(await answer).toBe('blob')
    expect(attempts).toEqual([0, 60_250])
  })

  it('given a blob that is not there, when asked, then that is said at once', async () => {
    const absent = new RollbedError('BLOB_UNAVAILABLE', 'no blob')
    await expect(ask(absent)).rejects.toBe(absent)
    expect(failures).toEqual([])
  })
})
