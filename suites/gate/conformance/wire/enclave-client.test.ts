import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { serveEnclave, type WireHabits } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import { frame, SIGNER_PUBLIC_KEY } from '../spec/enclave-messages.ts'
import { createEnclaveClient } from './enclave-client.ts'
import { ExchangeRecorder } from './exchange-recorder.ts'

/** The client's own wait for an end; milliseconds. */
const CLOSES_WITHIN = 2_000
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function meet(
  answer: (payload: Uint8Array) => Uint8Array | undefined,
  habits?: WireHabits,
  bound?: { most: number },
) {
  const served = await serveEnclave(async (payload) => answer(payload), habits)
  stops.push(served.stop)
  const recorder = new ExchangeRecorder(systemClock)
  const run = new AbortController()
  const { signal } = run
  // Only the end after an answer is not waited for as long: an answer takes what the machine takes.
  const after = (delay: number, then: () => void) =>
    systemClock.after(delay === CLOSES_WITHIN ? 100 : delay, then)
  const client = createEnclaveClient({
    ...{ endpoint: served.endpoint, recorder, after, signal, ...bound },
  })
  return { client, served, recorder, run }
}
const echo = (payload: Uint8Array) => payload

describe('the enclave client of the gate', () => {
  it('given an enclave that answers and closes, gives its frame and the end', async () => {
    const { client, recorder } = await meet(echo)
    const large = new Uint8Array(100_000).fill(3)
    const reply = await client.send(frame(large))
    expect(reply.payloads.map((payload) => payload.length)).toEqual([100_000])
    expect([reply.rest.length, reply.closed]).toEqual([0, true])
    expect(recorder.exchanges[0]).toMatchObject({ transport: 'vsock' })
  })

  it('given many requests, listens to the end of the run no more, and each ends with it', async () => {
    const { client, run } = await meet(echo, { keepsOpen: true })
    for (let requests = 0; requests < 20; requests++) await client.send(SIGNER_PUBLIC_KEY)
    expect(getEventListeners(run.signal, 'abort').length).toBeLessThanOrEqual(1)
    run.abort(new Error('the run is over'))
    await expect(client.send(SIGNER_PUBLIC_KEY)).rejects.toMatchObject({
      actual: 'the run is over',
    })
  })

  it('given one that stays open, says so', async () => {
    const { client } = await meet(echo, { keepsOpen: true })
    expect(await client.send(SIGNER_PUBLIC_KEY)).toMatchObject({ closed: false })
  })

  it('given one whose answer is longer than is read, fails by that', async () => {
    const { client } = await meet(echo, undefined, { most: 50_000 })
    await expect(client.send(frame(new Uint8Array(100_000)))).rejects.toMatchObject({
      at: 'answer of the enclave',
      expected: '50000 bytes or fewer',
    })
  })

  it('given one that serves on, gives every frame', async () => {
    const { client } = await meet(echo, { servesMany: true })
    const { payloads } = await client.send(Buffer.concat([SIGNER_PUBLIC_KEY, SIGNER_PUBLIC_KEY]))
    expect(payloads).toHaveLength(2)
  })

  it('given one that drops the request or says nothing, gives no frame', async () => {
    const dropping = await meet(() => undefined)
    expect((await dropping.client.send(SIGNER_PUBLIC_KEY)).payloads).toEqual([])
    const silent = await meet(echo, { lengthOf: () => 1_000 })
    expect((await silent.client.send(SIGNER_PUBLIC_KEY, { within: 100 })).payloads).toEqual([])
  })

  it('given one that gave up on a first connection before it spoke, dials again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollbed-'))
    const path = join(folder, 'socket')
    let connections = 0
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      connections += 1
      if (connections === 1) return void socket.destroy()
      socket.once('data', () => {
        socket.write('OK 1\n')
        socket.once('data', (request) => socket.end(request))
      })
    })
    await new Promise<void>((resolve) => server.listen(path, resolve))
    stops.push(async () => {
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    })
    const run = new AbortController()
    const { signal } = run
    const client = createEnclaveClient({
      endpoint: `unix:${path}:8000`,
      recorder: new ExchangeRecorder(systemClock),
      after: (delay, then) => systemClock.after(delay, then),
      signal,
    })
    expect((await client.send(SIGNER_PUBLIC_KEY)).payloads).toHaveLength(1)
    expect(connections).toBe(2)
  })

  it('given another port or no socket, fails the case', async () => {
    const { client, served } = await meet(echo, { port: 8001 })
    await expect(client.send(SIGNER_PUBLIC_KEY)).rejects.toThrow('vsock connection')
    await served.stop()
    await expect(client.send(SIGNER_PUBLIC_KEY)).rejects.toThrow('vsock connection')
  })
})
