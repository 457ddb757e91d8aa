import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { run } from './run.ts'

test('given a gate whose cases are all about other URLs, then it exits 2: a run of nothing is not green', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const args = ['--rpc', `http://127.0.0.1:${port}`, '--only', 'host.*']
    expect(await run(['conform', ...args])).toBe(2)
    expect(said.mock.calls.flat().join('\n')).toContain('No case of --only host.* is about')
  } finally {
    said.mockRestore()
    server.closeAllConnections()
    server.close()
  }
})
