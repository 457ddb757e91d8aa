import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { actorClient } from './actor-client.ts'

/** A node that takes requests and never answers. */
let silent: Server
let asked: Promise<unknown>

beforeEach(async () => {
  const arrival = Promise.withResolvers<void>()
  asked = arrival.promise
  silent = createServer(() => arrival.resolve())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  silent.closeAllConnections()
  silent.close()
})

const url = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`

describe('given an endpoint that does not answer', () => {
  test('when the time is over, then the call ends', async () => {
    const clock = new VirtualClock()
    const { signal } = new AbortController()
    const call = actorClient(url(), { clock, signal }).request('eth_chainId', [])
    const ended = expect(call).rejects.toMatchObject({ code: 'RPC_TIMEOUT' })
    await asked
    await clock.advance(30_000)
    await ended
  })

  test('when the actor stops, then the call ends at once, and no further one begins', async () => {
    const clock = new VirtualClock()
    const ending = new AbortController()
    const client = actorClient(url(), { clock, signal: ending.signal })
    const call = client.request('eth_chainId', [])
    await asked
    ending.abort(new Error('stopped'))
    await expect(call).rejects.toThrow('stopped')
    await expect(client.request('eth_chainId', [])).rejects.toThrow('stopped')
    expect(clock.nextAlarm()).toBeUndefined()
  })
})
