import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { reachTargets, TargetUnreachable } from './reach-targets.ts'

const { signal } = new AbortController()
const servers: Server[] = []
let folder: string

/** Takes connections, and says nothing. */
async function listen(where: { path: string } | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(where, resolve))
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-reach-'))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true })
})

describe('given targets that speak no HTTP', () => {
  test('when they take connections, then they are there, though they answer nothing', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.address() as AddressInfo
    const path = join(folder, 'vsock')
    await listen({ path })
    const targets = { ws: `ws://127.0.0.1:${port}/x`, enclave: `unix:${path}:8000` }
    await expect(reachTargets(targets, { signal })).resolves.toBeUndefined()
  })

  test.each([
    [{ ws: 'ws://127.0.0.1:1' }, 'ws URL ws://127.0.0.1:1'],
    [{ ws: 'ws://[::1]:1' }, 'ws URL ws://[::1]:1'],
    [{ enclave: 'unix:/nowhere/vsock:8000' }, 'enclave URL unix:/nowhere/vsock:8000'],
  ])('when %j takes none, then it is named, and no rule is broken', async (targets, named) => {
    const look = reachTargets(targets, { signal })
    await expect(look).rejects.toThrow(TargetUnreachable)
    await expect(look).rejects.toThrow(`Nothing answers at the ${named}.`)
  })

  test('when one takes connections and answers no request, then it is named after a minute', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.address() as AddressInfo
    const clock = new VirtualClock()
    const end = new AbortController()
    const targets = { rpc: `http://127.0.0.1:${port}` }
    const look = reachTargets(targets, { clock, signal: end.signal })
    const named = expect(look).rejects.toThrow('Nothing answers at the rpc URL')
    await clock.advance(60_000)
    await named
    end.abort()
  })

  test('when the run ends meanwhile, then its reason is told', async () => {
    const ended = AbortSignal.abort(new Error('over'))
    await expect(reachTargets({ ws: 'ws://127.0.0.1:1' }, { signal: ended })).rejects.toThrow(
      'over',
    )
  })
})
