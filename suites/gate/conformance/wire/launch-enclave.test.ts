import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { dialEnclave } from './launch-enclave.ts'

/** A socket that takes connections, and says to each what a test says, or nothing. */
async function listen(says?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-dial-'))
  const path = join(folder, 'vsock')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (says) socket.once('data', () => socket.write(says))
  })
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  server.listen(path)
  await once(server, 'listening')
  const clock = new VirtualClock()
  const end = new AbortController()
  const dialled = dialEnclave(path, { clock, signal: end.signal })
  return { path, clock, end, dialled, connected: once(server, 'connection') }
}

test('given an enclave that says nothing to a connection, then the connection is queued after ten seconds', async () => {
  const { clock, dialled, connected } = await listen()
  await connected
  await clock.advance(10_000)
  expect(await dialled).toBe('queued')
  expect(clock.nextAlarm()).toBeUndefined()
})

test('given one that says nothing, when the run ends, then it is waited for no more', async () => {
  const { end, dialled, connected } = await listen()
  await connected
  end.abort()
  expect(await dialled).toBe('refused')
})

test.each([
  ['OK 1\n', 'taken'],
  ['NO\n', 'refused'],
])('given one that says %j, then the connection is %s', async (says, how) => {
  expect(await (await listen(says)).dialled).toBe(how)
})

test('given no enclave, then the connection is refused', async () => {
  const { signal } = new AbortController()
  const options = { clock: new VirtualClock(), signal }
  expect(await dialEnclave('/nowhere/vsock', options)).toBe('refused')
})
